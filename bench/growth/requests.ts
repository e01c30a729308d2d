import { uuidAt } from '../../server/lib/db/database.ts'
import { cursorOf } from '../../server/lib/db/page.ts'
import { DAY } from '../../shared/time.ts'
import type { Dataset } from './dataset.ts'
import { documentedLists, type List } from './documented-lists.ts'
import { EXPORTED, HANDLE } from './money.ts'

const NO_ID = '00000000-0000-0000-0000-000000000000'

type Caller = 'owner' | 'token' | 'bystander'

export type Request = {
  name: string
  /** Path of the list in openapi.json, if it is one. */
  list?: string
  path: (dataset: Dataset) => string
  inWorkspace: boolean
  caller: Caller
  /** Has a limit in milliseconds, because no index serves it. */
  isBounded: boolean
  /** Whether it returns records in every workspace that has some. */
  isFilled: boolean
}

type Query = string | ((dataset: Dataset) => string)
type Filter = { query: Query; isBounded: boolean }
const indexed = (...queries: Query[]): Filter[] => queries.map((query) => ({ query, isBounded: false }))
const scanning = (...queries: Query[]): Filter[] => queries.map((query) => ({ query, isBounded: true }))

/** The record whose id stands in the path of a list, by the part of the path before it. */
const ids: Record<string, (dataset: Dataset) => string | undefined> = {
  webhooks: ({ webhook }) => webhook,
  agents: ({ agent }) => agent,
  'agent-recipes': ({ recipe }) => recipe,
  'recurring-posts': ({ recurring_post }) => recurring_post,
  imports: ({ post_import }) => post_import,
  posts: ({ post }) => post,
  gigs: ({ gig }) => gig,
  orders: ({ order }) => order,
  'payout-batches': ({ batch }) => batch,
  // The account whose posts are as many in each workspace: a queue has no pages.
  accounts: ({ accounts }) => accounts[2],
}

/** Parameters without which a list cannot be requested, or whose results grow with the time that they leave open. */
const always: Record<string, string> = {
  '/posts/export.csv': 'from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z',
  '/public/posts/export.csv': 'from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z',
  '/marketplace/statement': 'currency=TRY',
  '/marketplace/statement/export': `currency=TRY&from=${EXPORTED.from}&to=${EXPORTED.to}`,
  '/admin/invoices/export': `month=${EXPORTED.month}`,
  '/admin/invoices/ubl': `month=${EXPORTED.month}`,
}

const account =
  (index: number, rest = ''): Query =>
  ({ accounts }) =>
    `account_id=${accounts[index]}${rest}`

