import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, PASSWORD, signedIn, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { mailedCode, mailsTo } from '../people.ts'
import { newPage } from './browser.ts'
import { fillSignIn } from './pages.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })
const owner = await withWorkspace(t)

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()

/** Invites an address. Returns the invitation and the path of the mailed link. */
async function invite(app: TestApp, by: WorkspaceOwner, email: string) {
  const { body } = expectStatus(await by.post('/api/v1/workspace/invitations', { email, role: 'editor' }), 201)
  const path = /\/invitation\?token=[\w-]{43}/.exec((await mailsTo(app, email)).at(-1)?.body_text ?? '')?.[0]
  if (!path) throw new Error(`no invitation was mailed to ${email}`)
  return { id: body.id as string, path }
}

test('an instance admin opens or copies the link of a mail that waits in the outbox', async () => {
  const admin = await signedIn(t, { instanceAdmin: true })
  const { path } = await invite(t, owner, 'by.hand@example.com')
  const page = await newPage(t, { as: admin, permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/admin/outbox')
  await page.getByRole('button', { name: 'by.hand@example.com' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('link', { name: 'Open the link' }).getAttribute('href')).toContain(path)
  await dialog.getByRole('button', { name: 'Copy: Link in the email' }).click()
  await dialog.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(path)
})

describe('the link of an invitation', () => {
  test('a new user follows the link to a sign-up with the address filled in, and into the workspace', async () => {
    const email = 'newcomer@example.com'
    const { path } = await invite(t, owner, email)
    const page = await newPage(t, { allow: ['401 GET /api/v1/me'] })
    await page.goto(path)
    await heading(page, /^Join Workspace/)
    await page.getByText('Ada invited you to this workspace.').waitFor()
    await page.getByText('Editor', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Create an account' }).click()
    const address = page.getByLabel(/^Email/)
    expect(await address.inputValue()).toBe(email)
    expect(await address.getAttribute('readonly')).not.toBeNull()
    await page.getByLabel(/^Your name/).fill('Newcomer')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Enter the code')
    await page.keyboard.type(await mailedCode(t, email))
    await page.getByText(`You are signed in as ${email}.`).waitFor()
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await heading(page, /^Hello, Newcomer/)
    await page.goto(path)
    await heading(page, 'The invitation was already accepted')
  })

  test('the page names the signed-in address when it is another one, and continues after signing in with the right one', async () => {
    const invited = await signedIn(t)
    const { path } = await invite(t, owner, invited.email)
    const other = await withWorkspace(t)
    const page = await newPage(t, { as: other, allow: ['401 GET /api/v1/me'] })
    await page.goto(path)
    await page.getByText('You are signed in with a different email').waitFor()
    await page.getByText(other.email).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Accept invitation' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out and continue' }).click()
    await heading(page, 'Sign in')
    expect(await page.getByLabel(/^Email/).inputValue()).toBe(invited.email)
    await fillSignIn(page, invited)
    await page.getByRole('button', { name: 'Accept invitation' }).click()
    await heading(page, /^Hello/)
    await page.getByRole('button', { name: /^Workspace ./ }).waitFor()
  })

  test('the page reports a revoked invitation, also while it is open, an expired one and an unknown one', async () => {
    const invited = await signedIn(t)
    const { id, path } = await invite(t, owner, invited.email)
    const allow = ['409 POST /api/v1/invitations', '404 GET /api/v1/invitations', '400 GET /api/v1/invitations']
    const page = await newPage(t, { as: invited, allow })
    await page.goto(path)
    const accept = page.getByRole('button', { name: 'Accept invitation' })
    await accept.waitFor()
    expectStatus(await owner.delete(`/api/v1/workspace/invitations/${id}`), 204)
    await accept.click()
    await heading(page, 'The invitation was revoked')

    const next = await invite(t, owner, invited.email)
    await t.deps.db
      .updateTable('invitation')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', next.id)
      .execute()
    await page.goto(next.path)
    await heading(page, 'The invitation has expired')
    await page.goto(`/invitation?token=${'x'.repeat(43)}`)
    await heading(page, 'This link is not valid')
    await page.goto('/invitation?token=junk')
    await heading(page, 'This link is not valid')
    await page.goto('/invitation')
    await page.getByText('The link is incomplete.').waitFor()
    await page.getByRole('link', { name: 'Go to Meydan' }).click()
    await heading(page, 'Your first workspace')
  })
})

describe('modes of sign-up', () => {
  test('no page offers a sign-up that is closed', async () => {
    const closed = await testApp({ SIGN_UP: 'closed' }, { live: true })
    try {
      const by = await withWorkspace(closed)
      const { path } = await invite(closed, by, 'stranger@example.com')
      const page = await newPage(closed, { allow: ['401 GET /api/v1/me'] })
      await page.goto('/sign-in')
      await page.getByText('Sign-up is closed.').waitFor()
      await expect.poll(() => page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)
      await page.goto('/sign-up')
      await heading(page, 'Sign-up is closed')
      await page.goto(path)
      await page.getByRole('link', { name: 'Sign in' }).waitFor()
      await expect.poll(() => page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)
      await page.context().close()
    } finally {
      await closed.close()
    }
  })

  test('only the link of an invitation leads to the sign-up form that needs one', async () => {
    const invited = await testApp({ SIGN_UP: 'invitation' }, { live: true })
    try {
      const by = await withWorkspace(invited)
      const { path } = await invite(invited, by, 'guest@example.com')
      const page = await newPage(invited, { allow: ['401 GET /api/v1/me'] })
      await page.goto('/sign-in')
      await page.getByText('Sign-up is by invitation only.').waitFor()
      await page.goto('/sign-up')
      await heading(page, 'Sign-up is by invitation only')
      await page.goto(path)
      await page.getByRole('link', { name: 'Create an account' }).click()
      await page.getByLabel(/^Your name/).fill('Guest')
      await page.getByLabel(/^Password/).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await heading(page, 'Enter the code')
      await page.context().close()
    } finally {
      await invited.close()
    }
  })
})
