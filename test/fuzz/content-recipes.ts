import { randomUUID } from 'node:crypto'
import { signGrant } from '../../server/modules/media/serving.ts'
import type { Client } from '../client.ts'
import { expectStatus, playgroundAccount } from '../factories.ts'
import { paidInvoice, withTaxNumber } from '../invoices.ts'
import { testImage, uploaded } from '../media.ts'
import { putInReview } from '../posts.ts'
import { postingTimes, queuedPosts } from '../queue.ts'
import { modelAt } from '../stand-ins/ai.ts'
import { copyablePost } from '../workspaces.ts'
import { asOwner, type Recipe, type RecipeContext, type RequestParts } from './recipe-context.ts'

/** An owner whose posts need no approval, whatever policy another request has set. */
async function asPublisher(context: RecipeContext) {
  const { client, headers } = asOwner(context)
  const inWorkspace = { 'x-workspace-id': headers['x-workspace-id'] }
  expectStatus(await client.put('/api/v1/workspace/approval-policy', { mode: 'none' }, inWorkspace), 200)
  return { client, headers, inWorkspace }
}

/** A draft for the Playground. */
export async function draft(context: RecipeContext) {
  const { client, headers, inWorkspace } = await asPublisher(context)
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
export const drafted = (callerOf: CallerOf) => async (context: RecipeContext) => ({
  headers: callerOf(context),
  path: { id: (await draft(context)).id },
})
const rescheduled = (callerOf: CallerOf) => async (context: RecipeContext) => ({
  headers: callerOf(context),
  body: { posts: [{ id: (await draft(context)).id, scheduled_at: null }] },
})
const copyable =
  (by: 'session' | 'token') =>
  async ({ t }: RecipeContext) => {
    const { id, ...parts } = await copyablePost(t, by)
    return { ...parts, path: { id } }
  }
const queued = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, inWorkspace } = await asPublisher(context)
  const { account, posts } = await queuedPosts(client.with(inWorkspace))
  return {
    headers: callerOf(context),
    path: { id: account },
    body: { post_id: posts[1] ?? null, before: posts[0] ?? null },
  }
}
const withAccount = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const id = await playgroundAccount(client.with({ 'x-workspace-id': headers['x-workspace-id'] }))
  return { headers: callerOf(context), path: { id } }
}
const inReview = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { id } = await draft(context)
  await putInReview(context.t, id)
  return { headers: callerOf(context), path: { id } }
}
/** A scheduled post that is held since its agent was disabled. */
const heldOfAgent = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, inWorkspace, id } = await draft(context)
  const scheduled_at = new Date(context.t.clock.now().getTime() + 3_600_000).toISOString()
  expectStatus(await client.patch(`/api/v1/posts/${id}`, { scheduled_at }, inWorkspace), 200)
  await context.t.deps.db.updateTable('post').set({ held: 'agents_stopped' }).where('id', '=', id).execute()
  return { headers: callerOf(context), path: { id } }
}
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
  bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRecord' })
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
    const { client, inWorkspace } = await asPublisher(context)
    const id = await failedPost(context, client.with(inWorkspace))
    return { headers: callerOf(context), path: { id } }
  }
/** A published post on the Playground, after `prepare`, with a body for its target. */
const onTarget =
  (callerOf: CallerOf, body: object, prepare: (t: RecipeContext['t'], id: string) => Promise<unknown>) =>
  async (context: RecipeContext): Promise<RequestParts> => {
    const { client, inWorkspace } = await asPublisher(context)
    const owner = client.with(inWorkspace)
    const account = expectStatus(await owner.post('/api/v1/accounts', { network: 'playground' }), 201).body.id
    const post = { content: 'Hello', account_ids: [account], publish_now: true }
    const { id, targets } = expectStatus(await owner.post('/api/v1/posts', post), 201).body
    await prepare(context.t, id)
    return { headers: callerOf(context), path: { id, target_id: targets[0].id }, body }
  }
