/** Workspaces whose events reach a receiver. */
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type TestApp, testApp } from '../test/app.ts'
import { newComment } from '../test/comments.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withWorkspace } from '../test/factories.ts'
import { publishedGig } from '../test/gigs.ts'
import { type Received, webhookReceiver } from '../test/receiver.ts'
import { modelAt, providerServer } from '../test/stand-ins/ai.ts'
import { type BlueskyServer, blueskyServer } from '../test/stand-ins/bluesky.ts'
import { agentOf } from './modules/agents/runs/runs.fixture.ts'
import { buyByHand } from './modules/billing/billing.fixture.ts'
import { runBillingTimers } from './modules/billing/processes/run-timers.ts'
import { delivery, doOn, orderedAndPaid } from './modules/marketplace/orders/orders.fixture.ts'

export type Hooked = WorkspaceOwner & { webhook_id: string }

export const byOwner = ({ id, email }: Hooked) => ({ id, email, token_id: null })

export const write = async (owner: Hooked, body: object) =>
  expectStatus(await owner.post('/api/v1/posts', { content: 'Fresh simit', ...body }), 201).body

/** Subscribes the workspace to Pro, paid by hand. */
export async function buyPro(t: TestApp, owner: Hooked) {
  const boss = await signedIn(t, { instanceAdmin: true })
  const setBilling = async (value: boolean) =>
    expectStatus(await boss.put('/api/v1/options/billing.enabled', { value }), 200)
  await setBilling(true)
  // The plan that workspaces begin with lacks features that other tests use.
  onTestFinished(async () => {
    await setBilling(false)
  })
  await buyByHand(boss, owner)
}

/** Lets the period end without a payment. */
export async function makePastDue(t: TestApp, { workspace_id }: Hooked) {
  const ended = new Date(t.clock.now().getTime() - 1)
  await t.deps.db
    .updateTable('subscription')
    .set({ current_period_end: ended, timer_at: new Date(ended.getTime() - 8 * 86_400_000), due_at: ended })
    .where('workspace_id', '=', workspace_id)
    .execute()
  await runBillingTimers(t.deps)
}

const reason = { reason: 'Because.' }
const orderActions = {
  accept: { by: 'seller', body: undefined },
  deliver: { by: 'seller', body: delivery },
  revision: { by: 'buyer', body: reason },
  complete: { by: 'buyer', body: undefined },
  cancel: { by: 'seller', body: reason },
  dispute: { by: 'buyer', body: reason },
}

/** Registers an instance with a receiver and a stand-in for Bluesky for the tests of a file. */
export function receivedEvents() {
  let t: TestApp
  let bluesky: BlueskyServer
  let receiver: Awaited<ReturnType<typeof webhookReceiver>>
  let validators: Map<string, ValidateFunction>
  beforeAll(async () => {
    t = await testApp()
    bluesky = await blueskyServer()
    receiver = await webhookReceiver()
    t.dispatch()
    const ajv = formats.default(new Ajv({ strict: false, allErrors: true, code: { optimize: false } }))
    const { body } = expectStatus(await (await withWorkspace(t)).get('/api/v1/webhooks/event-types'), 200)
    validators = new Map(
      body.data.map(({ type, schema }: { type: string; schema: object }) => [type, ajv.compile(schema)]),
    )
  })
  afterAll(async () => {
    await t.close()
    bluesky.close()
    receiver.close()
  })

  /** Fails with the errors of `data` against the published schema of `type`. */
  function expectFits(type: string, data: unknown) {
    const validate = validators.get(type)
    expect(validate?.(data), JSON.stringify(validate?.errors)).toBe(true)
  }

  /** A workspace with a webhook to its own path of the receiver. */
  async function subscribe(events: string[] = ['*']): Promise<Hooked> {
    const owner = await withWorkspace(t)
    const url = `${receiver.url}/${owner.workspace_id}`
    const { body } = expectStatus(await owner.post('/api/v1/webhooks', { url, events }), 201)
    return { ...owner, webhook_id: body.id }
  }

  const receivedBy = ({ workspace_id }: Hooked) => receiver.received.filter(({ path }) => path.endsWith(workspace_id))

  async function waitForEvents(owner: Hooked, wanted: (message: Received) => boolean): Promise<Received> {
    await receiver.until(() => receivedBy(owner).some(wanted))
    const message = receivedBy(owner).find(wanted)
    if (!message) throw new Error('unreachable')
    return message
  }

  async function blueskyAccount(owner: Hooked) {
    const fields = bluesky.addAccount()
    const input = { network: 'bluesky', service: bluesky.url, name: 'Bakery', ...fields }
    return expectStatus(await owner.post('/api/v1/accounts', input), 201).body
  }

  /** Makes Bluesky refuse the next post. Due posts are published first. */
  async function refuseNext() {
    await t.runJobs()
    bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRequest' })
  }

  /** Runs an agent of the workspace, whose model responds with this text. */
  async function runAgent(owner: Hooked, reply: string, more: object = {}) {
    const boss = await signedIn(t, { instanceAdmin: true })
    const provider = await providerServer('openai')
    provider.script.parts = [reply]
    const { id: text_model_id } = await modelAt(boss, 'openai', 'chat', provider)
    const id = await agentOf(t, owner, { text_model_id, posts_per_run: 1, ...more })
    const { body } = expectStatus(await owner.post(`/api/v1/agents/${id}/run`), 201)
    await t.runJobs()
    provider.close()
    return { agent: { id, name: 'Baker' }, run: { id: body.id, agent_id: id, trigger: 'manual', wanted: 1 } }
  }

  /** Orders a gig in the workspace, pays, and makes these actions of a side. */
  async function orderOf(buyer: Hooked, actions: (keyof typeof orderActions)[], status: string) {
    const seller = await withWorkspace(t)
    const boss = await signedIn(t, { instanceAdmin: true })
    const gig = await publishedGig(seller, { title: 'Ten posts', price: 100 })
    const { id } = await orderedAndPaid(boss, buyer, gig)
    for (const action of actions) {
      const { by, body } = orderActions[action]
      await doOn(by === 'buyer' ? buyer : seller, id, action, body)
    }
    const { workspace_id } = buyer
    return {
      order: {
        id,
        title: 'Ten posts',
        price: 100,
        seller_payout: 90,
        earned: status === 'canceled' ? 0 : 90,
        status,
        buyer: { workspace_id },
      },
    }
  }

  return {
    /** Exists once the tests run. */
    get instance() {
      return { t, bluesky, eventTypes: [...validators.keys()] }
    },
    expectFits,
    subscribe,
    receivedBy,
    waitForEvents,
    blueskyAccount,
    refuseNext,
    runAgent,
    orderOf,
  }
}

export const newClientLink = async (owner: Hooked) => {
  const link = { name: 'Bakery', starts_on: '2026-03-01', ends_on: '2026-03-31' }
  return expectStatus(await owner.post('/api/v1/client-links', link), 201).body
}

/** A comment of a post. */
export async function commentedPost(owner: Hooked) {
  const { id: post_id } = await write(owner, {})
  return { post_id, ...(await newComment(owner, post_id)) }
}
