import { oneMount, routesWithAccess } from '../routes.ts'
import { documented, samplesFor } from './calls.ts'
import { createFixture } from './fixture.ts'
import { fill } from './resources.ts'

export type Sweep = Awaited<ReturnType<typeof prepareSweep>>

/**
 * A sample for each documented route. Tests of refused requests change nothing, so the same samples make the routes
 * succeed afterwards.
 */
export async function prepareSweep() {
  const fixture = await createFixture()
  const routes = documented(await routesWithAccess(fixture.t.deps))
  await fill(fixture)
  const prepared = await samplesFor(fixture, routes)
  const chosen = new Set(oneMount(routes))
  return {
    fixture,
    routes,
    prepared,
    /** The same, with one of each two routes that share a function. */
    preparedOnce: prepared.filter(({ route }) => chosen.has(route)),
  }
}
