import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const sources = join(import.meta.dirname, '../console')

type Route = { name: string; parent: string; address: string; signedIn: boolean }

/** The calls of `createRoute` in a file. A layout without a path of its own adds none to the addresses below it. */
function routesIn(file: string, layouts: Map<string, Route>) {
  const calls = readFileSync(join(sources, file), 'utf8').matchAll(
    /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*(path|id): '([^']*)'/g,
  )
  const found: Route[] = []
  for (const [, name = '', parent = '', kind, text = ''] of calls) {
    const above = layouts.get(parent)
    const path = kind === 'path' ? text.replace(/\/$/, '') : ''
    const signedIn = above?.signedIn === true || (kind === 'id' && text === 'signed-in')
    const route = { name, parent, address: `${above?.address ?? ''}${path}`, signedIn }
    if (file.startsWith('layout-routes')) layouts.set(name, route)
    else found.push(route)
  }
  return found
}

function readRoutes() {
  const layouts = new Map<string, Route>()
  routesIn('layout-routes.ts', layouts)
  const pages = globSync('features/*/routes.tsx', { cwd: sources }).sort()
  return { layouts, pages: pages.flatMap((file) => routesIn(file, layouts)) }
}

const { layouts, pages } = readRoutes()

/** Number of routes that were understood, of layouts and of pages. */
export const knownRoutes = layouts.size + pages.length

/** The addresses of all pages, such as `/w/$workspace/posts/$post`. */
export const pageAddresses = pages.map(({ address, signedIn }) => ({ address: address || '/', signedIn }))

/** The records that addresses name, by the part of the address before them. */
export const recordNames = [
  ...(['w', 'accounts', 'agents', 'catalog', 'checkouts', 'invoices', 'gigs', 'buy', 'orders', 'disputes'] as const),
  ...([
    'ai-models',
    'email-templates',
    'plans',
    'posts',
    'playground',
    'recurring-posts',
    'review',
    'webhooks',
    'sellers',
  ] as const),
  // In the query of an address.
  'token',
] as const
export type PageRecords = Record<(typeof recordNames)[number], string>

const isRecordName = (name: string): name is keyof PageRecords => recordNames.some((known) => known === name)

/** Queries of pages: of those that need one, and of further views. `{}`: a month with many posts. */
const searches: Record<string, string[]> = {
  '/invitation': ['?token=$token'],
  '/reset-password': ['?token=unknown'],
  '/w/$workspace/calendar': ['', '?date={}', '?view=week', '?view=cards', '?view=day', '?view=grid'],
  '/w/$workspace/marketplace/orders': ['', '?role=seller'],
  '/admin/marketplace/moderation': ['', '?view=gigs'],
}

/** Addresses with queries that no page has any more. */
export const unusedSearches = Object.keys(searches).filter((known) =>
  pageAddresses.every(({ address }) => address !== known),
)

/** The address of a page that shows these records. */
function withRecords(address: string, records: PageRecords) {
  return address.replace(/([\w-]+)([/=])\$\w+/g, (_, before: string, sign: string) => {
    if (!isRecordName(before)) throw new Error(`${address}: the bench has no record of ${before}`)
    return `${before}${sign}${records[before]}`
  })
}

export type Visit = { path: string; signedIn: boolean }

/** Pages that the server writes, for people without an account. */
const publicPages = ['/marketplace', '/marketplace/gigs/$gigs', '/marketplace/sellers/$sellers'].map((address) => ({
  address,
  signedIn: false,
}))

/** Every page of the console, the views of it that differ most, and the public pages of the marketplace. */
export const visitsOf = (records: PageRecords, month: string): Visit[] =>
  [...pageAddresses, ...publicPages].flatMap(({ address, signedIn }) =>
    (searches[address] ?? ['']).map((search) => ({
      path: withRecords(`${address}${search.replace('{}', month)}`, records),
      signedIn,
    })),
  )
