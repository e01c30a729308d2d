import { setUpCode } from '../../server/modules/auth/instance-admin.ts'
import { signGrant } from '../../server/modules/media/serving.ts'
import type { TestApp } from '../app.ts'
import type { Answer, Client } from '../client.ts'
import { expectStatus, openSession, PASSWORD, type Person, sessionCookie } from '../factories.ts'
import { picture, uploaded } from '../media.ts'
import {
  invite,
  mailedCode,
  mailedToken,
  requestEmailChange,
  requestReset,
  signUp,
  totp,
  withTwoFactor,
} from '../people.ts'
import { modelAt } from '../stand-ins/ai.ts'
import type { AiServer } from '../stand-ins/ai-server.ts'
import type { blueskyServer } from '../stand-ins/bluesky.ts'
import type { CallerPool, NewUser } from './callers.ts'

export type RecipeContext = {
  t: TestApp
  callers: CallerPool
  bluesky: Awaited<ReturnType<typeof blueskyServer>>
  providers: Record<'text' | 'video', AiServer>
  /** An instance admin that no request targets. */
  admin: Person
  freshAddress: () => string
}

/** Replaces generated parts of a request that should succeed. */
type RequestParts = { headers?: Record<string, string>; path?: Record<string, string>; body?: unknown }

const cookiesOf = (answer: Answer) => ({ cookie: sessionCookie(answer.headers) })
const as = ({ headers }: NewUser, body?: unknown): RequestParts => ({ headers, ...(body !== undefined && { body }) })

async function withFactor({ t, callers }: RecipeContext) {
  const before = await callers.newUser()
  const { uri, backupCodes } = await withTwoFactor(t, before)
  // Turning it on replaced the session.
  return { ...before, headers: await openSession(t, before.id), uri, backupCodes }
}
async function challenge(context: RecipeContext) {
  const person = await withFactor(context)
  const answer = await context.t.anyone.post('/api/auth/sign-in/email', { email: person.email, password: PASSWORD })
  return { person, headers: cookiesOf(expectStatus(answer, 200)) }
}
async function invited({ t, callers }: RecipeContext) {
  const { owner } = callers.current()
  const person = await callers.newUser()
  return { person, ...(await invite(t, owner.with({ 'x-workspace-id': owner.workspace_id }), person.email)) }
}
async function changingEmail({ callers, freshAddress }: RecipeContext) {
  const person = await callers.newUser()
  const email = freshAddress()
  await requestEmailChange(person, email)
  return { person, email }
}
const asOwner = ({ callers }: RecipeContext) => {
  const { owner } = callers.current()
  return { client: owner, headers: { ...owner.headers, 'x-workspace-id': owner.workspace_id } }
}
/** A draft for the Playground. */
async function draft(context: RecipeContext) {
  const { client, headers } = asOwner(context)
  const inWorkspace = { 'x-workspace-id': headers['x-workspace-id'] }
  const account = expectStatus(await client.post('/api/v1/accounts', { network: 'playground' }, inWorkspace), 201).body
    .id
  const post = { content: 'Hello', account_ids: [account] }
  const { body } = expectStatus(await client.post('/api/v1/posts', post, inWorkspace), 201)
  return { client, inWorkspace, headers, id: body.id as string }
}
async function onPlayground(context: RecipeContext) {
  const { client, inWorkspace, headers, id } = await draft(context)
  expectStatus(await client.post(`/api/v1/posts/${id}/publish`, undefined, inWorkspace), 200)
  await context.t.runJobs()
  const { body } = expectStatus(await client.get('/api/v1/playground?limit=1', inWorkspace), 200)
  return { headers, id: body.data[0].id as string }
}
const allScopes = ({ callers }: RecipeContext) => callers.current().callers.allScopes.headers
const ownerHeaders = (context: RecipeContext) => asOwner(context).headers
type CallerOf = (context: RecipeContext) => Record<string, string>
const drafted = (callerOf: CallerOf) => async (context: RecipeContext) => ({
  headers: callerOf(context),
  path: { id: (await draft(context)).id },
})
const deleted = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, inWorkspace, id } = await draft(context)
  expectStatus(await client.delete(`/api/v1/posts/${id}`, inWorkspace), 204)
  return { headers: callerOf(context), path: { id } }
}
/** A post whose only target was rejected by the network. */
async function failedPost(context: RecipeContext, client: Client) {
  const { t, bluesky } = context
  const connected = await client.post('/api/v1/accounts', {
    network: 'bluesky',
    service: bluesky.url,
    ...bluesky.addAccount(),
  })
  const account_ids = [expectStatus(connected, 201).body.id]
  bluesky.failNext({ kind: 'answer', status: 400, error: 'InvalidRecord' })
  const { body } = expectStatus(
    await client.post('/api/v1/posts', { content: 'Refused', account_ids, publish_now: true }),
    201,
  )
  await t.runJobs()
  bluesky.failNext()
  return body.id as string
}
const retry =
  (callerOf: CallerOf) =>
  async (context: RecipeContext): Promise<RequestParts> => {
    const { client, headers } = asOwner(context)
    const id = await failedPost(context, client.with({ 'x-workspace-id': headers['x-workspace-id'] }))
    return { headers: callerOf(context), path: { id } }
  }
