import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../test/app.ts'
import { expectStatus, memberOf, playgroundAccount, signedIn, withWorkspace } from '../test/factories.ts'
import { checkedImport, confirmed } from '../test/imports.ts'
import { paidInvoice } from '../test/invoices.ts'
import { latePost } from '../test/outages.ts'
import { mailsTo } from '../test/people.ts'
import { writeForReview } from '../test/posts.ts'
import { missOccurrence, recurringPost } from '../test/recurring-posts.ts'
import type { BlueskyServer } from '../test/stand-ins/bluesky.ts'
import {
  buyPro,
  byOwner,
  commentedPost,
  type Hooked,
  makePastDue,
  newClientLink,
  receivedEvents,
  write,
} from './events.fixture.ts'
import { eventTypes } from './events.ts'
import { system } from './lib/db/audit.ts'
import { inTransaction } from './lib/db/database.ts'
import { draftText } from './modules/agents/runs/runs.fixture.ts'
import { runBillingTimers } from './modules/billing/processes/run-timers.ts'
import { startSubscription } from './modules/billing/subscriptions/change-subscription.ts'

const events = receivedEvents()
const { expectFits, subscribe, waitForEvents, blueskyAccount, refuseNext, runAgent, orderOf } = events
let t: TestApp
let bluesky: BlueskyServer
beforeAll(() => {
  ;({ t, bluesky } = events.instance)
})

const anyText = expect.stringMatching(/./)
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const nameOf = ({ id, email }: Hooked) => ({ id, name: 'Ada', email })

/**
 * Causes each event type and returns its expected data: all that a receiver needs to act without another request.
 */
