import { randomBytes } from 'node:crypto'
import { type Scope, scopes } from '../../server/lib/http/scopes.ts'
import { setUpCode } from '../../server/modules/auth/instance-admin.ts'
import { signGrant } from '../../server/modules/media/serving.ts'
import { type TestApp, testApp } from '../app.ts'
import type { Client } from '../client.ts'
import {
  expectStatus,
  memberOf,
  newAddress,
  PASSWORD,
  type Person,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../factories.ts'
import { picture, uploaded } from '../media.ts'
import {
  challenged,
  invite,
  mailedCode,
  mailedToken,
  requestEmailChange,
  requestReset,
  signUp,
  totp,
  withTwoFactor,
} from '../people.ts'
import { failPost } from '../posts.ts'
import { webhookReceiver } from '../receiver.ts'
import { isPublic, nameOf, type Route, shortNameOf } from '../routes.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { publishedBy } from './document.ts'

/**
 * The parts of a call that make a route succeed. `id`: for `:id`, `:token` or `:key`; `within`: for the second
 * parameter. `t`: a separate app.
 */
export type Sample = { id?: string; within?: string; body?: object; who?: Client; t?: TestApp }
type Make = (fixture: Fixture) => Promise<Sample> | Sample
export type Fixture = Awaited<ReturnType<typeof createFixture>>

const appName = () => `Meydan ${randomBytes(5).toString('hex')}`
const own = ({ t }: Fixture) => signedIn(t)

async function post({ owner }: Fixture, more: object = {}): Promise<{ id: string }> {
  const input = { content: 'Hello', labels: ['news'], ...more }
  return expectStatus(await owner.post('/api/v1/posts', input), 201).body
}
async function published(fixture: Fixture) {
  const { id } = await post(fixture, { account_ids: [await playgroundAccount(fixture.owner)], publish_now: true })
  await fixture.t.runJobs()
  return expectStatus(await fixture.owner.get(`/api/v1/posts/${id}`), 200).body
}
const invited = ({ t, owner }: Fixture, email = newAddress()) => invite(t, owner, email)
async function deletedWorkspace({ t }: Fixture) {
  const person = await withWorkspace(t)
  const { name } = (await person.get('/api/v1/workspace')).body
  expectStatus(await person.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
  return person
}
async function changingEmail(fixture: Fixture) {
  const [who, email] = [await own(fixture), newAddress()]
  await requestEmailChange(who, email)
  return { who, email }
}
const signedUp = async ({ t }: Fixture) => {
  const email = newAddress()
  await signUp(t, email)
  return email
}
const twoFactor = async (fixture: Fixture) => withTwoFactor(fixture.t, await own(fixture))
const newWebhook = ({ receiver }: { receiver: { url: string } }) => ({
  url: receiver.url,
  events: ['*'],
  headers: { Authorization: 'Bearer of-the-receiver' },
})
const newTemplate = () => ({
  key: `own-${randomBytes(5).toString('hex')}`,
  locale: 'default',
  subject: 'Hi {{user_name}}',
  body_html: '<p>{{user_name}}</p>',
})
const storedTemplate = async (admin: Person) => ({
  id: expectStatus(await admin.post('/api/v1/email-templates', newTemplate()), 201).body.id as string,
})
const changed = (email: string) => ({ email, password: PASSWORD })

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
      bytes: Buffer.from('\x89PNG'),
      expires_at: new Date(now.getTime() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, file: file.id }
}
/** Ends the running videos, so that another can start. */
async function endVideos({ t, owner }: Fixture) {
  await t.deps.db
    .updateTable('ai_generation')
    .set({ state: 'canceled', ended_at: t.clock.now() })
    .where('workspace_id', '=', owner.workspace_id)
    .where('kind', '=', 'video')
    .where('created_at', '<', new Date(Date.now() - 2000))
    .execute()
}

const newPlan = () => ({
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
const resourceSamples: Record<string, Make> = {
  posts: (fixture) => post(fixture),
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
  accounts: async ({ owner }) => ({ id: await playgroundAccount(owner) }),
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

/** Samples for routes that take a body or need more preparation. */
const samples: Record<string, Make> = {
  'POST /posts': async ({ owner }) => ({
    body: { content: 'Hello', account_ids: [await playgroundAccount(owner)], labels: ['news'] },
  }),
  'PATCH /posts/:id': async (fixture) => ({ ...(await post(fixture)), body: { content: 'Changed' } }),
  'POST /posts/:id/publish': async (fixture) =>
    post(fixture, { account_ids: [await playgroundAccount(fixture.owner)] }),
  'POST /posts/:id/restore': async (fixture) => {
    const { id } = await post(fixture)
    expectStatus(await fixture.owner.delete(`/api/v1/posts/${id}`), 204)
    return { id }
  },
  'POST /posts/:id/retry': async (fixture) => {
    const { id } = await post(fixture, { account_ids: [await playgroundAccount(fixture.owner)] })
    await failPost(fixture.t, id)
    return { id }
  },
  'GET /accounts/:id/avatar': async ({ t, owner }) => {
    const id = await playgroundAccount(owner)
    const avatar = await picture()
    await t.deps.db.updateTable('account').set({ avatar }).where('id', '=', id).execute()
    return { id }
  },
  'POST /posts/validate': async ({ owner }) => ({
    body: { content: 'Hello', account_ids: [await playgroundAccount(owner)] },
  }),
  'POST /posts/:id/unpublish': async (fixture) => ({ id: (await published(fixture)).id }),
  'PATCH /posts/:id/targets/:target_id': async (fixture) => {
    const { id, targets } = await published(fixture)
    return { id, within: targets[0].id, body: { content: 'Edited' } }
  },
  'POST /posts/:id/targets/:target_id/resolve': async (fixture) => {
    const { id, targets } = await published(fixture)
    const lost = { status: 'unconfirmed', needs_resolution: true, steps: '[]' } as const
    await fixture.t.deps.db.updateTable('post_target').set(lost).where('id', '=', targets[0].id).execute()
    await fixture.t.deps.db.updateTable('post').set({ status: 'publishing' }).where('id', '=', id).execute()
    return { id, within: targets[0].id, body: { published: false } }
  },
  'PATCH /media/:id': async ({ owner }) => ({ id: (await uploaded(owner)).id, body: { alt: 'Changed' } }),
  // From this instance: its files are on the network as well.
  'POST /media/import': async (fixture) => ({
    body: { url: `${fixture.t.url}/api/v1/media/signed/${(await resourceSamples.signed?.(fixture))?.id}` },
  }),
  'POST /media/:id/restore': async ({ owner }) => {
    const { id } = await uploaded(owner)
    expectStatus(await owner.delete(`/api/v1/media/${id}`), 204)
    return { id }
  },
  'POST /admin/plans': () => ({ body: newPlan() }),
  'PATCH /admin/plans/:code': async (fixture) => ({
    ...(await resourceSamples.plans?.(fixture)),
    body: { name: 'Changed' },
  }),
  'POST /admin/plans/order': async ({ another }) => {
    const t = await another()
    return { t, who: await signedIn(t, { instanceAdmin: true }), body: { codes: ['team', 'pro', 'free'] } }
  },
  'POST /ai-models': () => ({
    body: { provider: 'custom', model_key: 'one', name: 'One', api_params: { base_url: 'https://models.example.com' } },
  }),
  'PUT /ai-models/:id': async (fixture) => ({
    ...(await resourceSamples['ai-models']?.(fixture)),
    body: { name: 'Changed' },
  }),
  'PUT /ai-models/:id/api-key': async (fixture) => ({
    ...(await resourceSamples['ai-models']?.(fixture)),
    body: { api_key: randomBytes(15).toString('hex') },
  }),
  'POST /ai/generate/text': () => ({ body: { prompt: 'Say hello' } }),
  'POST /ai/generate/image': () => ({ body: { prompt: 'A cat' } }),
  'POST /ai/generate/video': async (fixture) => {
    await endVideos(fixture)
    return { body: { prompt: 'A cat that dances' } }
  },
  'POST /accounts': () => ({ body: { network: 'playground' } }),
  'PATCH /accounts/:id': async (fixture) => ({
    ...(await resourceSamples.accounts?.(fixture)),
    body: { name: 'Bakery' },
  }),
  'POST /webhooks': (fixture) => ({ body: newWebhook(fixture) }),
  'PATCH /webhooks/:id': async (fixture) => ({
    ...(await resourceSamples.webhooks?.(fixture)),
    body: { description: 'Changed', headers: { 'X-Changed': 'yes' } },
  }),
  'POST /webhooks/:id/rotate-secret': async (fixture) => ({
    ...(await resourceSamples.webhooks?.(fixture)),
    body: { overlap_seconds: 60 },
  }),
  'POST /webhooks/:id/recover': async (fixture) => ({
    ...(await resourceSamples.webhooks?.(fixture)),
    body: { since: new Date(Date.now() - 3_600_000).toISOString() },
  }),
  'POST /api-tokens': () => ({ body: { name: 'For a script', scopes: ['posts:read'] } }),
  'POST /api-tokens/:id/rotate': async (fixture) => ({
    ...(await resourceSamples['api-tokens']?.(fixture)),
    body: { overlap_seconds: 60 },
  }),
  'PATCH /workspace': () => ({ body: { billing_address: { city: randomBytes(5).toString('hex') } } }),
  'DELETE /workspace': async ({ t }) => {
    const who = await withWorkspace(t)
    return { who, body: { name: (await who.get('/api/v1/workspace')).body.name } }
  },
  'POST /workspaces': async (fixture) => ({
    who: await own(fixture),
    body: { name: `Workspace ${randomBytes(5).toString('hex')}` },
  }),
  'GET /workspaces/deleted': async (fixture) => ({ who: await deletedWorkspace(fixture) }),
  'PATCH /workspace/members/:id': async (fixture) => ({
    ...(await resourceSamples.members?.(fixture)),
    body: { role: 'author' },
  }),
  'POST /workspace/invitations': () => ({ body: { email: newAddress(), role: 'viewer' } }),
  'GET /invitations/:token': async (fixture) => ({ id: (await invited(fixture)).token }),
  'POST /invitations/:token/accept': async (fixture) => {
    const who = await own(fixture)
    return { who, id: (await invited(fixture, who.email)).token }
  },
  'PATCH /me': async (fixture) => ({ who: await own(fixture), body: { name: 'Grace' } }),
  'DELETE /me': async (fixture) => ({ who: await own(fixture), body: { password: PASSWORD } }),
  'POST /me/password': async (fixture) => ({
    who: await own(fixture),
    body: { current_password: PASSWORD, new_password: 'another horse battery' },
  }),
  'POST /me/email': async (fixture) => ({ who: await own(fixture), body: changed(newAddress()) }),
  'GET /me/email': changingEmail,
  'DELETE /me/email': changingEmail,
  'POST /me/email/confirm': async (fixture) => {
    const { who, email } = await changingEmail(fixture)
    return {
      who,
      body: { old_code: await mailedCode(fixture.t, who.email), new_code: await mailedCode(fixture.t, email) },
    }
  },
  'DELETE /me/sessions': async (fixture) => ({ who: await own(fixture) }),
  'POST /me/two-factor': async (fixture) => ({ who: await own(fixture), body: { password: PASSWORD } }),
  'POST /me/two-factor/confirm': async (fixture) => {
    const who = await own(fixture)
    const { body } = expectStatus(await who.post('/api/v1/me/two-factor', { password: PASSWORD }), 200)
    return { who, body: { code: totp(body.totp_uri) } }
  },
  'DELETE /me/two-factor': async (fixture) => ({
    who: (await twoFactor(fixture)).person,
    body: { password: PASSWORD },
  }),
  'POST /me/two-factor/backup-codes': async (fixture) => ({
    who: (await twoFactor(fixture)).person,
    body: { password: PASSWORD },
  }),
  'POST /admin/users/:id/ban': async (fixture) => ({ id: (await own(fixture)).id, body: { reason: 'Spam' } }),
  'PUT /options/:key': () => ({ id: 'app.name', body: { value: appName() } }),
  // Limited to five times a minute for each admin.
  'POST /options/test/mail': async ({ t }) => ({
    who: await signedIn(t, { instanceAdmin: true }),
    body: { to: newAddress() },
  }),
  'POST /admin/outbox/:id/retry': async (fixture) => {
    const t = await fixture.another()
    const who = await signedIn(t, { instanceAdmin: true })
    await requestReset(t, who.email)
    // Written before there was a mail server.
    const { data } = expectStatus(await who.get('/api/v1/admin/outbox'), 200).body
    expectStatus(await who.put('/api/v1/options/mail.smtp_url', { value: 'smtp://127.0.0.1:9' }), 200)
    return { t, who, id: data[0].id }
  },
  'POST /email-templates': () => ({ body: newTemplate() }),
  'POST /email-templates/preview': () => ({ body: newTemplate() }),
  'PUT /email-templates/:id': async ({ admin }) => ({ ...(await storedTemplate(admin)), body: { subject: 'Changed' } }),
  // An admin for each: test mails are limited per minute.
  'POST /email-templates/:id/send-test': async ({ t }) => {
    const who = await signedIn(t, { instanceAdmin: true })
    return { who, ...(await storedTemplate(who)) }
  },
  'POST /setup': async (fixture) => {
    const t = await fixture.another()
    const person = { email: newAddress(), password: PASSWORD, name: 'Ada', workspace_name: 'First' }
    return { t, who: t.anyone, body: { code: setUpCode(t.deps.keyring), ...person } }
  },
  'POST /api/auth/sign-up/email': () => ({ body: { email: newAddress(), password: PASSWORD, name: 'Ada' } }),
  'POST /api/auth/email-otp/send-verification-otp': async (fixture) => ({
    body: { email: await signedUp(fixture), type: 'email-verification' },
  }),
  'POST /api/auth/email-otp/verify-email': async (fixture) => {
    const email = await signedUp(fixture)
    return { body: { email, otp: await mailedCode(fixture.t, email) } }
  },
  'POST /api/auth/sign-in/email': async (fixture) => ({ body: changed((await own(fixture)).email) }),
  'POST /api/auth/two-factor/verify-totp': async (fixture) => {
    const { person, uri } = await twoFactor(fixture)
    return { who: await challenged(fixture.t, person.email), body: { code: totp(uri) } }
  },
  'POST /api/auth/two-factor/verify-backup-code': async (fixture) => {
    const { person, backupCodes } = await twoFactor(fixture)
    return { who: await challenged(fixture.t, person.email), body: { code: backupCodes[0] } }
  },
  'POST /api/auth/sign-out': async (fixture) => ({ who: await own(fixture) }),
  'POST /api/auth/request-password-reset': async (fixture) => ({ body: { email: (await own(fixture)).email } }),
  'POST /api/auth/reset-password': async (fixture) => {
    const { email } = await own(fixture)
    await requestReset(fixture.t, email)
    return { body: { token: await mailedToken(fixture.t, email), newPassword: 'another horse battery' } }
  },
}

/** A workspace with something of everything, its callers, and a user of another workspace. */
export async function createFixture() {
  const t = await testApp()
  const others: TestApp[] = []
  const scopeNames = Object.keys(scopes) as Scope[]
  const receiver = await webhookReceiver()
  const providers = { openai: await providerServer('openai'), xai: await providerServer('xai') }
  const owner: WorkspaceOwner = await withWorkspace(t)
  const stranger = await withWorkspace(t)
  const admin: Person = await signedIn(t, { instanceAdmin: true })
  await modelAt(admin, 'openai', 'chat', providers.openai)
  await modelAt(admin, 'openai', 'image', providers.openai)
  await modelAt(admin, 'xai', 'video', providers.xai)
  return {
    t,
    receiver,
    providers,
    owner,
    admin,
    ownerToken: await withToken(t, owner, scopeNames),
    stranger,
    strangerToken: await withToken(t, stranger, scopeNames),
    published: await publishedBy(t),
    another: async () => {
      const another = await testApp()
      others.push(another)
      return another
    },
    close: async () => {
      receiver.close()
      for (const provider of Object.values(providers)) provider.close()
      await Promise.all([t, ...others].map((app) => app.close()))
    },
  }
}

/** Ensures that no list of the fixture is empty. */
export async function fill(fixture: Fixture) {
  const { owner } = fixture
  await Promise.all(Object.values(resourceSamples).map((make) => make(fixture)))
  const { id } = await post(fixture)
  expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
  expectStatus(await owner.delete(`/api/v1/media/${(await uploaded(owner)).id}`), 204)
}

const resourceOf = ({ path }: Route) => /([\w-]+)\/:/.exec(path)?.[1] ?? ''

/** Creates everything that a route needs to succeed. */
export async function sampleFor(fixture: Fixture, route: Route): Promise<Sample & { who: Client; t: TestApp }> {
  const short = shortNameOf(route)
  const make = samples[short] ?? (route.path.includes(':') ? resourceSamples[resourceOf(route)] : undefined)
  if (!make && (route.path.includes(':') || fixture.published.bodyOf(route)))
    throw new Error(`Tell test/sweeps/samples.ts how to make what ${nameOf(route)} is called with`)
  const who = isPublic(route)
    ? fixture.ownerToken
    : route.access.level === 'instance_admin'
      ? fixture.admin
      : route.access.level === 'anyone'
        ? fixture.t.anyone
        : fixture.owner
  return { who, t: fixture.t, ...(await make?.(fixture)) }
}

/** The routes in /openapi.json: all that return data. Those that receive files have tests of their own. */
export const documented = (routes: Route[]) =>
  routes.filter(({ method, path, upload }) => path.startsWith('/api/') && method !== 'OPTIONS' && !upload)

/** Calls a route with its sample, as `who` or the sample's own caller. */
export const callWith = (
  { method, path }: Route,
  { id = '', within = '', body, who }: Sample & { who: Client },
  headers: Record<string, string> = {},
) => who.call(method, path.replace(/:\w+/, id).replace(/:\w+/, within), { ...(body && { body }), headers })

/** Processes `items` a few at a time, which leaves the machine time for other work. */
export async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += 12)
    results.push(...(await Promise.all(items.slice(from, from + 12).map(work))))
  return results
}