/** The filters of each list that are compared, by its path. Every parameter of a list stands in one of them. */
function filtersAt(now: number): Record<string, Filter[]> {
  const at = (days: number) => new Date(now + days * DAY).toISOString()
  const cursor = (days: number) => `cursor=${cursorOf(uuidAt(now + days * DAY))}`
  return {
    '/posts': [
      ...indexed(cursor(-300)),
      ...indexed(
        ...['draft', 'scheduled', 'published', 'partially_published', 'failed', 'publishing'].map(
          (status) => `status=${status}`,
        ),
      ),
      ...indexed('review=pending', 'review=rejected', 'held=late', 'held=agents_stopped'),
      ...scanning('review=approved&status=draft'),
      ...indexed('is_idea=true'),
      ...scanning('is_idea=false'),
      ...indexed(account(0), account(2), account(3)),
      ...scanning(account(0, '&status=published'), account(0, '&status=publishing'), account(3, '&status=published')),
      ...indexed(({ author }) => `author_id=${author}`, `author_id=${NO_ID}`),
      ...scanning(({ author }) => `author_id=${author}&status=publishing`),
      ...indexed('label=spring'),
      ...scanning('label=rare', 'label=unused', `account_group_id=${NO_ID}`),
      ...indexed(`from=${at(-365)}`, 'from=2000-01-01T00:00:00Z', `to=${at(0)}`),
      ...indexed(`from=${at(-60)}&to=${at(-30)}`, `from=${at(0)}&to=${at(30)}`, `from=${at(-365)}&status=published`),
      ...scanning(`from=${at(-365)}&status=publishing`, account(2, `&from=${at(-365)}`)),
      ...indexed('updated_since=2000-01-01T00:00:00Z', `updated_since=${at(-0.01)}`),
      ...indexed(`updated_since=${at(-365)}&status=failed`),
      ...scanning(`updated_since=2000-01-01T00:00:00Z&from=${at(20)}`),
      ...indexed('search=simit'),
      ...scanning('search=truffle', 'search=nowhere'),
      ...indexed('search=simit&status=draft'),
    ],
    '/posts/summaries': [
      ...indexed(
        `from=${at(-60)}&to=${at(-30)}`,
        account(2),
        'status=published',
        'review=pending',
        'held=late',
        'held=agents_stopped',
        'label=spring',
      ),
      ...indexed(({ author }) => `author_id=${author}`),
      ...indexed('is_idea=true', 'status=draft&is_idea=false'),
      ...scanning('label=rare', `account_group_id=${NO_ID}`),
    ],
    '/me/notifications': [...indexed('state=unread'), ...scanning('state=read')],
    '/posts/deleted': indexed(`since=${at(-1)}`),
    '/snippets': indexed('kind=hashtags'),
    '/calendar-notes': indexed(`from=${at(0).slice(0, 10)}&to=${at(30).slice(0, 10)}`),
    '/recurring-posts/upcoming': indexed(`from=${at(0)}&to=${at(30)}`),
    '/accounts/{id}/queue': indexed(`from=${at(0)}&to=${at(20)}`),
    '/imports/{id}/rows': [...indexed('state=ok', 'field=date'), ...scanning('state=skipped')],
    '/imports/template.csv': indexed('language=tr', 'separator=semicolon'),
    '/posts/export.csv': indexed('separator=semicolon'),
    '/accounts/networks': indexed('locale=tr'),
    '/admin/network-apps': indexed('locale=tr'),
    '/workspace/network-apps': indexed('locale=tr'),
    '/media': [
      ...indexed('kind=image', 'kind=video', 'label=spring', 'search=simit'),
      ...scanning('label=rare', 'label=unused', 'search=truffle', 'search=nowhere'),
    ],
    '/media/deleted': indexed(`since=${at(-1)}`),
    '/events': [
      ...indexed(cursor(-14), `since=${at(-1 / 24)}`, 'type=post.created', 'type=account.refresh_failed'),
      ...scanning('type=account.disconnected'),
    ],
    '/webhooks/{id}/deliveries': [
      ...indexed('state=delivered', 'state=waiting', 'state=held', 'state=failed', 'state=undelivered'),
      ...indexed('attempted=true', 'attempted=false', `event_id=${NO_ID}`),
      ...indexed(`until=${at(-14)}`, `since=${at(-1)}&until=${at(-0.5)}`, 'type=post.created'),
      ...scanning('type=account.disconnected', 'type=account.refresh_failed', 'type=account.disconnected&state=failed'),
    ],
    '/workspace/audit-log': [
      ...indexed('action=post.created', ({ author }) => `actor=${author}`, `until=${at(-500)}`),
      ...indexed(`since=${at(-500)}&until=${at(-400)}`),
      ...scanning('action=webhook.updated', 'action=webhook.*', `actor=${NO_ID}`),
    ],
    '/admin/audit-log': [
      ...indexed('action=option.changed', ({ author }) => `actor=${author}`, `since=${at(-1)}`, `until=${at(-5)}`),
      ...scanning('action=plan.created', `actor=${NO_ID}`),
    ],
    '/workspace/invitations': indexed('state=pending'),
    '/admin/users': scanning('search=person-7@', 'search=nowhere'),
    '/admin/outbox': [...indexed('state=failed', 'state=queued'), ...scanning('search=person-7@', 'search=nowhere')],
    '/email-templates': [
      ...indexed(({ domain }) => `key=own-7-${domain}`, 'locale=default'),
      ...scanning('search=own-7', 'search=nowhere'),
    ],
    '/ai-models': [
      ...indexed('provider=openai', 'category=video', 'is_active=true', 'search=model-7'),
      ...scanning('search=nowhere'),
    ],
    '/ai-models/active': indexed('category=text'),
    '/ai/generations': [...indexed('kind=text', 'state=succeeded'), ...scanning('state=failed', 'kind=video')],
    '/agents': indexed('is_active=true'),
    '/catalog/agent-recipes': [
      ...indexed('search=bread', 'category=food', 'language=tr', 'sort=new', 'mine=true'),
      ...scanning('search=recipe7', 'search=nowhere', 'category=hiring'),
    ],
    '/admin/agent-recipes': [...indexed('taken_down=false'), ...scanning('taken_down=true', 'reported=true')],
    '/billing/invoices': [
      ...indexed('status=paid', ({ invoice }) => `corrects=${invoice}`),
      ...scanning('status=void', `corrects=${NO_ID}`),
    ],
    '/admin/invoices': [
      ...indexed(`month=${EXPORTED.month}`, 'status=paid', 'kind=credit_note', 'search=NONE'),
      ...indexed(({ workspace_id }) => `workspace_id=${workspace_id}`),
      ...scanning('status=void', 'status=open&kind=credit_note'),
    ],
    '/admin/payment-requests': indexed('status=pending', 'status=withdrawn'),
    '/admin/subscriptions': [
      ...indexed('status=past_due', 'plan_code=pro', 'provider=manual'),
      ...scanning('status=canceled', 'plan_code=team', 'provider=stripe'),
    ],
    '/admin/ledger/accounts': [...indexed('kind=escrow'), ...scanning('kind=seller_pending', 'kind=bank')],
    '/admin/ledger/transactions': [
      ...indexed(({ ledger_account }) => `account_id=${ledger_account}`, `reference=${NO_ID}`),
      ...scanning(`account_id=${NO_ID}`),
    ],
    '/admin/ledger/settlements': indexed('provider=stripe', 'kind=payout'),
    '/admin/ledger/remedies': indexed(),
    '/marketplace/gigs': [
      ...indexed('search=g%C3%B6nderi', 'category=social-media', `seller=${HANDLE}`, 'sort=rating'),
      ...indexed('currency=TRY&price_min=500&price_max=3000', 'currency=TRY&sort=price_asc'),
      ...scanning('search=tr%C3%BCf', 'category=rare', 'seller=nobody'),
    ],
    '/marketplace/gigs/mine': [...indexed('archived=false'), ...scanning('archived=true')],
    '/admin/marketplace/gigs': [
      ...indexed('taken_down=false', ({ domain }) => `search=gig-7-of-${domain}`),
      ...scanning('taken_down=true', 'search=nowhere'),
    ],
    '/admin/marketplace/reports': indexed('status=open'),
    '/marketplace/orders': [
      ...indexed('role=buyer', 'role=seller', 'status=completed', ({ gig }) => `gig_id=${gig}`),
      ...scanning('status=expired', `gig_id=${NO_ID}`),
    ],
    '/admin/marketplace/disputes': indexed('status=open', 'status=withdrawn'),
    '/admin/marketplace/refunds': indexed('status=failed', 'status=pending'),
    '/marketplace/statement': scanning(`from=${EXPORTED.from}&to=${EXPORTED.to}`),
    '/marketplace/statement/export': scanning('separator=semicolon'),
    '/admin/invoices/export': indexed('separator=semicolon'),
    '/admin/invoices/ubl': indexed('profile=TEMELFATURA', 'usd_rate=42', 'from=2026-01-01&to=2026-01-02'),
    '/admin/marketplace/payout-batches/{id}': indexed('separator=semicolon'),
    '/marketplace/payouts': [...indexed('status=paid'), ...scanning('status=canceled')],
    '/admin/marketplace/payouts': [
      ...indexed('status=pending', 'status=canceled', ({ batch }) => `batch_id=${batch}`),
      ...scanning('currency=USD'),
    ],
  }
}

