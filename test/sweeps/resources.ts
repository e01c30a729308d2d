import { randomBytes, randomUUID } from 'node:crypto'
import { signGrant } from '../../server/modules/media/serving.ts'
import type { TestApp } from '../app.ts'
import type { Client } from '../client.ts'
import { newComment } from '../comments.ts'
import {
  expectStatus,
  memberOf,
  newAddress,
  PASSWORD,
  type Person,
  playgroundAccount,
  signedIn,
  withToken,
  withWorkspace,
} from '../factories.ts'
import { paidInvoice } from '../invoices.ts'
import { uploaded } from '../media.ts'
import { notifiedOwner } from '../notifications.ts'
import { invite, requestEmailChange, signUp, withTwoFactor } from '../people.ts'
import { pushSubscription } from '../push.ts'
import { recurringPost } from '../recurring-posts.ts'
import type { Route } from '../routes.ts'
import { modelAt } from '../stand-ins/ai.ts'
import { agentResources } from './agent-samples.ts'
import { billingResources } from './billing-samples.ts'
import { calendarResources } from './calendar-samples.ts'
import type { Fixture } from './fixture.ts'
import { gigResources } from './gig-samples.ts'
import { importResources } from './import-samples.ts'
import { networkResources } from './network-samples.ts'
import { orderActionResources } from './order-action-samples.ts'
import { orderResources } from './order-samples.ts'
import { payoutResources } from './payout-samples.ts'
import { recipeResources } from './recipe-samples.ts'
import { snippetResources } from './snippet-samples.ts'

/**
 * The parts of a call that make a route succeed. `id`: for `:id`, `:token` or `:key`; `within`: for the second
 * parameter. `t`: a separate app.
 */
export type Sample = { id?: string; within?: string; body?: object; query?: string; who?: Client; t?: TestApp }
/** `route`: the one that is called; undefined to only fill a list. */
export type Make = (fixture: Fixture, route?: Route) => Promise<Sample> | Sample

export const appName = () => `Meydan ${randomBytes(5).toString('hex')}`
export const own = ({ t }: Fixture) => signedIn(t)

