import type { Deps } from '../../../lib/deps.ts'
import { callGraph, idOf, rowsOf } from '../meta/graph.ts'
import { NetworkFault } from '../network.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { cursorOf, graphOf } from './api.ts'

/** Without it, Facebook lists no Pages of a business portfolio. */
export const PORTFOLIO_SCOPE = 'business_management'
export const PORTFOLIOS_MISSING = `Those of a business portfolio are listed with the permission ${PORTFOLIO_SCOPE}, which was not granted.`

/** Pages of 100 of a list. */
const MAX_PAGES = 20
/** Portfolios whose Pages are listed, each with two calls. */
const MAX_PORTFOLIOS = 25

/** Failures of Facebook, other than refusals, after which no further list is asked for: each may take its whole time. */
const MAX_FAILURES = 3

type Row = Record<string, unknown>
/** `faults`: of the lists that Facebook did not return. */
type Listing = { deps: Deps; token: string; fields: string; faults: NetworkFault[] }

async function listAll({ deps, token, fields }: Omit<Listing, 'faults'>, path: string): Promise<Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const list = await callGraph(deps, graphOf(deps), { token, path, params: { fields, limit: 100, after } })
    rows.push(...rowsOf(list))
    const next = cursorOf(list)
    if (next === undefined || next === after) break
    after = next
  }
  return rows
}

const isRefusal = ({ failure }: NetworkFault) => failure.kind === 'failed'

/** Goes on without what Facebook does not return, so that a portfolio that fails keeps no other Page from being found. */
async function ifListed<T>({ deps, faults }: Listing, work: () => Promise<T>, otherwise: T) {
  if (faults.filter((fault) => !isRefusal(fault)).length >= MAX_FAILURES) return otherwise
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof NetworkFault)) throw thrown
    deps.log.warn({ err: thrown }, 'Pages of a business portfolio could not be listed')
    faults.push(thrown)
    return otherwise
  }
}

/** The Pages of the portfolios of a person, which are not among their own unless they have a role on the Page itself. */
async function listPortfolioPages(listing: Listing): Promise<Row[]> {
  const portfolios = await ifListed(listing, () => listAll({ ...listing, fields: 'id' }, '/me/businesses'), [])
  const pages: Row[] = []
  for (const portfolio of portfolios.slice(0, MAX_PORTFOLIOS))
    for (const edge of ['owned_pages', 'client_pages'])
      pages.push(...(await ifListed(listing, () => listAll(listing, `/${idOf(portfolio)}/${edge}`), [])))
  return pages
}

/** Adds the token of a Page that its list has not. Facebook gives it to people with a role on the Page. */
async function withToken(listing: Listing, page: Row): Promise<Row> {
  if (typeof page.access_token === 'string') return page
  const { deps, token } = listing
  const params = { fields: 'access_token' }
  const read = () => callGraph(deps, graphOf(deps), { token, path: `/${idOf(page)}`, params })
  return { ...page, ...(await ifListed(listing, read, {})) }
}

/** Pages of the newer kind have tasks that begin with `PROFILE_PLUS_`. */
const PUBLISHING = /^(PROFILE_PLUS_)?(CREATE_CONTENT|FULL_CONTROL)$/

/** Lists of portfolios have no tasks. */
const canPublish = ({ tasks, access_token }: Row) =>
  typeof access_token === 'string' &&
  (!Array.isArray(tasks) || tasks.some((task) => typeof task === 'string' && PUBLISHING.test(task)))

/** The fault of a sign-in that found no Page to publish on: that of a list which may have had one, or else the reason. */
function faultOfNone(pages: Row[], { faults }: Listing, withPortfolios: boolean) {
  const outage = faults.find((fault) => !isRefusal(fault))
  const message = [whyNone(pages, withPortfolios), ...faults.slice(0, 1).map((fault) => fault.message)].join(' ')
  return outage ?? new NetworkFault({ kind: 'failed', code: 'no_account', message })
}

function whyNone(pages: Row[], withPortfolios: boolean) {
  const names = pages.slice(0, 5).map(({ id, name }) => (typeof name === 'string' ? name : idOf({ id })))
  if (names.length > 0) return `You may not create content (CREATE_CONTENT) on: ${names.join(', ')}.`
  return withPortfolios
    ? 'Facebook listed no Page, neither of yours nor of your business portfolios.'
    : `Facebook listed no Page. ${PORTFOLIOS_MISSING}`
}

/** Whether the Pages of business portfolios are among those that are listed. */
export const mayReadPortfolios = ({ scopes }: Tokens) => scopes === null || scopes.includes(PORTFOLIO_SCOPE)

/**
 * The Pages on which a person can publish, with these fields and a token each. Throws a `NetworkFault` with the reason if
 * there are none.
 */
export async function listPages(deps: Deps, tokens: Tokens, fields: string): Promise<Row[]> {
  const listing = { deps, token: tokens.access_token, fields: `${fields},access_token`, faults: [] }
  const withPortfolios = mayReadPortfolios(tokens)
  const own = await listAll({ ...listing, fields: `${listing.fields},tasks` }, '/me/accounts')
  const known = new Set(own.map(({ id }) => id))
  const further = withPortfolios ? await listPortfolioPages(listing) : []
  const pages = [...own]
  for (const page of further.filter(({ id }) => !known.has(id))) {
    if (!known.has(page.id)) pages.push(await withToken(listing, page))
    known.add(page.id)
  }
  const found = pages.filter(canPublish)
  if (found.length === 0) throw faultOfNone(pages, listing, withPortfolios)
  return found
}