/** A published post on the Playground, after `prepare`, with a body for its target. */
const onTarget =
  (callerOf: CallerOf, body: object, prepare: (t: RecipeContext['t'], id: string) => Promise<unknown>) =>
  async (context: RecipeContext): Promise<RequestParts> => {
    const { client, headers } = asOwner(context)
    const inWorkspace = client.with({ 'x-workspace-id': headers['x-workspace-id'] })
    const account = expectStatus(await inWorkspace.post('/api/v1/accounts', { network: 'playground' }), 201).body.id
    const post = { content: 'Hello', account_ids: [account], publish_now: true }
    const { id, targets } = expectStatus(await inWorkspace.post('/api/v1/posts', post), 201).body
    await prepare(context.t, id)
    return { headers: callerOf(context), path: { id, target_id: targets[0].id }, body }
  }
const editing = (callerOf: CallerOf) => onTarget(callerOf, { content: 'Edited' }, (t) => t.runJobs())
const resolving = (callerOf: CallerOf) =>
  onTarget(callerOf, { published: false }, async ({ deps: { db } }, id) => {
    const lost = { status: 'unconfirmed', needs_resolution: true } as const
    await db.updateTable('post_target').set(lost).where('post_id', '=', id).execute()
    await db.updateTable('post').set({ status: 'publishing' }).where('id', '=', id).execute()
  })
const withAvatar = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const inWorkspace = { 'x-workspace-id': headers['x-workspace-id'] }
  const { id } = expectStatus(await client.post('/api/v1/accounts', { network: 'playground' }, inWorkspace), 201).body
  const avatar = await picture()
  await context.t.deps.db.updateTable('account').set({ avatar }).where('id', '=', id).execute()
  return { headers: callerOf(context), path: { id: id as string } }
}
/** An active webhook for all events, with a waiting delivery. */
async function waiting(context: RecipeContext) {
  const { client, headers } = asOwner(context)
  const inWorkspace = { 'x-workspace-id': headers['x-workspace-id'] }
  const { data } = expectStatus(await client.get('/api/v1/webhooks?limit=100', inWorkspace), 200).body
  const known = data.find(({ active, events }: { active: boolean; events: string[] }) => active && events.includes('*'))
  if (!known && data.length >= 50) expectStatus(await client.delete(`/api/v1/webhooks/${data[0].id}`, inWorkspace), 204)
  const webhook = { url: 'http://127.0.0.1:9/', events: ['*'] }
  const { id } = known ?? expectStatus(await client.post('/api/v1/webhooks', webhook, inWorkspace), 201).body
  await draft(context)
  const path = `/api/v1/webhooks/${id}/deliveries?state=waiting&limit=1`
  const deliveries = expectStatus(await client.get(path, inWorkspace), 200).body.data
  return { id: id as string, delivery_id: deliveries[0].id as string }
}
const onDelivery = (callerOf: CallerOf) => async (context: RecipeContext) => ({
  headers: callerOf(context),
  path: await waiting(context),
})
const recovering = (callerOf: CallerOf) => async (context: RecipeContext) => ({
  headers: callerOf(context),
  path: { id: (await waiting(context)).id },
  body: { since: new Date(context.t.clock.now().getTime() - 3_600_000).toISOString() },
})
/** A model that responds, with a free slot for another generation. */
async function readyModel({ t, admin, providers }: RecipeContext, kind: 'chat' | 'image' | 'video') {
  await t.deps.db.updateTable('ai_generation').set({ state: 'canceled' }).where('state', '=', 'running').execute()
  if (kind === 'video') return (await modelAt(admin, 'xai', 'video', providers.video, { key: 'any-key' })).id
  return (await modelAt(admin, 'custom', kind, providers.text)).id
}
const generating = (kind: 'chat' | 'image' | 'video', callerOf: CallerOf) => async (context: RecipeContext) => ({
  headers: callerOf(context),
  body: { prompt: 'Something nice', model: await readyModel(context, kind) },
})
async function generatedImage(context: RecipeContext) {
  const { client, headers } = asOwner(context)
  const inWorkspace = { 'x-workspace-id': headers['x-workspace-id'] }
  const input = { prompt: 'A cat', model: await readyModel(context, 'image') }
  const { body } = expectStatus(await client.post('/api/v1/ai/generate/image', input, inWorkspace), 200)
  return { id: body.id as string, file: body.files[0].id as string }
}
const onGeneration = (callerOf: CallerOf) => async (context: RecipeContext) => ({
  headers: callerOf(context),
  path: { id: (await generatedImage(context)).id },
})
const onFile = (callerOf: CallerOf) => async (context: RecipeContext) => ({
  headers: callerOf(context),
  path: { id: (await generatedImage(context)).file },
})
const onRunning = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const input = { prompt: 'A cat', model: await readyModel(context, 'video') }
  const inWorkspace = { 'x-workspace-id': headers['x-workspace-id'] }
  const { body } = expectStatus(await client.post('/api/v1/ai/generate/video', input, inWorkspace), 202)
  return { headers: callerOf(context), path: { id: body.id as string } }
}
/** A new file, after `prepare`. */
const onMedia =
  (callerOf: CallerOf, prepare: (client: Client, id: string) => Promise<unknown> = async () => undefined) =>
  async (context: RecipeContext) => {
    const { client, headers } = asOwner(context)
    const inWorkspace = client.with({ 'x-workspace-id': headers['x-workspace-id'] })
    const { id } = await uploaded(inWorkspace)
    await prepare(inWorkspace, id)
    return { headers: callerOf(context), path: { id: id as string } }
  }
