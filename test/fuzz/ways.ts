import { setUpCode } from '../../server/modules/auth/auth.ts'
import type { TestApp } from '../app.ts'
import type { Answer, Client } from '../client.ts'
import { expectStatus, openSession, PASSWORD, type Person, sessionCookie } from '../factories.ts'
import { mailedCode, mailsTo, totp, withTwoFactor } from '../people.ts'
import { modelAt } from '../stand-ins/ai.ts'
import type { AiServer } from '../stand-ins/ai-server.ts'
import type { blueskyServer } from '../stand-ins/bluesky.ts'
import type { Cast, Newcomer } from './cast.ts'

export type Stage = {
  t: TestApp
  cast: Cast
  bluesky: Awaited<ReturnType<typeof blueskyServer>>
  vendors: Record<'text' | 'video', AiServer>
  /** An instance admin whom no request means. */
  admin: Person
  freshAddress: () => string
}

/** What takes the place of the generated parts of a request that is meant to succeed. */
type Turn = { headers?: Record<string, string>; path?: Record<string, string>; body?: unknown }

const cookiesOf = (answer: Answer) => ({ cookie: sessionCookie(answer.headers) })
const mailedToken = async (t: TestApp, address: string) =>
  /token=([\w-]+)/.exec((await mailsTo(t, address)).at(-1)?.body_text ?? '')?.[1] ?? ''
const as = ({ headers }: Newcomer, body?: unknown): Turn => ({ headers, ...(body !== undefined && { body }) })

async function withFactor({ t, cast }: Stage) {
  const before = await cast.newcomer()
  const { uri, backupCodes } = await withTwoFactor(t, before)
  // The session that was confirmed is replaced by another.
  return { ...before, headers: await openSession(t, before.id), uri, backupCodes }
}
async function challenge(stage: Stage) {
  const person = await withFactor(stage)
  const answer = await stage.t.anyone.post('/api/auth/sign-in/email', { email: person.email, password: PASSWORD })
  return { person, headers: cookiesOf(expectStatus(answer, 200)) }
}
async function invited({ t, cast }: Stage) {
  const { owner } = cast.current()
  const person = await cast.newcomer()
  const headers = { 'x-workspace-id': owner.workspace_id }
  const answer = await owner.post('/api/v1/workspace/invitations', { email: person.email, role: 'author' }, headers)
  return { person, id: expectStatus(answer, 201).body.id as string, token: await mailedToken(t, person.email) }
}
async function changingEmail({ cast, freshAddress }: Stage) {
  const person = await cast.newcomer()
  const email = freshAddress()
  expectStatus(await person.post('/api/v1/me/email', { email, password: PASSWORD }), 202)
  return { person, email }
}
const inHouse = ({ cast }: Stage) => {
  const { owner } = cast.current()
  return { client: owner, headers: { ...owner.headers, 'x-workspace-id': owner.workspace_id } }
}
/** A draft for the Playground. */
async function draft(stage: Stage) {
  const { client, headers } = inHouse(stage)
  const place = { 'x-workspace-id': headers['x-workspace-id'] }
  const account = expectStatus(await client.post('/api/v1/accounts', { network: 'playground' }, place), 201).body.id
  const post = { content: 'Hello', account_ids: [account] }
  const { body } = expectStatus(await client.post('/api/v1/posts', post, place), 201)
  return { client, place, headers, id: body.id as string }
}
async function onPlayground(stage: Stage) {
  const { client, place, headers, id } = await draft(stage)
  expectStatus(await client.post(`/api/v1/posts/${id}/publish`, undefined, place), 200)
  await stage.t.runJobs()
  const { body } = expectStatus(await client.get('/api/v1/playground?limit=1', place), 200)
  return { headers, id: body.data[0].id as string }
}
const allScopes = ({ cast }: Stage) => cast.current().callers.allScopes.headers
const inHouseHeaders = (stage: Stage) => inHouse(stage).headers
type CallerOf = (stage: Stage) => Record<string, string>
const drafted = (callerOf: CallerOf) => async (stage: Stage) => ({
  headers: callerOf(stage),
  path: { id: (await draft(stage)).id },
})
const deleted = (callerOf: CallerOf) => async (stage: Stage) => {
  const { client, place, id } = await draft(stage)
  expectStatus(await client.delete(`/api/v1/posts/${id}`, place), 204)
  return { headers: callerOf(stage), path: { id } }
}
/** A post whose only target the network has refused. */
async function failedPost(stage: Stage, client: Client) {
  const { t, bluesky } = stage
  const connected = await client.post('/api/v1/accounts', {
    network: 'bluesky',
    service: bluesky.url,
    ...bluesky.addAccount(),
  })
  const account_ids = [expectStatus(connected, 201).body.id]
  bluesky.goWrong({ kind: 'answer', status: 400, error: 'InvalidRecord' })
  const { body } = expectStatus(
    await client.post('/api/v1/posts', { content: 'Refused', account_ids, publish_now: true }),
    201,
  )
  await t.runJobs()
  bluesky.goWrong()
  return body.id as string
}
const retry =
  (callerOf: CallerOf) =>
  async (stage: Stage): Promise<Turn> => {
    const { client, headers } = inHouse(stage)
    const id = await failedPost(stage, client.with({ 'x-workspace-id': headers['x-workspace-id'] }))
    return { headers: callerOf(stage), path: { id } }
  }