const textOf = (query: Query, dataset: Dataset) => (typeof query === 'string' ? query : query(dataset))

/** The path of a list, with the ids of the records that it belongs to. */
const withIds = (path: string, dataset: Dataset) =>
  path.replace(/([\w-]+)\/\{\w+\}/g, (_, before: string) => {
    const id = ids[before]?.(dataset)
    if (id === undefined) throw new Error(`${path}: no record of ${before} to ask for. Add it to the dataset.`)
    return `${before}/${id}`
  })

const callerOf = ({ path }: List): Caller =>
  path === '/me/export' ? 'bystander' : path.startsWith('/public/') ? 'token' : 'owner'

/**
 * Lists that count all scheduled posts of an account, compare all payments with all that providers reported, or look for
 * the end of a period in all entries of a seller after it.
 */
const reading = [
  '/accounts/health',
  '/public/accounts/health',
  '/admin/ledger/differences',
  '/marketplace/statement/export',
]

/** Requests ask for ten records, which the workspace with few posts has for most filters. */
function requestOf(list: List, filter?: Filter): Request {
  const path = (dataset: Dataset) => {
    const query = [always[list.path], filter && textOf(filter.query, dataset), list.isPaged ? 'limit=10' : undefined]
    return `${withIds(list.path, dataset)}?${query.filter((part) => part !== undefined).join('&')}`
  }
  const shown =
    filter &&
    textOf(filter.query, names)
      .replace(/T\d[^&]*/g, '')
      .replace(/cursor=.*/, 'in the middle')
  return {
    name: shown ? `${list.path} ${shown}` : list.path,
    list: list.path,
    path,
    inWorkspace: list.inWorkspace,
    caller: callerOf(list),
    isBounded: filter?.isBounded ?? reading.includes(list.path),
    isFilled: !filter && !list.isExport,
  }
}