const editing = (callerOf: CallerOf) => onTarget(callerOf, { content: 'Edited' }, (t) => t.runJobs())
const published = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { headers = {}, path = {} } = await editing(callerOf)(context)
  return { headers, path }
}
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
  const avatar = await testImage()
  await context.t.deps.db.updateTable('account').set({ avatar }).where('id', '=', id).execute()
  return { headers: callerOf(context), path: { id: id as string } }
}
const snippet = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const inWorkspace = client.with({ 'x-workspace-id': headers['x-workspace-id'] })
  const body = { name: randomUUID(), content: '#bakery' }
  const { id } = expectStatus(await inWorkspace.post('/api/v1/snippets', body), 201).body
  return { headers: callerOf(context), path: { id: id as string } }
}
const accountGroup = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const inWorkspace = client.with({ 'x-workspace-id': headers['x-workspace-id'] })
  const body = { name: randomUUID(), account_ids: [await playgroundAccount(inWorkspace)] }
  const { id } = expectStatus(await inWorkspace.post('/api/v1/account-groups', body), 201).body
  return { headers: callerOf(context), path: { id: id as string }, body: { name: randomUUID() } }
}
const newGroup = (callerOf: CallerOf) => async (context: RecipeContext) => ({
  headers: callerOf(context),
  body: { name: randomUUID() },
})
const withoutBody =
  (recipe: Recipe): Recipe =>
  async (context) => {
    const { body: _, ...parts } = await recipe(context)
    return parts
  }
