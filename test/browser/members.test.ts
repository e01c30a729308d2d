import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../server/lib/http/access.ts'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, type Person, signedIn, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { newPage, openBrowser } from './browser.ts'
import { descriptionOf, expectPageAccessible, pagePath, waitUntilGone } from './pages.ts'

let t: TestApp
let browser: Browser
beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await openBrowser()
  await signedIn(t, { instanceAdmin: true })
})
afterAll(async () => {
  await browser?.close()
  await t?.close()
})

async function joined({ workspace_id }: WorkspaceOwner, name: string, role: Role): Promise<WorkspaceOwner> {
  const person = await signedIn(t, { name })
  await t.deps.db.insertInto('workspace_member').values({ workspace_id, user_id: person.id, role }).execute()
  return { ...person, workspace_id }
}

const people = (page: Page) => page.getByRole('list', { name: 'People' })
const row = (page: Page, name: string) => people(page).getByRole('listitem', { name })
const roleOf = (page: Page, name: string) => page.getByRole('combobox', { name: `Role of ${name}` })
async function more(page: Page, name: string, act: string) {
  await page.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: act }).click()
}
const rolesIn = async (person: Person, workspace_id: string) => {
  const { body } = expectStatus(await person.get('/api/v1/workspace/members', { 'x-workspace-id': workspace_id }), 200)
  return Object.fromEntries(body.data.map(({ name, role }: { name: string; role: Role }) => [name, role]))
}

describe('members', () => {
  test('an owner changes the role of members and removes them', async () => {
    const owner = await withWorkspace(t)
    await joined(owner, 'Grace', 'viewer')
    await joined(owner, 'Linus', 'editor')
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, '/members'))
    await row(page, 'Grace').waitFor()
    await roleOf(page, 'Grace').click()
    await page.getByRole('option', { name: /^Author/ }).waitFor()
    await expectPageAccessible(page, 'roles')
    await page.getByRole('option', { name: /^Author/ }).click()
    await page.getByText('Grace now has the role Author.').waitFor()
    await more(page, 'Linus', 'Remove from workspace')
    const dialog = page.getByRole('dialog', { name: 'Remove Linus?' })
    await dialog.getByText('API tokens for this workspace stop working').waitFor()
    await dialog.getByRole('button', { name: 'Remove from workspace' }).click()
    await waitUntilGone(row(page, 'Linus'))
    await row(page, 'Grace').locator(':focus').waitFor()
    expect(await rolesIn(owner, owner.workspace_id)).toEqual({ Ada: 'owner', Grace: 'author' })
  })

  test('a viewer sees the members and cannot change or invite anybody', async () => {
    const owner = await withWorkspace(t)
    const viewer = await joined(owner, 'Grace', 'viewer')
    const page = await newPage(browser, t, { as: viewer })
    await page.goto(pagePath(owner, '/members'))
    await row(page, 'Ada').getByText('Owner').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Invite a member' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('region', { name: 'Invitations' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('combobox', { name: /^Role of/ }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'More actions for Ada' }).count()).toBe(0)
    await page.getByRole('button', { name: 'More actions for Grace' }).waitFor()
  })

  test('an admin can neither change owners nor make a member owner', async () => {
    const owner = await withWorkspace(t)
    const admin = await joined(owner, 'Grace', 'admin')
    await joined(owner, 'Linus', 'viewer')
    const page = await newPage(browser, t, { as: admin })
    await page.goto(pagePath(owner, '/members'))
    await row(page, 'Ada').getByText('Owner').waitFor()
    await expect.poll(() => roleOf(page, 'Ada').count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'More actions for Ada' }).count()).toBe(0)
    await roleOf(page, 'Linus').click()
    await page.getByRole('option', { name: /^Admin/ }).waitFor()
    await expect.poll(() => page.getByRole('option', { name: /^Owner/ }).count()).toBe(0)
  })

  test('the last owner can neither leave nor give up the role, and sees the reason', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(browser, t, { as: owner, allow: ['409 '] })
    await page.goto(pagePath(owner, '/members'))
    await more(page, 'Ada', 'Leave workspace')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Leave workspace' }).click()
    await dialog.getByText('Make another member an owner first.').waitFor()
    await expectPageAccessible(page, 'last owner')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await waitUntilGone(dialog)
    await roleOf(page, 'Ada').click()
    await page.getByRole('option', { name: /^Admin/ }).click()
    await dialog.getByText('Your role becomes Admin.').waitFor()
    await dialog.getByRole('button', { name: 'Change my role' }).click()
    await dialog.getByText('Make another member an owner first.').waitFor()
    expect(await rolesIn(owner, owner.workspace_id)).toEqual({ Ada: 'owner' })
  })

  test('a member who leaves goes to another workspace, or to creating one', async () => {
    const owner = await withWorkspace(t)
    const grace = await joined(owner, 'Grace', 'editor')
    expectStatus(await grace.post('/api/v1/workspaces', { name: `Harbour ${grace.id}` }), 201)
    const page = await newPage(browser, t, { as: grace })
    await page.goto(pagePath(owner, '/members'))
    await more(page, 'Grace', 'Leave workspace')
    await page.getByRole('dialog').getByRole('button', { name: 'Leave workspace' }).click()
    await page.waitForURL(/\/w\/harbour-/)
    await page.getByRole('button', { name: /^Harbour/ }).waitFor()
    expect(await rolesIn(owner, owner.workspace_id)).toEqual({ Ada: 'owner' })

    const linus = await joined(owner, 'Linus', 'viewer')
    const other = await newPage(browser, t, { as: linus })
    await other.goto(pagePath(owner, '/members'))
    await more(other, 'Linus', 'Leave workspace')
    await other.getByRole('dialog').getByRole('button', { name: 'Leave workspace' }).click()
    await other.getByRole('heading', { name: 'Your first workspace' }).waitFor()
  })
})