const cases: Record<string, (owner: Hooked) => Promise<object>> = {
  'post.created': async (owner) => {
    const post = await write(owner, { account_ids: [await playgroundAccount(owner)], labels: ['spring'] })
    const target = { network: 'playground', handle: anyText, status: 'pending', account_id: anyText }
    return {
      post: { id: post.id, content: 'Fresh simit', labels: ['spring'], status: 'draft', targets: [target] },
      by: byOwner(owner),
    }
  },
  'post.updated': async (owner) => {
    const { id } = await write(owner, {})
    expectStatus(await owner.patch(`/api/v1/posts/${id}`, { content: 'Fresher simit' }), 200)
    return { post: { id, content: 'Fresher simit', status: 'draft' }, change: 'edited', by: byOwner(owner) }
  },
  'import.completed': async (owner) => {
    const file = `accounts,text\n${await playgroundAccount(owner)},Fresh simit\n`
    const { id } = await checkedImport(t, owner, file)
    await confirmed(t, owner, id, { only: 'ok', as: 'draft' })
    return { import_id: id, name: 'march.csv', posts: 1, refused: 0, by: byOwner(owner) }
  },
  'post.review.requested': async (owner) => {
    const { id } = await writeForReview(t, owner, 'Fresh simit')
    return { post: { id, status: 'draft', review: 'pending' }, by: byOwner(owner) }
  },
  'post.review.step_approved': async (owner) => {
    const policy = { mode: 'steps', own_posts: true, steps: Array(2).fill({ need: 'any', role: 'owner' }) }
    expectStatus(await owner.put('/api/v1/workspace/approval-policy', policy), 200)
    const body = { content: 'Fresh simit', account_ids: [await playgroundAccount(owner)], publish_now: true }
    const { id } = expectStatus(await owner.post('/api/v1/posts', body), 201).body
    expectStatus(await owner.post(`/api/v1/posts/${id}/approve`), 200)
    return { post: { id, status: 'draft', review: 'pending' }, by: byOwner(owner), client_link: null }
  },
  'post.comment.created': async (owner) => {
    const { post_id, id } = await commentedPost(owner)
    const comment = { id, post_id, body: 'Too long?', parent_id: null, audience: 'team', client: null }
    return { comment, by: byOwner(owner), client_link: null }
  },
  'post.comment.changed': async (owner) => {
    const { id, path } = await commentedPost(owner)
    expectStatus(await owner.patch(path, { body: 'Too short?' }), 200)
    return { comment: { id, body: 'Too short?', edited_at: anyTime, version: 2 }, by: byOwner(owner) }
  },
  'post.comment.deleted': async (owner) => {
    const { id, path } = await commentedPost(owner)
    expectStatus(await owner.delete(path), 204)
    return { comment: { id, body: 'Too long?', version: 1 }, by: byOwner(owner) }
  },
  'post.comment.resolved': async (owner) => {
    const { id, path } = await commentedPost(owner)
    expectStatus(await owner.post(`${path}/resolve`), 200)
    return { comment: { id, resolved_at: anyTime, resolved_by: { id: owner.id } }, by: byOwner(owner) }
  },
  'post.comment.reopened': async (owner) => {
    const { id, path } = await commentedPost(owner)
    for (const act of ['resolve', 'reopen']) expectStatus(await owner.post(`${path}/${act}`), 200)
    return { comment: { id, resolved_at: null, resolved_by: null, version: 3 }, by: byOwner(owner), client_link: null }
  },
  'client_link.created': async (owner) => {
    const { id } = await newClientLink(owner)
    return { client_link: { id, state: 'valid' }, by: byOwner(owner) }
  },
  'client_link.revoked': async (owner) => {
    const { id } = await newClientLink(owner)
    expectStatus(await owner.post(`/api/v1/client-links/${id}/revoke`), 200)
    return { client_link: { id, state: 'revoked' }, by: byOwner(owner) }
  },
  'post.review.approved': async (owner) => {
    const { id } = await writeForReview(t, owner, 'Fresh simit')
    expectStatus(await owner.post(`/api/v1/posts/${id}/approve`), 200)
    return { post: { id, status: 'draft', review: 'approved' }, by: byOwner(owner) }
  },
  'post.review.rejected': async (owner) => {
    const { id } = await writeForReview(t, owner, 'Fresh simit')
    expectStatus(await owner.post(`/api/v1/posts/${id}/reject`, { reason: 'Because.' }), 200)
    return { post: { id, review: 'rejected', review_reason: 'Because.' }, by: byOwner(owner) }
  },
  'post.held': async (owner) => {
    const { id } = await latePost(t, owner)
    return { post: { id, status: 'scheduled', held: 'late' } }
  },
  'recurring_post.occurrence_skipped': async (owner) => {
    const { id } = await recurringPost(t, owner, { rule: 'FREQ=MONTHLY' })
    return { recurring_post_id: id, occurs_at: await missOccurrence(t, id), reason: 'missed', detail: null }
  },
  'post.deleted': async (owner) => {
    const { id } = await write(owner, {})
    expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
    return {
      post: { id, content: 'Fresh simit', author_id: owner.id },
      deleted_at: t.clock.now().toISOString(),
      restorable_until: new Date(t.clock.now().getTime() + 24 * 3600_000).toISOString(),
      by: byOwner(owner),
    }
  },
  'post.published': async (owner) => {
    const account = await blueskyAccount(owner)
    const { id } = await write(owner, { account_ids: [account.id], publish_now: true })
    await t.runJobs()
    const target = {
      account_id: account.id,
      network: 'bluesky',
      handle: account.handle,
      status: 'published',
      url: expect.stringMatching(/^https:\/\/bsky\.app\/profile\/did:plc:[0-9a-z]+\/post\//),
      external_id: expect.stringMatching(/^at:/),
      error_code: null,
      published_at: anyTime,
    }
    return {
      post: { id, content: 'Fresh simit', status: 'published', published_at: anyTime, targets: [target] },
      author: nameOf(owner),
    }
  },
  'post.failed': async (owner) => {
    const account = await blueskyAccount(owner)
    await refuseNext()
    const { id } = await write(owner, { account_ids: [account.id], publish_now: true })
    await t.runJobs()
    const target = {
      account_id: account.id,
      network: 'bluesky',
      handle: account.handle,
      status: 'failed',
      url: null,
      error_code: 'rejected_by_network',
      error_message: anyText,
      attempts: 1,
    }
    return { post: { id, content: 'Fresh simit', status: 'failed', targets: [target] }, author: nameOf(owner) }
  },
  'account.disconnected': async (owner) => {
    const { id, handle, url } = await blueskyAccount(owner)
    bluesky.changePassword(handle)
    expectStatus(await owner.post(`/api/v1/accounts/${id}/check`), 200)
    return {
      account: { id, network: 'bluesky', name: 'Bakery', handle, url, status: 'disconnected', status_detail: anyText },
      reason: 'refused_by_network',
      by: null,
    }
  },
  'account.queue_paused': async (owner) => {
    const { id } = await blueskyAccount(owner)
    expectStatus(await owner.post(`/api/v1/accounts/${id}/queue/pause`), 200)
    return { account: { id, queue_paused: true }, posts: 0, by: byOwner(owner) }
  },
  'account.queue_resumed': async (owner) => {
    const { id } = await blueskyAccount(owner)
    for (const action of ['pause', 'resume'])
      expectStatus(await owner.post(`/api/v1/accounts/${id}/queue/${action}`), 200)
    return { account: { id, queue_paused: false }, posts: 0, by: byOwner(owner) }
  },
  'account.refresh_failed': async (owner) => {
    const { id, handle, url } = await blueskyAccount(owner)
    bluesky.expireSessions()
    bluesky.failSessions({ kind: 'response', status: 503 })
    expectStatus(await owner.post(`/api/v1/accounts/${id}/check`), 400)
    bluesky.failSessions()
    return {
      account: { id, network: 'bluesky', name: 'Bakery', handle, url, status: 'connected' },
      error_code: 'network_unavailable',
      error_message: anyText,
    }
  },
  'billing.invoice.paid': async ({ workspace_id }) => {
    const address = { city: 'İzmir', tax_id: '4540536920' }
    await t.deps.db
      .updateTable('workspace')
      .set({ billing_address: JSON.stringify(address) })
      .where('id', '=', workspace_id)
      .execute()
    const { id, number } = await paidInvoice(t, { workspace_id })
    const line = { description: 'Pro, aylık', plan_name: 'Pro', amount: 499, vat_amount: 83.17 }
    return {
      invoice: {
        ...{ id, number, kind: 'invoice', status: 'paid', currency: 'TRY', paid_at: anyTime },
        ...{ total: 499, vat_percent: 20, vat_amount: 83.17, net_amount: 415.83, lines: [line] },
        ...{ seller: { name: 'Meydan' }, buyer: { name: anyText, ...address } },
      },
    }
  },
  'billing.subscription.started': async (owner) => {
    await buyPro(t, owner)
    return { subscription: { workspace_id: owner.workspace_id, plan_code: 'pro', status: 'active', amount: 499 } }
  },
  'billing.subscription.changed': async (owner) => {
    await buyPro(t, owner)
    expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)
    return { subscription: { status: 'active', cancel_at_period_end: true, cancel_requested_at: anyTime } }
  },
  'billing.subscription.canceled': async (owner) => {
    await buyPro(t, owner)
    await makePastDue(t, owner)
    expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)
    return { subscription: { status: 'canceled', ended_at: anyTime } }
  },
  'billing.subscription.expired': async (owner) => {
    await buyPro(t, owner)
    const boss = await signedIn(t, { instanceAdmin: true })
    const { id } = expectStatus(await owner.get('/api/v1/billing/subscription'), 200).body
    expectStatus(await boss.post(`/api/v1/admin/subscriptions/${id}/expire`), 200)
    return { subscription: { status: 'expired', ended_at: anyTime } }
  },
  'billing.payment_failed': async (owner) => {
    await buyPro(t, owner)
    await makePastDue(t, owner)
    return {
      subscription: { status: 'past_due', past_due_deadline: anyTime, pay_url: expect.stringContaining('/checkouts/') },
      amount: 499,
      currency: 'TRY',
      reason: null,
    }
  },
  'billing.trial.ending': async ({ workspace_id }) => {
    const now = t.clock.now()
    const end = new Date(now.getTime() + 3 * 86_400_000 + 500)
    await inTransaction(t.deps.db, (tx) =>
      startSubscription(t.deps, tx, system(), 'start_trial', {
        ...{ workspace_id, plan_code: 'pro', provider: 'stripe', billing_currency: 'TRY', billing_period: 'monthly' },
        ...{ amount: '49900', anchor: now, trial_end: end, current_period_start: now, current_period_end: end },
      }),
    )
    t.advance(1000)
    await runBillingTimers(t.deps)
    return { subscription: { workspace_id, status: 'trialing', trial_end: end.toISOString() } }
  },
  'team.invitation.accepted': async (owner) => {
    const guest = await memberOf(t, (await withWorkspace(t)).workspace_id, 'viewer')
    const { email } = guest
    const { body } = expectStatus(await owner.post('/api/v1/workspace/invitations', { email, role: 'editor' }), 201)
    const token = /token=([\w-]{43})\s/.exec((await mailsTo(t, email)).at(-1)?.body_text ?? '')?.[1]
    expectStatus(await guest.post(`/api/v1/invitations/${token}/accept`), 200)
    return {
      invitation: { id: body.id, email, role: 'editor', state: 'accepted', invited_by: owner.id },
      inviter: nameOf(owner),
      member: { id: guest.id, name: 'Ada', email, role: 'editor', created_at: anyTime },
    }
  },
  'marketplace.order.created': (owner) => orderOf(owner, [], 'pending'),
  'marketplace.order.accepted': (owner) => orderOf(owner, ['accept'], 'in_progress'),
  'marketplace.order.delivered': (owner) => orderOf(owner, ['accept', 'deliver'], 'delivered'),
  'marketplace.order.revision_requested': (owner) => orderOf(owner, ['accept', 'deliver', 'revision'], 'in_progress'),
  'marketplace.order.completed': (owner) => orderOf(owner, ['accept', 'deliver', 'complete'], 'completed'),
  'marketplace.order.canceled': (owner) => orderOf(owner, ['cancel'], 'canceled'),
  'marketplace.order.disputed': (owner) => orderOf(owner, ['accept', 'dispute'], 'disputed'),
  'marketplace.order.dispute_resolved': async (owner) => {
    const { order } = await orderOf(owner, ['accept', 'dispute'], 'disputed')
    const boss = await signedIn(t, { instanceAdmin: true })
    const disputes = '/api/v1/admin/marketplace/disputes'
    const { data } = expectStatus(await boss.get(`${disputes}?status=open&limit=1`), 200).body
    expectStatus(await boss.post(`${disputes}/${data[0].id}/resolve`, { refund_amount: 1, note: 'A part.' }), 200)
    return { order: { ...order, status: 'completed', refund_amount: 1, earned: 89.1 }, reason: 'A part.' }
  },
  'agent.run.completed': async (owner) => {
    const run = await runAgent(owner, draftText())
    return { ...run, run: { ...run.run, status: 'completed', made: 1, post_ids: [anyText] } }
  },
  'agent.run.failed': async (owner) => {
    const run = await runAgent(owner, 'garbage')
    return { ...run, run: { ...run.run, status: 'failed', reason: 'checks_failed', credits: 3 } }
  },
  'agent.disabled': async (owner) => {
    const { agent } = await runAgent(owner, 'garbage', { failures: 4 })
    return { agent, reason: 'checks_failed' }
  },
  'agent.budget_warning': async (owner) => {
    const { agent } = await runAgent(owner, draftText(), { monthly_credits: 5, posts_per_run: 4 })
    return { agent, month: anyText, monthly_credits: 5, spent_credits: 4 }
  },
  'agent.budget_reached': async (owner) => {
    const { agent } = await runAgent(owner, draftText(), { monthly_credits: 1 })
    return { agent, month: anyText, monthly_credits: 1, spent_credits: 1 }
  },
  'webhook.test': async (owner) => {
    expectStatus(await owner.post(`/api/v1/webhooks/${owner.webhook_id}/test`), 200)
    return { webhook_id: owner.webhook_id, message: anyText }
  },
}
const types = Object.keys(eventTypes)

