import type { TestApp } from '../app.ts'
import type { Client } from '../client.ts'
import { each } from '../each.ts'
import { isPublic, nameOf, type Route, shortNameOf } from '../routes.ts'
import type { Fixture } from './fixture.ts'
import { type Make, resourceSamples, type Sample } from './resources.ts'
import { samples } from './samples.ts'

const resourceOf = ({ path }: Route) => /([\w-]+)\/:/.exec(path)?.[1] ?? ''

const makerOf = (route: Route): Make | undefined =>
  samples[shortNameOf(route)] ?? (route.path.includes(':') ? resourceSamples[resourceOf(route)] : undefined)

const callerOf = (fixture: Fixture, route: Route): Client =>
  isPublic(route)
    ? fixture.ownerToken
    : route.access.level === 'instance_admin'
      ? fixture.admin
      : route.access.level === 'anyone'
        ? fixture.t.anyone
        : fixture.owner

type CompleteSample = Sample & { who: Client; t: TestApp }
/** A route, with a sample that makes it succeed. */
export type Prepared = { route: Route; sample: CompleteSample }

/** Creates everything that a route needs to succeed. */
export async function sampleFor(fixture: Fixture, route: Route): Promise<CompleteSample> {
  const make = makerOf(route)
  if (!make && (route.path.includes(':') || fixture.published.bodyOf(route)))
    throw new Error(`Tell test/sweeps/samples.ts how to make what ${nameOf(route)} is called with`)
  return { who: callerOf(fixture, route), t: fixture.t, ...(await make?.(fixture, route)) }
}

/** Creates samples for the routes. Both mounts of one that only reads get the same, unless it has a caller of its own. */
export async function samplesFor(fixture: Fixture, routes: Route[]): Promise<Prepared[]> {
  const readers = new Map<string, { caller: Client; sample: Promise<CompleteSample> }>()
  return each(routes, async (route) => {
    const caller = callerOf(fixture, route)
    const known = readers.get(shortNameOf(route))
    const shared = known && (await known.sample)
    if (shared && shared.who === known.caller) return { route, sample: { ...shared, who: caller } }
    const sample = sampleFor(fixture, route)
    if (route.method === 'GET') readers.set(shortNameOf(route), { caller, sample })
    return { route, sample: await sample }
  })
}

/** The routes in /openapi.json: all that return data. Those that receive files, or events of providers, have tests of their own. */
export const documented = (routes: Route[]) =>
  routes.filter(
    ({ method, path, upload }) =>
      path.startsWith('/api/') && method !== 'OPTIONS' && !upload && !path.startsWith('/api/v1/billing/webhooks/'),
  )

/** Calls a route with its sample, as `who` or the sample's own caller. */
export const callWith = (
  { method, path }: Route,
  { id = '', within = '', query = '', body, who }: Sample & { who: Client },
  headers: Record<string, string> = {},
) => who.call(method, path.replace(/:\w+/, id).replace(/:\w+/, within) + query, { ...(body && { body }), headers })