const others: [path: string, isBounded?: boolean][] = [
  ...['24h', '7d', '30d'].map((period): [string] => [`/webhooks/{id}/stats?period=${period}`]),
  ['/posts/counts'],
  ['/marketplace/orders/counts'],
  ['/accounts/{id}/metrics'],
  ['/accounts/{id}/best-times'],
  ['/accounts/check'],
  ['/workspace/usage', true],
  ['/workspace/checklist'],
  ['/workspace'],
]

/** Every list, filter and export of openapi.json, and what pages count. */
export function requests(now = Date.now()): Request[] {
  const filters = filtersAt(now)
  return [
    ...documentedLists.flatMap((list) => [
      requestOf(list),
      ...(filters[list.path] ?? []).map((filter) => requestOf(list, filter)),
    ]),
    ...others.map(
      ([path, isBounded = false]): Request => ({
        name: path,
        path: (dataset) => withIds(path, dataset),
        ...{ inWorkspace: true, caller: 'owner', isBounded, isFilled: false },
      }),
    ),
  ]
}

/** Stands for the records of a workspace in the names of requests. */
export const names: Dataset = {
  ...{ workspace_id: 'own', author: 'owner', accounts: ['one', 'two', 'rare', 'unused'], webhook: 'own', agent: 'own' },
  ...{
    recipe: 'own',
    recurring_post: 'own',
    post_import: 'own',
    post: 'own',
    gig: 'own',
    order: 'own',
    invoice: 'own',
    batch: 'own',
  },
  ...{ ledger_account: 'own', domain: 'own' },
}