describe('the event catalogue', () => {
  test('every event type has a case in this test and is published with its schema and example', () => {
    expect(Object.keys(cases).sort()).toEqual(types.toSorted())
    expect(events.instance.eventTypes.sort()).toEqual(types.toSorted())
  })

  test('every event type is used', () => {
    const files = globSync('server/**/*.ts', { cwd: join(import.meta.dirname, '..') })
    const emitted = files
      .filter((file) => !/\.(test|fixture|events)\.ts$/.test(file))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b\w+Events\['([\w.]+)'\]/g)])
      .map(([, type]) => type)
    expect([...new Set(emitted)].sort()).toEqual(types.toSorted())
  })

  test.each(types)('the example of %s fits its schema', async (type) => {
    const { body } = await (await withWorkspace(t)).get('/api/v1/webhooks/event-types')
    const { example } = body.data.find((entry: { type: string }) => entry.type === type)
    expect(example).toEqual(eventTypes[type]?.example)
    expect(Object.keys(example)).toEqual(['id', 'type', 'timestamp', 'workspace_id', 'data'])
    expect(example).toMatchObject({ type, timestamp: anyTime })
    expectFits(type, example.data)
    // The example shows all fields of the type, because all fields of a schema are required.
    expect(Object.keys(example.data).sort()).toEqual(Object.keys(eventTypes[type]?.data.properties ?? {}).sort())
  })
})

