/** The load: posts that are published at once, orders that are paid and completed, and reads, each at a fixed rate. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient, createOwner, GivenUp, signIn } from './client.ts'
import { startReceiver } from './receiver.ts'
import { query, type Site } from './site.ts'

const ACCOUNTS = 5
/** A gig has one unpaid order of a buyer at a time, so this many orders are under way at most. */
const GIGS = 10
const POSTS_PER_SECOND = 6
const READS_PER_SECOND = 4
const ORDER_EVERY_MS = 1000
/** Calls that wait for an outage to end. Beyond them, no new ones are sent. */
const MAX_WAITING = 500
/** Ends a load that nothing else ends. */
const MAX_SECONDS = 300

export type Setup = Awaited<ReturnType<typeof setUp>>

/** Creates two workspaces, which buy and sell; the first one also posts. Both report to one receiver. */
export async function setUp(site: Site) {
  const client = createClient(site.base)
  const { insist } = client
  const receiver = await startReceiver(site.receiver)
  const admin = await signIn(client, site.admin)
  const buyer = await createOwner(client, admin, 'buyer')
  const seller = await createOwner(client, admin, 'seller')
  const scopes = ['posts:write', 'posts:read', 'accounts:write', 'webhooks:write']
  const created = await insist('POST', '/api/v1/api-tokens', { cookie: buyer.cookie, body: { name: 'load', scopes } })
  const token: string = created.body.token
  for (const { cookie } of [buyer, seller])
    await insist('POST', '/api/v1/webhooks', { cookie, body: { url: receiver.url, events: ['*'] } })
  const accounts: string[] = []
  for (let count = 0; count < ACCOUNTS; count++) {
    const { body } = await insist('POST', '/api/v1/public/accounts', { token, body: { network: 'playground' } })
    accounts.push(body.id)
  }
  const gig = { title: 'Ten posts', description: 'Ten posts.', price: 100, currency: 'TRY', delivery_days: 3 }
  const gigs: string[] = []
  for (let count = 0; count < GIGS; count++) {
    const { body } = await insist('POST', '/api/v1/marketplace/gigs', {
      cookie: seller.cookie,
      body: { ...gig, status: 'published' },
    })
    gigs.push(body.id)
  }
  const events = await query<{ id: string }>(site, 'select id from event')
  /** Events that no longer count: they are from before the webhooks, or of an earlier load. */
  const known = new Set(events.map(({ id }) => id))
  return { receiver, known, admin, buyer, seller, token, accounts, gigs }
}

/** The writes that Meydan acknowledged, and the times of its responses. */
const createRecord = (tag: string) => ({
  /** Begins the text of every post of this load. */
  tag,
  /** Texts of all posts that were sent, with the id of those that were acknowledged. */
  posts: new Map<string, string | undefined>(),
  /** Orders whose payment was acknowledged. */
  paid: new Set<string>(),
  /** Orders whose completion was acknowledged. */
  completed: new Set<string>(),
  /** Times (of `performance.now`) of writes with 2xx. */
  written: [] as number[],
  /** Responses by status. 0: no response. */
  statuses: new Map<number, number>(),
  givenUp: 0,
  errors: [] as string[],
})
export type LoadRecord = ReturnType<typeof createRecord>

export function startLoad(site: Site, setup: Setup, tag: string) {
  const record = createRecord(tag)
  const client = createClient(site.base, (status, isWrite) => {
    record.statuses.set(status, (record.statuses.get(status) ?? 0) + 1)
    if (isWrite && status >= 200 && status < 300) record.written.push(performance.now())
  })
  const running = new Set<Promise<void>>()
  const stopped = new AbortController()
  const end = performance.now() + MAX_SECONDS * 1000

  const begin = (work: Promise<unknown>) => {
    const settled = work
      .catch((error: unknown) => {
        if (error instanceof GivenUp) record.givenUp++
        else record.errors.push(String(error))
      })
      .then(() => {
        running.delete(settled)
      })
    running.add(settled)
  }
  const every = async (ms: number, work: (count: number) => Promise<unknown>) => {
    for (let count = 0; !stopped.signal.aborted && performance.now() < end; count++) {
      if (running.size < MAX_WAITING) begin(work(count))
      await sleep(ms, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  const loops = [
    every(1000 / POSTS_PER_SECOND, (count) => post(client, setup, record, `${tag} ${count}`, count)),
    every(1000 / READS_PER_SECOND, () => client.once('GET', '/api/v1/public/posts?limit=5', { token: setup.token })),
    every(ORDER_EVERY_MS, () => order(client, setup, record)),
  ]
  return {
    record,
    /** Sends nothing new, and waits for what is under way. */
    async stop() {
      stopped.abort()
      await Promise.all(loops)
      await Promise.all(running)
    },
  }
}

async function post(
  { insist }: Client,
  { token, accounts }: Setup,
  { posts }: LoadRecord,
  content: string,
  count: number,
) {
  posts.set(content, undefined)
  const account_ids = [accounts[count % accounts.length]]
  const { body } = await insist('POST', '/api/v1/public/posts', {
    token,
    body: { content, account_ids, publish_now: true },
  })
  posts.set(content, body.id)
}

/** Orders, pays, delivers and completes. */
async function order(client: Client, setup: Setup, record: LoadRecord) {
  const gig_id = setup.gigs.shift()
  if (!gig_id) return
  try {
    await buy(client, setup, record, gig_id)
  } finally {
    setup.gigs.push(gig_id)
  }
}

async function buy({ insist }: Client, { admin, buyer, seller }: Setup, record: LoadRecord, gig_id: string) {
  const { body } = await insist('POST', '/api/v1/marketplace/orders', { cookie: buyer.cookie, body: { gig_id } })
  const requests = await insist('GET', '/api/v1/admin/payment-requests?status=pending&limit=100', { cookie: admin })
  const request = requests.body.data.find((candidate: { order_id: string }) => candidate.order_id === body.id)
  if (!request) throw new Error('An order has no payment request')
  await insist('POST', `/api/v1/admin/payment-requests/${request.id}/approve`, { cookie: admin, body: {} })
  record.paid.add(body.id)
  const path = `/api/v1/marketplace/orders/${body.id}`
  // PATCH has no Idempotency-Key. A repeated one is refused once its first try had succeeded.
  const change = async (action: string, status: string, call: { cookie: string; body?: object }) => {
    try {
      await insist('PATCH', `${path}/${action}`, call)
    } catch (error) {
      const found = await insist('GET', path, { cookie: buyer.cookie })
      if (error instanceof GivenUp || found.body.status !== status) throw error
    }
  }
  await change('accept', 'in_progress', { cookie: seller.cookie })
  const delivery = { posts: [{ url: 'https://example.com/posts' }], notes: 'All of them.' }
  await change('deliver', 'delivered', { cookie: seller.cookie, body: delivery })
  await change('complete', 'completed', { cookie: buyer.cookie })
  record.completed.add(body.id)
}