/** A webhook that is active and takes every event, with a delivery that waits. */
async function waiting(stage: Stage) {
  const { client, headers } = inHouse(stage)
  const place = { 'x-workspace-id': headers['x-workspace-id'] }
  const { data } = expectStatus(await client.get('/api/v1/webhooks?limit=100', place), 200).body
  const known = data.find(({ active, events }: { active: boolean; events: string[] }) => active && events.includes('*'))
  if (!known && data.length >= 50) expectStatus(await client.delete(`/api/v1/webhooks/${data[0].id}`, place), 204)
  const webhook = { url: 'http://127.0.0.1:9/', events: ['*'] }
  const { id } = known ?? expectStatus(await client.post('/api/v1/webhooks', webhook, place), 201).body
  await draft(stage)
  const path = `/api/v1/webhooks/${id}/deliveries?state=waiting&limit=1`
  const deliveries = expectStatus(await client.get(path, place), 200).body.data
  return { id: id as string, delivery_id: deliveries[0].id as string }
}
const onDelivery = (callerOf: CallerOf) => async (stage: Stage) => ({
  headers: callerOf(stage),
  path: await waiting(stage),
})
const recovering = (callerOf: CallerOf) => async (stage: Stage) => ({
  headers: callerOf(stage),
  path: { id: (await waiting(stage)).id },
  body: { since: new Date(stage.t.clock.now().getTime() - 3_600_000).toISOString() },
})
/** A model that answers, and room for one more generation. */
async function readyModel({ t, admin, vendors }: Stage, kind: 'chat' | 'image' | 'video') {
  await t.deps.db.updateTable('ai_generation').set({ state: 'canceled' }).where('state', '=', 'running').execute()
  if (kind === 'video') return (await modelAt(admin, 'xai', 'video', vendors.video, { key: 'any-key' })).id
  return (await modelAt(admin, 'custom', kind, vendors.text)).id
}
const generating = (kind: 'chat' | 'image' | 'video', callerOf: CallerOf) => async (stage: Stage) => ({
  headers: callerOf(stage),
  body: { prompt: 'Something nice', model: await readyModel(stage, kind) },
})
async function generatedImage(stage: Stage) {
  const { client, headers } = inHouse(stage)
  const place = { 'x-workspace-id': headers['x-workspace-id'] }
  const input = { prompt: 'A cat', model: await readyModel(stage, 'image') }
  const { body } = expectStatus(await client.post('/api/v1/ai/generate/image', input, place), 200)
  return { id: body.id as string, file: body.files[0].id as string }
}
const onGeneration = (callerOf: CallerOf) => async (stage: Stage) => ({
  headers: callerOf(stage),
  path: { id: (await generatedImage(stage)).id },
})
const onFile = (callerOf: CallerOf) => async (stage: Stage) => ({
  headers: callerOf(stage),
  path: { id: (await generatedImage(stage)).file },
})
const onRunning = (callerOf: CallerOf) => async (stage: Stage) => {
  const { client, headers } = inHouse(stage)
  const input = { prompt: 'A cat', model: await readyModel(stage, 'video') }
  const place = { 'x-workspace-id': headers['x-workspace-id'] }
  const { body } = expectStatus(await client.post('/api/v1/ai/generate/video', input, place), 202)
  return { headers: callerOf(stage), path: { id: body.id as string } }
}
const member = async ({ cast }: Stage) => {
  const { owner } = cast.current()
  return cast.memberOf(owner.workspace_id, 'author')
}