/** A webhook of its own, which the request may delete. */
const newWebhook = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const inWorkspace = { 'x-workspace-id': headers['x-workspace-id'] }
  const { data } = expectStatus(await client.get('/api/v1/webhooks?limit=100', inWorkspace), 200).body
  if (data.length >= 50) expectStatus(await client.delete(`/api/v1/webhooks/${data[0].id}`, inWorkspace), 204)
  const webhook = { url: 'http://127.0.0.1:9/', events: ['post.created'] }
  const { body } = expectStatus(await client.post('/api/v1/webhooks', webhook, inWorkspace), 201)
  return { headers: callerOf(context), path: { id: body.id as string } }
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
const suggestingBrand = (callerOf: CallerOf) => async (context: RecipeContext) => {
  await published(callerOf)(context)
  return { headers: callerOf(context), body: { model: await readyModel(context, 'chat') } }
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
const cropping = (callerOf: CallerOf) => async (context: RecipeContext) => ({
  ...(await onMedia(callerOf)(context)),
  body: { x: 1, y: 2, width: 20, height: 10 },
})
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
const onInvoice = (callerOf: CallerOf) => async (context: RecipeContext) => {
  const { id } = await paidInvoice(context.t, { workspace_id: asOwner(context).headers['x-workspace-id'] })
  await withTaxNumber(context.t, id)
  return { headers: callerOf(context), path: { id } }
}

/** Recipes for accounts, posts, files, webhooks, invoices and generations. */
export const contentRecipes: Record<string, Recipe> = {
  retryPost: retry(ownerHeaders),
  publicRetryPost: retry(allScopes),
  editPublishedPost: editing(ownerHeaders),
  publicEditPublishedPost: editing(allScopes),
  resolveTarget: resolving(ownerHeaders),
  publicResolveTarget: resolving(allScopes),
  downloadAccountAvatar: withAvatar(ownerHeaders),
  publicDownloadAccountAvatar: withAvatar(allScopes),
  createAccountGroup: newGroup(ownerHeaders),
  publicCreateAccountGroup: newGroup(allScopes),
  readAccountGroup: withoutBody(accountGroup(ownerHeaders)),
  publicReadAccountGroup: withoutBody(accountGroup(allScopes)),
  changeAccountGroup: accountGroup(ownerHeaders),
  publicChangeAccountGroup: accountGroup(allScopes),
  deleteAccountGroup: withoutBody(accountGroup(ownerHeaders)),
  publicDeleteAccountGroup: withoutBody(accountGroup(allScopes)),
  createSnippet: async (context) => ({
    headers: ownerHeaders(context),
    body: { name: randomUUID(), content: '#bakery' },
  }),
  publicCreateSnippet: async (context) => ({
    headers: allScopes(context),
    body: { name: randomUUID(), content: '#bakery' },
  }),
  readSnippet: snippet(ownerHeaders),
  publicReadSnippet: snippet(allScopes),
  changeSnippet: snippet(ownerHeaders),
  publicChangeSnippet: snippet(allScopes),
  deleteSnippet: snippet(ownerHeaders),
  publicDeleteSnippet: snippet(allScopes),
  fillSnippet: snippet(ownerHeaders),
  publicFillSnippet: snippet(allScopes),
  readReview: drafted(ownerHeaders),
  publicReadReview: drafted(allScopes),
  requestApproval: drafted(ownerHeaders),
  publicRequestApproval: drafted(allScopes),
  changePost: drafted(ownerHeaders),
  publicChangePost: drafted(allScopes),
  reschedulePosts: rescheduled(ownerHeaders),
  publicReschedulePosts: rescheduled(allScopes),
  moveInQueue: queued(ownerHeaders),
  publicMoveInQueue: queued(allScopes),
  pauseQueue: withAccount(ownerHeaders),
  publicPauseQueue: withAccount(allScopes),
  resumeQueue: withAccount(ownerHeaders),
  publicResumeQueue: withAccount(allScopes),
  readAccount: withAccount(ownerHeaders),
  publicReadAccount: withAccount(allScopes),
  changeAccount: async (context) => ({ ...(await withAccount(ownerHeaders)(context)), body: { name: 'Changed' } }),
  publicChangeAccount: async (context) => ({ ...(await withAccount(allScopes)(context)), body: { name: 'Changed' } }),
  disconnectAccount: withAccount(ownerHeaders),
  publicDisconnectAccount: withAccount(allScopes),
  readBestTimes: withAccount(ownerHeaders),
  publicReadBestTimes: withAccount(allScopes),
  readAccountMetrics: withAccount(ownerHeaders),
  publicReadAccountMetrics: withAccount(allScopes),
  readQueue: withAccount(ownerHeaders),
  publicReadQueue: withAccount(allScopes),
  readPostingTimes: withAccount(ownerHeaders),
  publicReadPostingTimes: withAccount(allScopes),
  savePostingTimes: async (context) => ({ ...(await withAccount(ownerHeaders)(context)), body: postingTimes }),
  publicSavePostingTimes: async (context) => ({ ...(await withAccount(allScopes)(context)), body: postingTimes }),
  releasePost: heldOfAgent(ownerHeaders),
  publicReleasePost: heldOfAgent(allScopes),
  approvePost: inReview(ownerHeaders),
  publicApprovePost: inReview(allScopes),
  rejectPost: inReview(ownerHeaders),
  publicRejectPost: inReview(allScopes),
  restorePost: deleted(ownerHeaders),
  publicRestorePost: deleted(allScopes),
  copyPost: copyable('session'),
  publicCopyPost: copyable('token'),
  publishPost: drafted(ownerHeaders),
  publicPublishPost: drafted(allScopes),
  deletePost: drafted(ownerHeaders),
  publicDeletePost: drafted(allScopes),
  unpublishPost: published(ownerHeaders),
  publicUnpublishPost: published(allScopes),
  readMedia: onMedia(ownerHeaders),
  publicReadMedia: onMedia(allScopes),
  changeMedia: onMedia(ownerHeaders),
  publicChangeMedia: onMedia(allScopes),
  deleteMedia: onMedia(ownerHeaders),
  publicDeleteMedia: onMedia(allScopes),
  cropMedia: cropping(ownerHeaders),
  publicCropMedia: cropping(allScopes),
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
  deleteWebhook: newWebhook(ownerHeaders),
  rotateWebhookSecret: newWebhook(ownerHeaders),
  recoverWebhook: recovering(ownerHeaders),
  publicRecoverWebhook: recovering(allScopes),
  readInvoice: onInvoice(ownerHeaders),
  publicReadInvoice: onInvoice(allScopes),
  downloadInvoice: onInvoice(ownerHeaders),
  downloadInvoiceUbl: onInvoice(ownerHeaders),
  publicDownloadInvoiceUbl: onInvoice(allScopes),
  downloadAnyInvoiceUbl: async (context) => ({ path: (await onInvoice(ownerHeaders)(context)).path }),
  publicDownloadInvoice: onInvoice(allScopes),
  readInvoicePage: onInvoice(ownerHeaders),
  publicReadInvoicePage: onInvoice(allScopes),
  downloadAnyInvoice: async (context) => ({ path: (await onInvoice(ownerHeaders)(context)).path }),
  setOfficialNumber: async (context) => ({
    path: (await onInvoice(ownerHeaders)(context)).path,
    body: { official_number: crypto.randomUUID() },
  }),
  suggestBrand: suggestingBrand(ownerHeaders),
  publicSuggestBrand: suggestingBrand(allScopes),
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
}