export async function post({ owner }: Fixture, more: object = {}): Promise<{ id: string }> {
  const input = { content: 'Hello', labels: ['news'], ...more }
  return expectStatus(await owner.post('/api/v1/posts', input), 201).body
}
export async function published(fixture: Fixture) {
  const { id } = await post(fixture, { account_ids: [await playgroundAccount(fixture.owner)], publish_now: true })
  await fixture.t.runJobs()
  return expectStatus(await fixture.owner.get(`/api/v1/posts/${id}`), 200).body
}
/** A post with a comment. */
export async function commentedPost(fixture: Fixture) {
  const { id } = await post(fixture)
  return { id, within: (await newComment(fixture.owner, id)).id }
}
/** A post with a version. */
export async function versionedPost(fixture: Fixture) {
  const { id } = await post(fixture)
  const path = `/api/v1/posts/${id}`
  expectStatus(await fixture.owner.patch(path, { content: 'Changed', first_comment: 'Link' }), 200)
  const { data } = expectStatus(await fixture.owner.get(`${path}/versions`), 200).body
  return { id, within: data.at(-1).id as string }
}
export const invited = ({ t, owner }: Fixture, email = newAddress()) => invite(t, owner, email)
export async function deletedWorkspace({ t }: Fixture) {
  const person = await withWorkspace(t)
  const { name } = (await person.get('/api/v1/workspace')).body
  expectStatus(await person.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
  return person
}
export async function changingEmail(fixture: Fixture) {
  const [who, email] = [await own(fixture), newAddress()]
  await requestEmailChange(who, email)
  return { who, email }
}
export const signedUp = async ({ t }: Fixture) => {
  const email = newAddress()
  await signUp(t, email)
  return email
}
export const twoFactor = async (fixture: Fixture) => withTwoFactor(fixture.t, await own(fixture))
export const newWebhook = ({ receiver }: { receiver: { url: string } }) => ({
  url: receiver.url,
  // Each event of the sweeps would be delivered to each of these webhooks.
  events: ['post.created'],
  headers: { Authorization: 'Bearer of-the-receiver' },
})
export const newTemplate = () => ({
  key: `own-${randomBytes(5).toString('hex')}`,
  locale: 'default',
  subject: 'Hi {{user_name}}',
  body_html: '<p>{{user_name}}</p>',
})
export const storedTemplate = async (admin: Person) => ({
  id: expectStatus(await admin.post('/api/v1/email-templates', newTemplate()), 201).body.id as string,
})
export const changed = (email: string) => ({ email, password: PASSWORD })

/** A canceled generation with a file. Inserted directly, because a workspace may have only some under way. */
async function generated({ t, owner }: Fixture) {
  const { db, clock } = t.deps
  const [now, workspace_id] = [clock.now(), owner.workspace_id]
  const { id } = await db
    .insertInto('ai_generation')
    .values({
      workspace_id,
      user_id: owner.id,
      kind: 'image',
      state: 'canceled',
      prompt: 'A cat',
      credits: 5,
      counted_in: now,
      leased_until: now,
      ended_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const file = await db
    .insertInto('ai_file')
    .values({
      workspace_id,
      generation_id: id,
      mime: 'image/png',
      bytes: randomBytes(20),
      expires_at: new Date(now.getTime() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, file: file.id }
}
/** Ends the running videos, so that another can start. */
export async function endVideos({ t, owner }: Fixture) {
  await t.deps.db
    .updateTable('ai_generation')
    .set({ state: 'canceled', ended_at: t.clock.now() })
    .where('workspace_id', '=', owner.workspace_id)
    .where('kind', '=', 'video')
    .where('created_at', '<', new Date(Date.now() - 2000))
    .execute()
}

export const newPlan = () => ({
  code: `plan-${randomBytes(5).toString('hex')}`,
  name: 'Starter',
  prices: { try: { monthly: 299.9, yearly: 2999 }, usd: null },
  limits: {
    social_accounts: 3,
    posts_per_month: 100,
    ai_credits: 50,
    team_members: 2,
    storage_mb: 500,
    scheduled_posts_max: 30,
  },
})

/** Creates a record for each `:id`, by the path segment before it. It belongs to `owner` or to `who`. */
export const resourceSamples: Record<string, Make> = {
  ...agentResources,
  ...calendarResources,
  ...importResources,
  ...billingResources,
  ...networkResources,
  ...payoutResources,
  ...recipeResources,
  ...gigResources,
  ...orderResources,
  ...orderActionResources,
  // The comment fills its list.
  posts: async (fixture) => ({ id: (await commentedPost(fixture)).id }),
  'recurring-posts': async ({ t, owner }) => ({ id: (await recurringPost(t, owner)).id }),
  media: async ({ owner }) => ({ id: (await uploaded(owner)).id }),
  uploads: async ({ owner }) => {
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10' }
    const begun = expectStatus(await owner.call('POST', '/api/v1/media/uploads', { headers }), 201)
    return { id: begun.headers.get('location')?.split('/').at(-1) ?? '' }
  },
  signed: async ({ t, owner }) => {
    const { id } = await uploaded(owner)
    const expires = new Date(t.clock.now().getTime() + 60_000)
    return { id: signGrant(t.deps, { id, fit: null, expires }, 'png') }
  },
  'account-groups': async ({ owner }) => {
    const group = { name: randomUUID(), account_ids: [await playgroundAccount(owner)] }
    return { id: expectStatus(await owner.post('/api/v1/account-groups', group), 201).body.id }
  },
  accounts: async ({ owner }) => ({ id: await playgroundAccount(owner) }),
  'client-links': async ({ owner }) => {
    const link = { name: 'Bakery', starts_on: '2026-03-01', ends_on: '2026-03-31' }
    return { id: expectStatus(await owner.post('/api/v1/client-links', link), 201).body.id }
  },
  ...snippetResources,
  playground: async (fixture) => ({ id: (await published(fixture)).targets[0].external_id }),
  webhooks: async (fixture) => {
    const { id } = expectStatus(await fixture.owner.post('/api/v1/webhooks', newWebhook(fixture)), 201).body
    await post(fixture)
    const { data } = expectStatus(await fixture.owner.get(`/api/v1/webhooks/${id}/deliveries?limit=1`), 200).body
    return { id, within: data[0].id }
  },
  'api-tokens': async ({ t, owner }) => ({ id: (await withToken(t, owner, ['posts:read'])).id }),
  members: async ({ t, owner }) => ({ id: (await memberOf(t, owner.workspace_id, 'editor')).id }),
  invitations: async (fixture) => ({ id: (await invited(fixture)).id }),
  workspaces: async (fixture) => {
    const who = await deletedWorkspace(fixture)
    return { id: who.workspace_id, who }
  },
  sessions: async (fixture) => {
    const who = await own(fixture)
    expectStatus(await fixture.t.anyone.post('/api/auth/sign-in/email', changed(who.email)), 200)
    const { data } = expectStatus(await who.get('/api/v1/me/sessions'), 200).body
    return { who, id: data.find(({ current }: { current: boolean }) => !current).id }
  },
  'push-subscriptions': async (fixture) => {
    const who = await own(fixture)
    return { who, id: await pushSubscription(who) }
  },
  notifications: async ({ t, owner }) => ({ id: await notifiedOwner(t, owner.workspace_id) }),
  invoices: async ({ t, owner }) => ({ id: (await paidInvoice(t, { workspace_id: owner.workspace_id })).id }),
  plans: async ({ admin }) => ({
    id: expectStatus(await admin.post('/api/v1/admin/plans', newPlan()), 201).body.code,
  }),
  outbox: async (fixture) => {
    await invited(fixture)
    return { id: expectStatus(await fixture.admin.get('/api/v1/admin/outbox'), 200).body.data[0].id }
  },
  generations: async (fixture) => ({ id: (await generated(fixture)).id }),
  files: async (fixture) => ({ id: (await generated(fixture)).file }),
  users: async (fixture) => ({ id: (await own(fixture)).id }),
  'email-templates': ({ admin }) => storedTemplate(admin),
  'ai-models': async ({ admin }) => {
    const model = { provider: 'mistral', model_key: 'mistral-small-latest', name: 'Small', meta: { owner: 'ops' } }
    const { id } = expectStatus(await admin.post('/api/v1/ai-models', model), 201).body
    return { id: String(id) }
  },
  // An admin for each: tests are limited per minute.
  'ai-model': async ({ t, providers }) => {
    const who = await signedIn(t, { instanceAdmin: true })
    return { who, id: String((await modelAt(who, 'openai', 'chat', providers.openai)).id) }
  },
  options: async ({ admin }) => {
    expectStatus(await admin.put('/api/v1/options/app.name', { value: appName() }), 200)
    return { id: 'app.name' }
  },
}

/** Ensures that no list of the fixture is empty. */
export async function fill(fixture: Fixture) {
  const { owner } = fixture
  await pushSubscription(owner)
  await Promise.all(Object.values(resourceSamples).map((make) => make(fixture)))
  const { id } = await post(fixture)
  expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
  expectStatus(await owner.delete(`/api/v1/media/${(await uploaded(owner)).id}`), 204)
}