/** An instance admin of whom nothing has been counted yet. */
const freshAdmin = async ({ cast }: Stage) => as(await cast.newcomer({ instanceAdmin: true }))
const model = async ({ admin, vendors }: Stage) => ({
  id: String((await modelAt(admin, 'custom', 'chat', vendors.text)).id),
})
let templates = 0
async function template({ admin }: Stage) {
  const input = { key: `own-${++templates}`, subject: 'Hello {{name}}', body_html: '<p>{{name}}</p>' }
  const { body } = expectStatus(await admin.post('/api/v1/email-templates', input), 201)
  return { id: body.id as string }
}
async function failedMail({ t }: Stage) {
  const mail = {
    to_address: 'somebody@example.com',
    key: 'own',
    locale: 'en',
    subject: 'x',
    body_text: 'x',
    body_html: 'x',
  }
  const { id } = await t.deps.db
    .insertInto('mail')
    .values({ ...mail, state: 'failed' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id }
}

/** How to get to the success of operations that a single request never reaches: what has to be there before it. */
export const ways: Record<string, (stage: Stage) => Promise<Turn>> = {
  setUp: async ({ t, freshAddress }) => ({
    body: { code: setUpCode(t.deps.keyring), email: freshAddress(), password: PASSWORD, name: 'First' },
  }),
  sendCode: async ({ t, freshAddress }) => {
    const email = freshAddress()
    expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'New' }), 200)
    return { body: { email, type: 'email-verification' } }
  },
  verifyEmail: async ({ t, freshAddress }) => {
    const email = freshAddress()
    expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'New' }), 200)
    return { body: { email, otp: await mailedCode(t, email) } }
  },
  signIn: async ({ cast }) => ({ body: { email: (await cast.newcomer()).email, password: PASSWORD } }),
  verifyTotp: async (stage) => {
    const { person, headers } = await challenge(stage)
    return { headers, body: { code: totp(person.uri), trustDevice: true } }
  },
  verifyBackupCode: async (stage) => {
    const { person, headers } = await challenge(stage)
    return { headers, body: { code: person.backupCodes[0] } }
  },
  signOut: async ({ cast }) => as(await cast.newcomer()),
  resetPassword: async ({ t, cast }) => {
    const { email } = await cast.newcomer()
    expectStatus(await t.anyone.post('/api/auth/request-password-reset', { email }), 200)
    return { body: { token: await mailedToken(t, email), newPassword: 'another horse battery' } }
  },
  deleteMe: async ({ cast }) => as(await cast.newcomer(), { password: PASSWORD }),
  changePassword: async ({ cast }) =>
    as(await cast.newcomer(), { current_password: PASSWORD, new_password: 'another horse battery' }),
  readEmailChange: async (stage) => as((await changingEmail(stage)).person),
  requestEmailChange: async ({ cast, freshAddress }) =>
    as(await cast.newcomer(), { email: freshAddress(), password: PASSWORD }),
  confirmEmailChange: async (stage) => {
    const { person, email } = await changingEmail(stage)
    const [old_code, new_code] = [await mailedCode(stage.t, person.email), await mailedCode(stage.t, email)]
    return as(person, { old_code, new_code })
  },
  setUpTwoFactor: async ({ cast }) => as(await cast.newcomer(), { password: PASSWORD }),
  confirmTwoFactor: async ({ cast }) => {
    const person = await cast.newcomer()
    const { body } = expectStatus(await person.post('/api/v1/me/two-factor', { password: PASSWORD }), 200)
    return as(person, { code: totp(body.totp_uri) })
  },
  turnOffTwoFactor: async (stage) => as(await withFactor(stage), { password: PASSWORD }),
  renewBackupCodes: async (stage) => as(await withFactor(stage), { password: PASSWORD }),
  endOtherSessions: async ({ cast }) => as(await cast.newcomer()),
  endSession: async ({ t, cast }) => {
    const person = await cast.newcomer()
    await openSession(t, person.id)
    const { body } = expectStatus(await person.get('/api/v1/me/sessions'), 200)
    return { ...as(person), path: { id: body.data[0].id } }
  },
  banUser: async ({ cast }) => ({ path: { id: (await cast.newcomer()).id } }),
  unbanUser: async ({ cast }) => ({ path: { id: (await cast.newcomer()).id } }),
  deleteWorkspace: async ({ cast }) => {
    const person = await cast.ownerOfNew()
    return as(person, { name: person.workspace_name })
  },
  restoreWorkspace: async ({ cast }) => {
    const person = await cast.ownerOfNew()
    expectStatus(await person.call('DELETE', '/api/v1/workspace', { body: { name: person.workspace_name } }), 204)
    return { ...as(person), path: { id: person.workspace_id } }
  },
  changeMember: async (stage) => ({ headers: inHouse(stage).headers, path: { id: (await member(stage)).id } }),
  removeMember: async (stage) => ({ headers: inHouse(stage).headers, path: { id: (await member(stage)).id } }),
  revokeInvitation: async (stage) => ({ headers: inHouse(stage).headers, path: { id: (await invited(stage)).id } }),
  resendInvitation: async (stage) => ({ headers: inHouse(stage).headers, path: { id: (await invited(stage)).id } }),
  previewInvitation: async (stage) => ({ path: { token: (await invited(stage)).token } }),
  acceptInvitation: async (stage) => {
    const { person, token } = await invited(stage)
    return { ...as(person), path: { token } }
  },
  rotateApiToken: async (stage) => {
    const { client, headers } = inHouse(stage)
    const { body } = expectStatus(await client.post('/api/v1/api-tokens', { name: 'Rotated' }, headers), 201)
    return { headers, path: { id: body.id } }
  },
  revokeApiToken: async (stage) => {
    const { client, headers } = inHouse(stage)
    const { body } = expectStatus(await client.post('/api/v1/api-tokens', { name: 'Revoked' }, headers), 201)
    return { headers, path: { id: body.id } }
  },
  retryPost: retry(inHouseHeaders),
  publicRetryPost: retry(allScopes),
  changePost: drafted(inHouseHeaders),
  publicChangePost: drafted(allScopes),
  restorePost: deleted(inHouseHeaders),
  publicRestorePost: deleted(allScopes),
  publishPost: drafted(inHouseHeaders),
  publicPublishPost: drafted(allScopes),
  listDeliveries: onDelivery(inHouseHeaders),
  publicListDeliveries: onDelivery(allScopes),
  readWebhookStats: onDelivery(inHouseHeaders),
  publicReadWebhookStats: onDelivery(allScopes),
  readDelivery: onDelivery(inHouseHeaders),
  publicReadDelivery: onDelivery(allScopes),
  retryDelivery: onDelivery(inHouseHeaders),
  publicRetryDelivery: onDelivery(allScopes),
  recoverWebhook: recovering(inHouseHeaders),
  publicRecoverWebhook: recovering(allScopes),
  generateText: generating('chat', inHouseHeaders),
  publicGenerateText: generating('chat', allScopes),
  generateImage: generating('image', inHouseHeaders),
  publicGenerateImage: generating('image', allScopes),
  generateVideo: generating('video', inHouseHeaders),
  publicGenerateVideo: generating('video', allScopes),
  readGeneration: onGeneration(inHouseHeaders),
  publicReadGeneration: onGeneration(allScopes),
  readGeneratedFile: onFile(inHouseHeaders),
  publicReadGeneratedFile: onFile(allScopes),
  cancelGeneration: onRunning(inHouseHeaders),
  publicCancelGeneration: onRunning(allScopes),
  readPlaygroundPost: async (stage) => {
    const { headers, id } = await onPlayground(stage)
    return { headers, path: { id } }
  },
  publicReadPlaygroundPost: async (stage) => ({
    headers: allScopes(stage),
    path: { id: (await onPlayground(stage)).id },
  }),
  readOption: async () => ({ path: { key: 'app.name' } }),
  setOption: async () => ({ path: { key: 'app.name' }, body: { value: 'Meydan' } }),
  unsetOption: async () => ({ path: { key: 'mail.smtp_url' } }),
  testMail: async (stage) => ({ ...(await freshAdmin(stage)), body: {} }),
  readAiModel: async (stage) => ({ path: await model(stage) }),
  changeAiModel: async (stage) => ({ path: await model(stage), body: { name: 'Changed' } }),
  deleteAiModel: async (stage) => ({ path: await model(stage) }),
  setAiModelKey: async (stage) => ({ path: await model(stage), body: { api_key: 'key-of-a-vendor' } }),
  testAiModel: async (stage) => ({ ...(await freshAdmin(stage)), path: await model(stage), body: {} }),
  readPlan: async () => ({ path: { code: 'pro' } }),
  changePlan: async () => ({ path: { code: 'pro' }, body: { description: 'Changed' } }),
  archivePlan: async () => ({ path: { code: 'team' } }),
  orderPlans: async ({ admin }) => {
    const { data } = expectStatus(await admin.get('/api/v1/admin/plans?limit=100'), 200).body
    return { body: { codes: data.map(({ code }: { code: string }) => code).reverse() } }
  },
  readOutboxMail: async (stage) => ({ path: await failedMail(stage) }),
  retryOutboxMail: async (stage) => {
    expectStatus(await stage.admin.put('/api/v1/options/mail.smtp_url', { value: 'smtp://127.0.0.1:9' }), 200)
    return { path: await failedMail(stage) }
  },
  previewEmailTemplate: async (stage) => ({ path: await template(stage), body: { variables: { name: 'Ada' } } }),
  sendEmailTemplateTest: async (stage) => ({ ...(await freshAdmin(stage)), path: await template(stage), body: {} }),
}
