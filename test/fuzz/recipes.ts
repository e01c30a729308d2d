import { inTransaction } from '../../server/lib/db/database.ts'
import { setUpCode } from '../../server/modules/auth/instance-admin.ts'
import { holdInstallation } from '../../server/modules/installation/hold.ts'
import type { ApiResponse } from '../client.ts'
import { expectStatus, openSession, PASSWORD, sessionCookie } from '../factories.ts'
import { notifiedOwner } from '../notifications.ts'
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
import { newPushSubscription, pushSubscription } from '../push.ts'
import { modelAt } from '../stand-ins/ai.ts'
import { agentRecipes } from './agent-recipes.ts'
import { billingRecipes } from './billing-recipes.ts'
import { calendarRecipes } from './calendar-recipes.ts'
import type { NewUser } from './callers.ts'
import { catalogRecipes } from './catalog-recipes.ts'
import { clientReviewRecipes } from './client-review-recipes.ts'
import { commentAndVersionRecipes } from './comment-and-version-recipes.ts'
import { contentRecipes } from './content-recipes.ts'
import { gigRecipes } from './gig-recipes.ts'
import { importRecipes } from './import-recipes.ts'
import { networkRecipes } from './network-recipes.ts'
import { orderActionRecipes } from './order-action-recipes.ts'
import { orderRecipes } from './order-recipes.ts'
import { payoutRecipes } from './payout-recipes.ts'
import { asOwner, type Recipe, type RecipeContext, type RequestParts } from './recipe-context.ts'
import { recurringRecipes } from './recurring-recipes.ts'

const cookiesOf = (response: ApiResponse) => ({ cookie: sessionCookie(response.headers) })
const as = ({ headers }: NewUser, body?: unknown): RequestParts => ({ headers, ...(body !== undefined && { body }) })

async function withFactor({ t, callers }: RecipeContext) {
  const before = await callers.newUser()
  const { uri, backupCodes } = await withTwoFactor(t, before)
  // Turning it on replaced the session.
  return { ...before, headers: await openSession(t, before.id), uri, backupCodes }
}
async function challenge(context: RecipeContext) {
  const person = await withFactor(context)
  const response = await context.t.anyone.post('/api/auth/sign-in/email', { email: person.email, password: PASSWORD })
  return { person, headers: cookiesOf(expectStatus(response, 200)) }
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
export const recipes: Record<string, Recipe> = {
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
  readNotification: async (context) => {
    const { headers } = asOwner(context)
    return { headers, path: { id: await notifiedOwner(context.t, String(headers['x-workspace-id'])) } }
  },
  readAllNotifications: async ({ callers }) => as(await callers.newUser(), {}),
  changeNotificationPreferences: async ({ callers }) =>
    as(await callers.newUser(), { kinds: [{ kind: 'review.requested', mail: 'digest' }] }),
  createPushSubscription: async ({ callers }) => as(await callers.newUser(), newPushSubscription()),
  deletePushSubscription: async ({ callers }) => {
    const person = await callers.newUser()
    return { ...as(person), path: { id: await pushSubscription(person) } }
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
  ...contentRecipes,
  ...commentAndVersionRecipes,
  ...calendarRecipes,
  ...clientReviewRecipes,
  ...recurringRecipes,
  ...importRecipes,
  ...agentRecipes,
  ...billingRecipes,
  ...payoutRecipes,
  ...catalogRecipes,
  ...gigRecipes,
  ...networkRecipes,
  ...orderRecipes,
  ...orderActionRecipes,
  readOption: async () => ({ path: { key: 'app.name' } }),
  setOption: async () => ({ path: { key: 'app.name' }, body: { value: 'Meydan' } }),
  unsetOption: async () => ({ path: { key: 'mail.smtp_url' } }),
  releaseInstallation: async ({ t }) => {
    await inTransaction(t.deps.db, (tx) => holdInstallation(tx, t.clock.now()))
    return { body: { posts: 'publish', deliveries: 'send', mails: 'send' } }
  },
  startBackup: async ({ t }) => {
    await t.deps.db.deleteFrom('backup').execute()
    return {}
  },
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
  // Others may have deleted every template by then.
  readEmailTemplate: async (context) => ({ path: await template(context) }),
  deleteEmailTemplate: async (context) => ({ path: await template(context) }),
  changeEmailTemplate: async (context) => ({ path: await template(context) }),
  previewEmailTemplate: async (context) => ({ path: await template(context), body: { variables: { name: 'Ada' } } }),
  sendEmailTemplateTest: async (context) => ({
    ...(await freshAdmin(context)),
    path: await template(context),
    body: {},
  }),
}