const onDeletedMedia = (callerOf: CallerOf) => onMedia(callerOf, (client, id) => client.delete(`/api/v1/media/${id}`))
const signedMedia = async (context: RecipeContext) => {
  const { id } = (await onMedia(ownerHeaders)(context)).path
  const expires = new Date(context.t.clock.now().getTime() + 86_400_000)
  return { path: { grant: signGrant(context.t.deps, { id, fit: null, expires }, 'png') } }
}
const importing = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { grant } = (await signedMedia(context)).path
  return { headers: callerOf(context), body: { url: `${context.t.url}/api/v1/media/signed/${grant}` } }
}
const onUpload = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const sent = { 'x-workspace-id': headers['x-workspace-id'], 'tus-resumable': '1.0.0', 'upload-length': '10' }
  const begun = expectStatus(await client.call('POST', '/api/v1/media/uploads', { headers: sent }), 201)
  return { headers: callerOf(context), path: { id: begun.headers.get('location')?.split('/').at(-1) ?? '' } }
}
const member = async ({ callers }: RecipeContext) => {
  const { owner } = callers.current()
  return callers.memberOf(owner.workspace_id, 'author')
}

/** An instance admin with unused rate limits. */
const freshAdmin = async ({ callers }: RecipeContext) => as(await callers.newUser({ instanceAdmin: true }))
const model = async ({ admin, providers }: RecipeContext) => ({
  id: String((await modelAt(admin, 'custom', 'chat', providers.text)).id),
})
let templates = 0
async function template({ admin }: RecipeContext) {
  const input = { key: `own-${++templates}`, subject: 'Hello {{name}}', body_html: '<p>{{name}}</p>' }
  const { body } = expectStatus(await admin.post('/api/v1/email-templates', input), 201)
  return { id: body.id as string }
}
async function failedMail({ t }: RecipeContext) {
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

/** Prepares operations that a single request cannot make succeed: creates what they need. */
export const recipes: Record<string, (context: RecipeContext) => Promise<RequestParts>> = {
  setUp: async ({ t, freshAddress }) => ({
    body: { code: setUpCode(t.deps.keyring), email: freshAddress(), password: PASSWORD, name: 'First' },
  }),
  sendCode: async ({ t, freshAddress }) => {
    const email = freshAddress()
    await signUp(t, email)
    return { body: { email, type: 'email-verification' } }
  },
  verifyEmail: async ({ t, freshAddress }) => {
    const email = freshAddress()
    await signUp(t, email)
    return { body: { email, otp: await mailedCode(t, email) } }
  },
  signIn: async ({ callers }) => ({ body: { email: (await callers.newUser()).email, password: PASSWORD } }),
  verifyTotp: async (context) => {
    const { person, headers } = await challenge(context)
    return { headers, body: { code: totp(person.uri), trustDevice: true } }
  },
  verifyBackupCode: async (context) => {
    const { person, headers } = await challenge(context)
    return { headers, body: { code: person.backupCodes[0] } }
  },
  signOut: async ({ callers }) => as(await callers.newUser()),
  resetPassword: async ({ t, callers }) => {
    const { email } = await callers.newUser()
    await requestReset(t, email)
    return { body: { token: await mailedToken(t, email), newPassword: 'another horse battery' } }
  },
  deleteMe: async ({ callers }) => as(await callers.newUser(), { password: PASSWORD }),
  changePassword: async ({ callers }) =>
    as(await callers.newUser(), { current_password: PASSWORD, new_password: 'another horse battery' }),
  readEmailChange: async (context) => as((await changingEmail(context)).person),
  requestEmailChange: async ({ callers, freshAddress }) =>
    as(await callers.newUser(), { email: freshAddress(), password: PASSWORD }),
  confirmEmailChange: async (context) => {
    const { person, email } = await changingEmail(context)
    const [old_code, new_code] = [await mailedCode(context.t, person.email), await mailedCode(context.t, email)]
    return as(person, { old_code, new_code })
  },
  setUpTwoFactor: async ({ callers }) => as(await callers.newUser(), { password: PASSWORD }),
  confirmTwoFactor: async ({ callers }) => {
    const person = await callers.newUser()
    const { body } = expectStatus(await person.post('/api/v1/me/two-factor', { password: PASSWORD }), 200)
    return as(person, { code: totp(body.totp_uri) })
  },
  turnOffTwoFactor: async (context) => as(await withFactor(context), { password: PASSWORD }),
  renewBackupCodes: async (context) => as(await withFactor(context), { password: PASSWORD }),
  endOtherSessions: async ({ callers }) => as(await callers.newUser()),
  endSession: async ({ t, callers }) => {
    const person = await callers.newUser()
    await openSession(t, person.id)
    const { body } = expectStatus(await person.get('/api/v1/me/sessions'), 200)
    return { ...as(person), path: { id: body.data[0].id } }
  },
  banUser: async ({ callers }) => ({ path: { id: (await callers.newUser()).id } }),
  unbanUser: async ({ callers }) => ({ path: { id: (await callers.newUser()).id } }),
  deleteWorkspace: async ({ callers }) => {
    const person = await callers.newOwner()
    return as(person, { name: person.workspace_name })
  },
  restoreWorkspace: async ({ callers }) => {
    const person = await callers.newOwner()
    expectStatus(await person.call('DELETE', '/api/v1/workspace', { body: { name: person.workspace_name } }), 204)
    return { ...as(person), path: { id: person.workspace_id } }
  },
  changeMember: async (context) => ({ headers: asOwner(context).headers, path: { id: (await member(context)).id } }),
  removeMember: async (context) => ({ headers: asOwner(context).headers, path: { id: (await member(context)).id } }),
  revokeInvitation: async (context) => ({
    headers: asOwner(context).headers,
    path: { id: (await invited(context)).id },
  }),
  resendInvitation: async (context) => ({
    headers: asOwner(context).headers,
    path: { id: (await invited(context)).id },
  }),
  previewInvitation: async (context) => ({ path: { token: (await invited(context)).token } }),
  acceptInvitation: async (context) => {
    const { person, token } = await invited(context)
    return { ...as(person), path: { token } }
  },
  rotateApiToken: async (context) => {
    const { client, headers } = asOwner(context)
    const { body } = expectStatus(await client.post('/api/v1/api-tokens', { name: 'Rotated' }, headers), 201)
    return { headers, path: { id: body.id } }
  },
  revokeApiToken: async (context) => {
    const { client, headers } = asOwner(context)
    const { body } = expectStatus(await client.post('/api/v1/api-tokens', { name: 'Revoked' }, headers), 201)
    return { headers, path: { id: body.id } }
  },
  retryPost: retry(ownerHeaders),
  publicRetryPost: retry(allScopes),
  editPublishedPost: editing(ownerHeaders),
  publicEditPublishedPost: editing(allScopes),
  resolveTarget: resolving(ownerHeaders),
  publicResolveTarget: resolving(allScopes),
  downloadAccountAvatar: withAvatar(ownerHeaders),
  publicDownloadAccountAvatar: withAvatar(allScopes),
  changePost: drafted(ownerHeaders),
  publicChangePost: drafted(allScopes),
  restorePost: deleted(ownerHeaders),
  publicRestorePost: deleted(allScopes),
  publishPost: drafted(ownerHeaders),
  publicPublishPost: drafted(allScopes),
  readMedia: onMedia(ownerHeaders),
  publicReadMedia: onMedia(allScopes),
  changeMedia: onMedia(ownerHeaders),
  publicChangeMedia: onMedia(allScopes),
  deleteMedia: onMedia(ownerHeaders),
  publicDeleteMedia: onMedia(allScopes),
  restoreMedia: onDeletedMedia(ownerHeaders),
  publicRestoreMedia: onDeletedMedia(allScopes),
  listMediaUses: onMedia(ownerHeaders),
  publicListMediaUses: onMedia(allScopes),
  downloadMedia: onMedia(ownerHeaders),
  publicDownloadMedia: onMedia(allScopes),
  downloadMediaThumbnail: onMedia(ownerHeaders),
  publicDownloadMediaThumbnail: onMedia(allScopes),
  downloadSignedMedia: signedMedia,
  importMedia: importing(ownerHeaders),
  publicImportMedia: importing(allScopes),
  readUpload: onUpload(ownerHeaders),
  publicReadUpload: onUpload(allScopes),
  cancelUpload: onUpload(ownerHeaders),
  publicCancelUpload: onUpload(allScopes),
  listDeliveries: onDelivery(ownerHeaders),
  publicListDeliveries: onDelivery(allScopes),
  readWebhookStats: onDelivery(ownerHeaders),
  publicReadWebhookStats: onDelivery(allScopes),
  readDelivery: onDelivery(ownerHeaders),
  publicReadDelivery: onDelivery(allScopes),
  retryDelivery: onDelivery(ownerHeaders),
  publicRetryDelivery: onDelivery(allScopes),
  recoverWebhook: recovering(ownerHeaders),
  publicRecoverWebhook: recovering(allScopes),
  generateText: generating('chat', ownerHeaders),
  publicGenerateText: generating('chat', allScopes),
  generateImage: generating('image', ownerHeaders),
  publicGenerateImage: generating('image', allScopes),
  generateVideo: generating('video', ownerHeaders),
  publicGenerateVideo: generating('video', allScopes),
  readGeneration: onGeneration(ownerHeaders),
  publicReadGeneration: onGeneration(allScopes),
  readGeneratedFile: onFile(ownerHeaders),
  publicReadGeneratedFile: onFile(allScopes),
  cancelGeneration: onRunning(ownerHeaders),
  publicCancelGeneration: onRunning(allScopes),
  readPlaygroundPost: async (context) => {
    const { headers, id } = await onPlayground(context)
    return { headers, path: { id } }
  },
  publicReadPlaygroundPost: async (context) => ({
    headers: allScopes(context),
    path: { id: (await onPlayground(context)).id },
  }),
  readOption: async () => ({ path: { key: 'app.name' } }),
  setOption: async () => ({ path: { key: 'app.name' }, body: { value: 'Meydan' } }),
  unsetOption: async () => ({ path: { key: 'mail.smtp_url' } }),
  testMail: async (context) => ({ ...(await freshAdmin(context)), body: {} }),
  readAiModel: async (context) => ({ path: await model(context) }),
  changeAiModel: async (context) => ({ path: await model(context), body: { name: 'Changed' } }),
  deleteAiModel: async (context) => ({ path: await model(context) }),
  setAiModelKey: async (context) => ({ path: await model(context), body: { api_key: 'key-of-a-provider' } }),
  testAiModel: async (context) => ({ ...(await freshAdmin(context)), path: await model(context), body: {} }),
  readPlan: async () => ({ path: { code: 'pro' } }),
  changePlan: async () => ({ path: { code: 'pro' }, body: { description: 'Changed' } }),
  archivePlan: async () => ({ path: { code: 'team' } }),
  orderPlans: async ({ admin }) => {
    const { data } = expectStatus(await admin.get('/api/v1/admin/plans?limit=100'), 200).body
    return { body: { codes: data.map(({ code }: { code: string }) => code).reverse() } }
  },
  readOutboxMail: async (context) => ({ path: await failedMail(context) }),
  retryOutboxMail: async (context) => {
    expectStatus(await context.admin.put('/api/v1/options/mail.smtp_url', { value: 'smtp://127.0.0.1:9' }), 200)
    return { path: await failedMail(context) }
  },
  previewEmailTemplate: async (context) => ({ path: await template(context), body: { variables: { name: 'Ada' } } }),
  sendEmailTemplateTest: async (context) => ({
    ...(await freshAdmin(context)),
    path: await template(context),
    body: {},
  }),
}
