import { randomBytes, randomUUID } from 'node:crypto'
import { inTransaction } from '../../server/lib/db/database.ts'
import { setUpCode } from '../../server/modules/auth/instance-admin.ts'
import { holdInstallation } from '../../server/modules/installation/hold.ts'
import { backupSettings } from '../backups.ts'
import { expectStatus, newAddress, PASSWORD, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { testImage, uploaded } from '../media.ts'
import { notifiedOwner } from '../notifications.ts'
import { challenged, mailedCode, mailedToken, requestReset, totp } from '../people.ts'
import { failPost, putInReview } from '../posts.ts'
import { newPushSubscription } from '../push.ts'
import { accountWithTimes, postingTimes, queuedPosts } from '../queue.ts'
import { isPublic } from '../routes.ts'
import { copyablePost } from '../workspaces.ts'
import { agentSamples } from './agent-samples.ts'
import { billingSamples } from './billing-samples.ts'
import { brandSamples } from './brand-samples.ts'
import { calendarSamples } from './calendar-samples.ts'
import { clientReviewSamples } from './client-review-samples.ts'
import { commentSamples } from './comment-samples.ts'
import type { Fixture } from './fixture.ts'
import { gigSamples } from './gig-samples.ts'
import { importSamples } from './import-samples.ts'
import { networkSamples } from './network-samples.ts'
import { orderActionSamples } from './order-action-samples.ts'
import { orderSamples } from './order-samples.ts'
import { payoutSamples } from './payout-samples.ts'
import { recipeSamples } from './recipe-samples.ts'
import { recurringSamples } from './recurring-samples.ts'
import {
  appName,
  changed,
  changingEmail,
  deletedWorkspace,
  endVideos,
  invited,
  type Make,
  newPlan,
  newTemplate,
  newWebhook,
  own,
  post,
  published,
  resourceSamples,
  signedUp,
  storedTemplate,
  twoFactor,
} from './resources.ts'
import { snippetSamples } from './snippet-samples.ts'
import { versionSamples } from './version-samples.ts'

async function inReview(fixture: Fixture) {
  const { id } = await post(fixture)
  await putInReview(fixture.t, id)
  return { id }
}

/** Samples for routes that take a body or need more preparation. */
export const samples: Record<string, Make> = {
  ...agentSamples,
  ...brandSamples,
  ...snippetSamples,
  ...billingSamples,
  ...calendarSamples,
  ...commentSamples,
  ...versionSamples,
  ...networkSamples,
  ...payoutSamples,
  ...recipeSamples,
  ...recurringSamples,
  ...gigSamples,
  ...orderSamples,
  ...orderActionSamples,
  ...clientReviewSamples,
  ...importSamples,
  'POST /posts': async ({ owner }) => ({
    body: { content: 'Hello', account_ids: [await playgroundAccount(owner)], labels: ['news'] },
  }),
  'PATCH /posts/:id': async (fixture) => ({ ...(await post(fixture)), body: { content: 'Changed' } }),
  'POST /posts/reschedule': async (fixture) => {
    const { id } = await post(fixture, { account_ids: [await playgroundAccount(fixture.owner)] })
    const scheduled_at = new Date(fixture.t.clock.now().getTime() + 3_600_000).toISOString()
    return { body: { posts: [{ id, scheduled_at }] } }
  },
  'POST /posts/:id/copy': async ({ t }, route) => {
    const { id, headers, body } = await copyablePost(t, route && isPublic(route) ? 'token' : 'session')
    return { id, body, who: t.anyone.with(headers) }
  },
  'POST /posts/:id/publish': async (fixture) =>
    post(fixture, { account_ids: [await playgroundAccount(fixture.owner)] }),
  'POST /posts/:id/release': async (fixture) => {
    const time = new Date(fixture.t.clock.now().getTime() + 3_600_000).toISOString()
    const { id } = await post(fixture, { account_ids: [await playgroundAccount(fixture.owner)], scheduled_at: time })
    await fixture.t.deps.db.updateTable('post').set({ held: 'agents_stopped' }).where('id', '=', id).execute()
    return { id }
  },
  'POST /posts/:id/restore': async (fixture) => {
    const { id } = await post(fixture)
    expectStatus(await fixture.owner.delete(`/api/v1/posts/${id}`), 204)
    return { id }
  },
  'POST /posts/:id/approve': async (fixture) => inReview(fixture),
  'POST /posts/:id/reject': async (fixture) => ({
    ...(await inReview(fixture)),
    body: { reason: 'We do not open on Mondays.' },
  }),
  'POST /posts/:id/request-approval': async (fixture) =>
    post(fixture, { account_ids: [await playgroundAccount(fixture.owner)] }),
  'GET /posts/reviews': async (fixture) => {
    await inReview(fixture)
    return {}
  },
  'PUT /workspace/approval-policy': () => ({ body: { mode: 'none', when_unapproved: 'expire' } }),
  'PUT /accounts/:id/approval-policy': async ({ owner }) => ({
    id: await playgroundAccount(owner),
    body: { mode: 'one', own_posts: true },
  }),
  'POST /posts/:id/retry': async (fixture) => {
    const { id } = await post(fixture, { account_ids: [await playgroundAccount(fixture.owner)] })
    await failPost(fixture.t, id)
    return { id }
  },
  'GET /accounts/:id/mentions': async ({ owner }) => ({ id: await playgroundAccount(owner), query: '?query=play' }),
  'GET /accounts/:id/avatar': async ({ t, owner }) => {
    const id = await playgroundAccount(owner)
    const avatar = await testImage()
    await t.deps.db.updateTable('account').set({ avatar }).where('id', '=', id).execute()
    return { id }
  },
  'PUT /accounts/:id/posting-times': async ({ owner }) => ({ id: await playgroundAccount(owner), body: postingTimes }),
  'GET /accounts/:id/queue': async ({ owner }) => ({ id: await accountWithTimes(owner) }),
  'POST /accounts/:id/queue/pause': async ({ owner }) => ({ id: (await queuedPosts(owner)).account }),
  'POST /accounts/:id/queue/resume': async ({ owner }) => {
    const { account: id } = await queuedPosts(owner)
    expectStatus(await owner.post(`/api/v1/accounts/${id}/queue/pause`), 200)
    return { id }
  },
  'POST /accounts/:id/queue/move': async ({ owner }) => {
    const { account, posts } = await queuedPosts(owner)
    return { id: account, body: { post_id: posts[1], before: posts[0] } }
  },
  'POST /account-groups': async ({ owner }) => ({
    body: { name: randomUUID(), account_ids: [await playgroundAccount(owner)] },
  }),
  'PATCH /account-groups/:id': async (fixture) => ({
    ...(await resourceSamples['account-groups']?.(fixture)),
    body: { account_ids: [] },
  }),
  'POST /posts/validate': async ({ owner }) => ({
    body: { content: 'Hello', account_ids: [await playgroundAccount(owner)] },
  }),
  // Nothing listens there.
  'GET /posts/link-preview': () => ({ query: '?url=http://127.0.0.1:1/' }),
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
  'POST /media/:id/crop': async ({ owner }) => {
    const { id } = await uploaded(owner)
    const body = { x: 1, y: 2, width: 20, height: 10 }
    expectStatus(await owner.post(`/api/v1/media/${id}/crop`, body), 201)
    return { id, body }
  },
  'POST /media/:id/restore': async ({ owner }) => {
    const { id } = await uploaded(owner)
    expectStatus(await owner.delete(`/api/v1/media/${id}`), 204)
    return { id }
  },
  'PATCH /admin/invoices/:id': async (fixture) => ({
    ...(await resourceSamples.invoices?.(fixture)),
    body: { official_number: randomBytes(5).toString('hex') },
  }),
  'POST /admin/plans': () => ({ body: newPlan() }),
  'GET /accounts/oauth/callback/:server': () => ({ id: 'A'.repeat(22) }),
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
  'POST /me/notifications/read': async ({ t, owner }) => ({
    body: { until: await notifiedOwner(t, owner.workspace_id) },
  }),
  'PATCH /me/notification-preferences': async (fixture) => ({
    who: await own(fixture),
    body: { kinds: [{ kind: 'review.requested', mail: 'digest' }], quiet_from: '22:00', quiet_until: '07:00' },
  }),
  'POST /me/push-subscriptions': async (fixture) => ({ who: await own(fixture), body: newPushSubscription() }),
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
  'GET /admin/hold/posts': async (fixture) => {
    const t = await fixture.another()
    const owner = await withWorkspace(t)
    const scheduled_at = new Date(t.clock.now().getTime() + 60_000).toISOString()
    const post = { content: 'Due', account_ids: [await playgroundAccount(owner)], scheduled_at }
    expectStatus(await owner.post('/api/v1/posts', post), 201)
    t.advance(120_000)
    return { t, who: await signedIn(t, { instanceAdmin: true }) }
  },
  'POST /admin/hold/release': async (fixture) => {
    const t = await fixture.another()
    await inTransaction(t.deps.db, (tx) => holdInstallation(tx, t.clock.now()))
    const body = { posts: 'unschedule', deliveries: 'drop', mails: 'keep' }
    return { t, who: await signedIn(t, { instanceAdmin: true }), body }
  },
  'GET /admin/backups': async (fixture) => {
    const t = await fixture.another(backupSettings)
    const who = await signedIn(t, { instanceAdmin: true })
    expectStatus(await who.post('/api/v1/admin/backups'), 201)
    return { t, who }
  },
  'POST /admin/backups': async (fixture) => {
    const t = await fixture.another(backupSettings)
    return { t, who: await signedIn(t, { instanceAdmin: true }) }
  },
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
