import { randomBytes } from 'node:crypto'
import { type Scope, scopes } from '../../server/lib/scopes.ts'
import { setUpCode } from '../../server/modules/auth/auth.ts'
import { type TestApp, testApp } from '../app.ts'
import type { Client } from '../client.ts'
import {
  expectStatus,
  memberOf,
  PASSWORD,
  type Person,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../factories.ts'
import { challenged, mailedCode, mailsTo, totp, withTwoFactor } from '../people.ts'
import { webhookReceiver } from '../receiver.ts'
import { isPublic, nameOf, type Route, shortNameOf } from '../routes.ts'
import { modelAt, vendorServer } from '../stand-ins/ai.ts'
import { publishedBy } from './document.ts'

/**
 * What a call of a route takes to succeed. `id`: what stands for `:id`, `:token` or `:key`; `within`: for the second one, inside
 * of it. `t`: an app of its own.
 */
export type Sample = { id?: string; within?: string; body?: object; who?: Client; t?: TestApp }
type Make = (world: World) => Promise<Sample> | Sample
export type World = Awaited<ReturnType<typeof makeWorld>>

const newAddress = () => `${randomBytes(5).toString('hex')}@example.com`
const appName = () => `Meydan ${randomBytes(5).toString('hex')}`
const tokenIn = (text: string | undefined) => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
const own = ({ t }: World) => signedIn(t)

async function post({ owner }: World, more: object = {}): Promise<{ id: string }> {
  const input = { content: 'Hello', labels: ['news'], ...more }
  return expectStatus(await owner.post('/api/v1/posts', input), 201).body
}
async function published(world: World) {
  const { id } = await post(world, { account_ids: [await playgroundAccount(world.owner)], publish_now: true })
  await world.t.runJobs()
  return expectStatus(await world.owner.get(`/api/v1/posts/${id}`), 200).body
}
async function invited({ t, owner }: World, email = newAddress()) {
  const { body } = expectStatus(await owner.post('/api/v1/workspace/invitations', { email, role: 'author' }), 201)
  return { id: body.id as string, token: tokenIn((await mailsTo(t, email)).at(-1)?.body_text) }
}
async function deletedWorkspace({ t }: World) {
  const person = await withWorkspace(t)
  const { name } = (await person.get('/api/v1/workspace')).body
  expectStatus(await person.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
  return person
}
async function changingEmail(world: World) {
  const [who, email] = [await own(world), newAddress()]
  expectStatus(await who.post('/api/v1/me/email', { email, password: PASSWORD }), 202)
  return { who, email }
}
const signUp = async ({ t }: World) => {
  const email = newAddress()
  expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada' }), 200)
  return email
}
const twoFactor = async (world: World) => withTwoFactor(world.t, await own(world))
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

/** A generation that was canceled, with a file. Written down as it is: only some of a workspace may be under way. */
async function generated({ t, owner }: World) {
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
/** So that there is room for another. */
async function endVideos({ t, owner }: World) {
  await t.deps.db
    .updateTable('ai_generation')
    .set({ state: 'canceled', ended_at: t.clock.now() })
    .where('workspace_id', '=', owner.workspace_id)
    .where('kind', '=', 'video')
    .where('created_at', '<', new Date(Date.now() - 2000))
    .execute()
}

/** Makes something new for each `:id`, by the part of the path before it. It belongs to `owner` or to `who`. */
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

const things: Record<string, Make> = {
  posts: (world) => post(world),
  accounts: async ({ owner }) => ({ id: await playgroundAccount(owner) }),
  playground: async (world) => ({ id: (await published(world)).targets[0].external_id }),
  webhooks: async (world) => {
    const { id } = expectStatus(await world.owner.post('/api/v1/webhooks', newWebhook(world)), 201).body
    await post(world)
    const { data } = expectStatus(await world.owner.get(`/api/v1/webhooks/${id}/deliveries?limit=1`), 200).body
    return { id, within: data[0].id }
  },
  'api-tokens': async ({ t, owner }) => ({ id: (await withToken(t, owner, ['posts:read'])).id }),
  members: async ({ t, owner }) => ({ id: (await memberOf(t, owner.workspace_id, 'editor')).id }),
  invitations: async (world) => ({ id: (await invited(world)).id }),
  workspaces: async (world) => {
    const who = await deletedWorkspace(world)
    return { id: who.workspace_id, who }
  },
  sessions: async (world) => {
    const who = await own(world)
    expectStatus(await world.t.anyone.post('/api/auth/sign-in/email', changed(who.email)), 200)
    const { data } = expectStatus(await who.get('/api/v1/me/sessions'), 200).body
    return { who, id: data.find(({ current }: { current: boolean }) => !current).id }
  },
  plans: async ({ admin }) => ({
    id: expectStatus(await admin.post('/api/v1/admin/plans', newPlan()), 201).body.code,
  }),
  outbox: async (world) => {
    await invited(world)
    return { id: expectStatus(await world.admin.get('/api/v1/admin/outbox'), 200).body.data[0].id }
  },
  generations: async (world) => ({ id: (await generated(world)).id }),
  files: async (world) => ({ id: (await generated(world)).file }),
  users: async (world) => ({ id: (await own(world)).id }),
  'email-templates': ({ admin }) => storedTemplate(admin),
  'ai-models': async ({ admin }) => {
    const model = { provider: 'mistral', model_key: 'mistral-small-latest', name: 'Small', meta: { owner: 'ops' } }
    const { id } = expectStatus(await admin.post('/api/v1/ai-models', model), 201).body
    return { id: String(id) }
  },
  // A test of its own for each admin: nobody may make many a minute.
  'ai-model': async ({ t, vendors }) => {
    const who = await signedIn(t, { instanceAdmin: true })
    return { who, id: String((await modelAt(who, 'openai', 'chat', vendors.openai)).id) }
  },
  options: async ({ admin }) => {
    expectStatus(await admin.put('/api/v1/options/app.name', { value: appName() }), 200)
    return { id: 'app.name' }
  },
}

/** The same for routes that take a body, or need more to be so. */
const samples: Record<string, Make> = {
  'POST /posts': async ({ owner }) => ({
    body: { content: 'Hello', account_ids: [await playgroundAccount(owner)], labels: ['news'] },
  }),
  'PATCH /posts/:id': async (world) => ({ ...(await post(world)), body: { content: 'Changed' } }),
  'POST /posts/:id/publish': async (world) => post(world, { account_ids: [await playgroundAccount(world.owner)] }),
  'POST /posts/:id/restore': async (world) => {
    const { id } = await post(world)
    expectStatus(await world.owner.delete(`/api/v1/posts/${id}`), 204)
    return { id }
  },
  'POST /posts/:id/retry': async (world) => {
    const { id } = await post(world, { account_ids: [await playgroundAccount(world.owner)] })
    await world.t.deps.db.updateTable('post').set({ status: 'failed' }).where('id', '=', id).execute()
    return { id }
  },
  'POST /admin/plans': () => ({ body: newPlan() }),
  'PATCH /admin/plans/:code': async (world) => ({ ...(await things.plans?.(world)), body: { name: 'Changed' } }),
  'POST /admin/plans/order': async ({ another }) => {
    const t = await another()
    return { t, who: await signedIn(t, { instanceAdmin: true }), body: { codes: ['team', 'pro', 'free'] } }
  },
  'POST /ai-models': () => ({
    body: { provider: 'custom', model_key: 'one', name: 'One', api_params: { base_url: 'https://models.example.com' } },
  }),
  'PUT /ai-models/:id': async (world) => ({ ...(await things['ai-models']?.(world)), body: { name: 'Changed' } }),
  'PUT /ai-models/:id/api-key': async (world) => ({
    ...(await things['ai-models']?.(world)),
    body: { api_key: randomBytes(15).toString('hex') },
  }),
  'POST /ai/generate/text': () => ({ body: { prompt: 'Say hello' } }),
  'POST /ai/generate/image': () => ({ body: { prompt: 'A cat' } }),
  'POST /ai/generate/video': async (world) => {
    await endVideos(world)
    return { body: { prompt: 'A cat that dances' } }
  },
  'POST /accounts': () => ({ body: { network: 'playground' } }),
  'POST /webhooks': (world) => ({ body: newWebhook(world) }),
  'PATCH /webhooks/:id': async (world) => ({
    ...(await things.webhooks?.(world)),
    body: { description: 'Changed', headers: { 'X-Changed': 'yes' } },
  }),
  'POST /webhooks/:id/rotate-secret': async (world) => ({
    ...(await things.webhooks?.(world)),
    body: { overlap_seconds: 60 },
  }),
  'POST /webhooks/:id/recover': async (world) => ({
    ...(await things.webhooks?.(world)),
    body: { since: new Date(Date.now() - 3_600_000).toISOString() },
  }),
  'POST /api-tokens': () => ({ body: { name: 'For a script', scopes: ['posts:read'] } }),
  'POST /api-tokens/:id/rotate': async (world) => ({
    ...(await things['api-tokens']?.(world)),
    body: { overlap_seconds: 60 },
  }),
  'PATCH /workspace': () => ({ body: { billing_address: { city: randomBytes(5).toString('hex') } } }),
  'DELETE /workspace': async ({ t }) => {
    const who = await withWorkspace(t)
    return { who, body: { name: (await who.get('/api/v1/workspace')).body.name } }
  },
  'POST /workspaces': async (world) => ({
    who: await own(world),
    body: { name: `Workspace ${randomBytes(5).toString('hex')}` },
  }),
  'GET /workspaces/deleted': async (world) => ({ who: await deletedWorkspace(world) }),
  'PATCH /workspace/members/:id': async (world) => ({ ...(await things.members?.(world)), body: { role: 'author' } }),
  'POST /workspace/invitations': () => ({ body: { email: newAddress(), role: 'viewer' } }),
  'GET /invitations/:token': async (world) => ({ id: (await invited(world)).token }),
  'POST /invitations/:token/accept': async (world) => {
    const who = await own(world)
    return { who, id: (await invited(world, who.email)).token }
  },
  'PATCH /me': async (world) => ({ who: await own(world), body: { name: 'Grace' } }),
  'DELETE /me': async (world) => ({ who: await own(world), body: { password: PASSWORD } }),
  'POST /me/password': async (world) => ({
    who: await own(world),
    body: { current_password: PASSWORD, new_password: 'another horse battery' },
  }),
  'POST /me/email': async (world) => ({ who: await own(world), body: changed(newAddress()) }),
  'GET /me/email': changingEmail,
  'DELETE /me/email': changingEmail,
  'POST /me/email/confirm': async (world) => {
    const { who, email } = await changingEmail(world)
    return {
      who,
      body: { old_code: await mailedCode(world.t, who.email), new_code: await mailedCode(world.t, email) },
    }
  },
  'DELETE /me/sessions': async (world) => ({ who: await own(world) }),
  'POST /me/two-factor': async (world) => ({ who: await own(world), body: { password: PASSWORD } }),
  'POST /me/two-factor/confirm': async (world) => {
    const who = await own(world)
    const { body } = expectStatus(await who.post('/api/v1/me/two-factor', { password: PASSWORD }), 200)
    return { who, body: { code: totp(body.totp_uri) } }
  },
  'DELETE /me/two-factor': async (world) => ({ who: (await twoFactor(world)).person, body: { password: PASSWORD } }),
  'POST /me/two-factor/backup-codes': async (world) => ({
    who: (await twoFactor(world)).person,
    body: { password: PASSWORD },
  }),
  'POST /admin/users/:id/ban': async (world) => ({ id: (await own(world)).id, body: { reason: 'Spam' } }),
  'PUT /options/:key': () => ({ id: 'app.name', body: { value: appName() } }),
  // Each admin may do so five times a minute.
  'POST /options/test/mail': async ({ t }) => ({
    who: await signedIn(t, { instanceAdmin: true }),
    body: { to: newAddress() },
  }),
  'POST /admin/outbox/:id/retry': async (world) => {
    const t = await world.another()
    const who = await signedIn(t, { instanceAdmin: true })
    expectStatus(await t.anyone.post('/api/auth/request-password-reset', { email: who.email }), 200)
    // Written before there was a mail server.
    const { data } = expectStatus(await who.get('/api/v1/admin/outbox'), 200).body
    expectStatus(await who.put('/api/v1/options/mail.smtp_url', { value: 'smtp://127.0.0.1:9' }), 200)
    return { t, who, id: data[0].id }
  },
  'POST /email-templates': () => ({ body: newTemplate() }),
  'POST /email-templates/preview': () => ({ body: newTemplate() }),
  'PUT /email-templates/:id': async ({ admin }) => ({ ...(await storedTemplate(admin)), body: { subject: 'Changed' } }),
  // An admin for each: nobody may make many a minute.
  'POST /email-templates/:id/send-test': async ({ t }) => {
    const who = await signedIn(t, { instanceAdmin: true })
    return { who, ...(await storedTemplate(who)) }
  },
  'POST /setup': async (world) => {
    const t = await world.another()
    const person = { email: newAddress(), password: PASSWORD, name: 'Ada', workspace_name: 'First' }
    return { t, who: t.anyone, body: { code: setUpCode(t.deps.keyring), ...person } }
  },
  'POST /api/auth/sign-up/email': () => ({ body: { email: newAddress(), password: PASSWORD, name: 'Ada' } }),
  'POST /api/auth/email-otp/send-verification-otp': async (world) => ({
    body: { email: await signUp(world), type: 'email-verification' },
  }),
  'POST /api/auth/email-otp/verify-email': async (world) => {
    const email = await signUp(world)
    return { body: { email, otp: await mailedCode(world.t, email) } }
  },
  'POST /api/auth/sign-in/email': async (world) => ({ body: changed((await own(world)).email) }),
  'POST /api/auth/two-factor/verify-totp': async (world) => {
    const { person, uri } = await twoFactor(world)
    return { who: await challenged(world.t, person.email), body: { code: totp(uri) } }
  },
  'POST /api/auth/two-factor/verify-backup-code': async (world) => {
    const { person, backupCodes } = await twoFactor(world)
    return { who: await challenged(world.t, person.email), body: { code: backupCodes[0] } }
  },
  'POST /api/auth/sign-out': async (world) => ({ who: await own(world) }),
  'POST /api/auth/request-password-reset': async (world) => ({ body: { email: (await own(world)).email } }),
  'POST /api/auth/reset-password': async (world) => {
    const { email } = await own(world)
    expectStatus(await world.t.anyone.post('/api/auth/request-password-reset', { email }), 200)
    const token = tokenIn((await mailsTo(world.t, email)).at(-1)?.body_text)
    return { body: { token, newPassword: 'another horse battery' } }
  },
}

/** A workspace that has something of everything, who may call what, and somebody of another workspace. */
export async function makeWorld() {
  const t = await testApp()
  const others: TestApp[] = []
  const scopeNames = Object.keys(scopes) as Scope[]
  const receiver = await webhookReceiver()
  const vendors = { openai: await vendorServer('openai'), xai: await vendorServer('xai') }
  const owner: WorkspaceOwner = await withWorkspace(t)
  const stranger = await withWorkspace(t)
  const admin: Person = await signedIn(t, { instanceAdmin: true })
  await modelAt(admin, 'openai', 'chat', vendors.openai)
  await modelAt(admin, 'openai', 'image', vendors.openai)
  await modelAt(admin, 'xai', 'video', vendors.xai)
  return {
    t,
    receiver,
    vendors,
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
      for (const vendor of Object.values(vendors)) vendor.close()
      await Promise.all([t, ...others].map((app) => app.close()))
    },
  }
}

/** Sees to it that no list of the world is empty. */
export async function fill(world: World) {
  const { owner } = world
  await Promise.all(Object.values(things).map((make) => make(world)))
  const { id } = await post(world)
  expectStatus(await owner.delete(`/api/v1/posts/${id}`), 204)
}

const resourceOf = ({ path }: Route) => /([\w-]+)\/:/.exec(path)?.[1] ?? ''

/** Everything that a route needs to be called with success, made anew. */
export async function sampleFor(world: World, route: Route): Promise<Sample & { who: Client; t: TestApp }> {
  const short = shortNameOf(route)
  const make = samples[short] ?? (route.path.includes(':') ? things[resourceOf(route)] : undefined)
  if (!make && (route.path.includes(':') || world.published.bodyOf(route)))
    throw new Error(`Tell test/sweeps/world.ts how to make what ${nameOf(route)} is called with`)
  const who = isPublic(route)
    ? world.ownerToken
    : route.access.level === 'instance_admin'
      ? world.admin
      : route.access.level === 'anyone'
        ? world.t.anyone
        : world.owner
  return { who, t: world.t, ...(await make?.(world)) }
}

/** What is described at /openapi.json: all that answers with data. */
export const documented = (routes: Route[]) =>
  routes.filter(({ method, path }) => path.startsWith('/api/') && method !== 'OPTIONS')

/** Calls a route with what was made for it, as `who` or as whom it was made for. */
export const callWith = (
  { method, path }: Route,
  { id = '', within = '', body, who }: Sample & { who: Client },
  headers: Record<string, string> = {},
) => who.call(method, path.replace(/:\w+/, id).replace(/:\w+/, within), { ...(body && { body }), headers })

/** All of `items` through `work`, some at a time: each call leaves the machine time for the others. */
export async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += 12)
    results.push(...(await Promise.all(items.slice(from, from + 12).map(work))))
  return results
}