describe('event payloads', () => {
  test.each(Object.entries(cases))('the payload of %s holds all that a receiver needs to act', async (type, cause) => {
    const owner = await subscribe()
    const expected = await cause(owner)
    const message = await waitForEvents(owner, (message) => message.type === type)
    const payload = JSON.parse(message.raw.toString())
    expect(Object.keys(payload)).toEqual(['id', 'type', 'timestamp', 'workspace_id', 'data'])
    expect(payload).toMatchObject({
      id: message.headers['webhook-id'],
      type,
      timestamp: t.clock.now().toISOString(),
      workspace_id: owner.workspace_id,
      data: expected,
    })
    expectFits(type, payload.data)
  })

  test.each([
    ['publish_requested', 'draft', (owner: Hooked, id: string) => owner.post(`/api/v1/posts/${id}/publish`)],
    ['retry_requested', 'failed', (owner: Hooked, id: string) => owner.post(`/api/v1/posts/${id}/retry`)],
    [
      'restored',
      'draft',
      async (owner: Hooked, id: string) => {
        expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
        return owner.post(`/api/v1/posts/${id}/restore`)
      },
    ],
  ] as const)('post.updated reports %s', async (change, before, act) => {
    const owner = await subscribe(['post.updated'])
    const account = await blueskyAccount(owner)
    if (before === 'failed') await refuseNext()
    const { id } = await write(owner, { account_ids: [account.id], publish_now: before === 'failed' })
    await t.runJobs()
    expectStatus(await act(owner, id), 200)
    const message = await waitForEvents(owner, () => true)
    const { data } = JSON.parse(message.raw.toString())
    expect(data).toMatchObject({ post: { id }, change, by: byOwner(owner) })
    expectFits('post.updated', data)
  })

  test('account.disconnected names the user who removed the account', async () => {
    const owner = await subscribe(['account.disconnected'])
    const id = await playgroundAccount(owner)
    expectStatus(await owner.delete(`/api/v1/accounts/${id}`), 204)
    const { data } = JSON.parse((await waitForEvents(owner, () => true)).raw.toString())
    expect(data).toMatchObject({ account: { id, status: 'disconnected' }, reason: 'removed', by: byOwner(owner) })
    expectFits('account.disconnected', data)
  })

  test('both events of a mixed outcome list all targets', async () => {
    const owner = await subscribe(['post.published', 'post.failed'])
    const accounts = [await playgroundAccount(owner), (await blueskyAccount(owner)).id]
    await refuseNext()
    await write(owner, { account_ids: accounts, publish_now: true })
    await t.runJobs()
    for (const type of ['post.published', 'post.failed']) {
      const message = await waitForEvents(owner, (message) => message.type === type)
      expect(JSON.parse(message.raw.toString()).data.post).toMatchObject({
        status: 'partially_published',
        targets: [{ status: 'published' }, { status: 'failed', error_code: 'rejected_by_network' }],
      })
    }
  })
})