describe('invitations', () => {
  const invite = async (page: Page, email: string) => {
    await page.getByRole('button', { name: 'Invite a member' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Email/)
      .fill(email)
    await page.getByRole('button', { name: 'Send invitation' }).click()
  }
  const listed = (page: Page, email: string) =>
    page.getByRole('list', { name: 'Invitations' }).getByRole('listitem', { name: email })

  test('invitations are sent with a link to copy, sent again with another, and revoked', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(browser, t, { as: owner, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(pagePath(owner, '/members'))
    await page.getByText('No pending invitations.').waitFor()
    await page.getByText('Invitations wait in the outbox, where an instance admin can find the link').waitFor()
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a member' })
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: /^Author/ }).click()
    await dialog.getByLabel(/^Email/).fill('grace@example.com')
    await expectPageAccessible(page, 'invite')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await listed(page, 'grace@example.com').getByText('Author').waitFor()
    await listed(page, 'grace@example.com')
      .getByText(/^Expires in/)
      .waitFor()
    const shown = page.getByRole('dialog', { name: 'Invitation link' })
    await shown.getByText('It works only for grace@example.com').waitFor()
    await shown.getByRole('button', { name: 'Copy' }).and(page.locator(':focus')).waitFor()
    await expectPageAccessible(page, 'link of an invitation')
    await shown.getByRole('button', { name: 'Copy' }).click()
    const first = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(first).toMatch(/\/invitation\?token=[\w-]{43}$/)
    await shown.getByRole('button', { name: 'Done' }).click()
    await waitUntilGone(shown)
    await more(page, 'grace@example.com', 'Resend')
    await shown.getByText('grace@example.com has a new link').waitFor()
    const second = await shown.getByText('/invitation?token=').textContent()
    expect(second).not.toBe(first)
    const token = (url: string | null) => new URL(url ?? '').searchParams.get('token')
    expectStatus(await t.anyone.get(`/api/v1/invitations/${token(first)}`), 404)
    expectStatus(await t.anyone.get(`/api/v1/invitations/${token(second)}`), 200)
    await shown.getByRole('button', { name: 'Done' }).click()
    await waitUntilGone(shown)
    await more(page, 'grace@example.com', 'Revoke')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await waitUntilGone(listed(page, 'grace@example.com'))
    const { body } = await owner.get('/api/v1/workspace/invitations', { 'x-workspace-id': owner.workspace_id })
    expect(body.data).toMatchObject([{ email: 'grace@example.com', role: 'author', state: 'revoked' }])
  })

  test('inviting a member or an invited address shows the error at the field', async () => {
    const owner = await withWorkspace(t)
    const grace = await joined(owner, 'Grace', 'viewer')
    const page = await newPage(browser, t, { as: owner, allow: ['409 ', '400 '] })
    await page.goto(pagePath(owner, '/members'))
    await invite(page, grace.email)
    const field = page.getByRole('dialog').getByLabel(/^Email/)
    await page.getByRole('dialog').getByText('already a member').waitFor()
    expect(await descriptionOf(field)).toContain('already a member')
    await expect.poll(() => field.and(page.locator(':focus')).count()).toBe(1)
    await field.fill('no address')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.locator('[aria-invalid=true]:focus').waitFor()
  })

  test('an invitation whose response was lost is not created twice', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(browser, t, { as: owner, allow: ['net::ERR_FAILED'] })
    await page.goto(pagePath(owner, '/members'))
    const keys: (string | undefined)[] = []
    await page.route('**/workspace/invitations', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await invite(page, 'linus@example.com')
    await page.getByRole('dialog').getByText('Meydan is not responding').waitFor()
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await listed(page, 'linus@example.com').waitFor()
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]])
    const { body } = await owner.get('/api/v1/workspace/invitations', { 'x-workspace-id': owner.workspace_id })
    expect(body.data).toHaveLength(1)
  })
})

test('the workspace menu finds a workspace by a part of its name, with the keyboard', async () => {
  const person = await signedIn(t)
  for (const name of ['Ankara', 'Bursa', 'Çeşme', 'Denizli', 'Edirne', 'Fethiye', 'Giresun', 'İznik'])
    expectStatus(await person.post('/api/v1/workspaces', { name: `${name} ${person.id.slice(-6)}` }), 201)
  const page = await newPage(browser, t, { as: person })
  await page.goto('/')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  const opener = page.getByRole('button', { name: person.id.slice(-6) })
  await opener.focus()
  await page.keyboard.press('Enter')
  const search = page.getByPlaceholder('Search workspaces')
  await search.and(page.locator(':focus')).waitFor()
  await page.getByRole('option', { name: /^Giresun/ }).waitFor()
  await expectPageAccessible(page, 'many workspaces')
  await page.keyboard.type('cesm')
  await waitUntilGone(page.getByRole('option', { name: /Giresun/ }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/w\/cesme-/)
  await opener.getByText(/^Çeşme/).waitFor()
  await opener.click()
  await page.getByRole('link', { name: 'New workspace' }).click()
  await page.getByRole('heading', { name: 'New workspace' }).waitFor()
})
