import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import {
  expectStatus,
  memberOf,
  type Person,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, pagePath, showMorePages, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })

const row = (page: Page, name: string) => page.getByRole('list', { name: 'API tokens' }).getByRole('listitem', { name })
const form = (page: Page) => page.getByRole('dialog')
const shownToken = (page: Page) => form(page).getByText(/^meydan_pat_\w+$/)
async function open(page: Page, name: string) {
  await page.getByRole('button', { name: 'New API token' }).click()
  await form(page).getByLabel(/^Name/).fill(name)
}
async function more(page: Page, name: string, act: string) {
  await page.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: act }).click()
}
const tokensOf = async (person: Person, { workspace_id }: WorkspaceOwner) =>
  expectStatus(await person.get('/api/v1/api-tokens', { 'x-workspace-id': workspace_id }), 200).body.data

describe('creating tokens', () => {
  test('a new token reads by default and is shown once, and no key, click or going back closes it by accident', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { as: owner })
    await page.clock.install()
    await page.goto(pagePath(owner))
    await showMorePages(page)
    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByText('No API tokens yet').waitFor()
    await page.getByRole('button', { name: 'New API token' }).click()
    await form(page).getByLabel(/^Name/).and(page.locator(':focus')).fill('Nightly report')
    expect(await form(page).getByLabel('Read posts').isChecked()).toBe(true)
    expect(await form(page).getByLabel('Create, edit, publish and delete posts').isChecked()).toBe(false)
    const submit = await form(page).getByRole('button', { name: 'Create token' }).boundingBox()
    expect((submit?.y ?? Infinity) + (submit?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0)
    await expectPageAccessible(page, 'new token')
    await form(page).getByRole('button', { name: 'Create token' }).click()
    await shownToken(page).waitFor()
    const token = (await shownToken(page).textContent()) ?? ''
    await form(page).getByText(`curl ${t.url}/api/v1/public/token`).waitFor()
    await expectPageAccessible(page, 'token')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await page.goBack()
    await page.clock.runFor(1000)
    expect(await shownToken(page).textContent()).toBe(token)
    await expect.poll(() => form(page).getByRole('button', { name: 'Close' }).count()).toBe(0)
    await form(page).getByRole('button', { name: 'I have saved it' }).click()
    await waitUntilGone(form(page))
    await row(page, 'Nightly report').getByText('Never used').waitFor()
    await expect.poll(() => page.getByText(token).count()).toBe(0)
    const response = await t.anyone.with({ authorization: `Bearer ${token}` }).get('/api/v1/public/token')
    expect(response).toMatchObject({ status: 200, body: { name: 'Nightly report' } })
  })

  test('a token without scopes shows a warning, and write includes read', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/tokens'))
    await open(page, 'All of me')
    await form(page).getByLabel('Create, edit, publish and delete posts').check()
    expect(await form(page).getByLabel('Read posts').isDisabled()).toBe(true)
    await form(page).getByLabel('Create, edit, publish and delete posts').uncheck()
    for (const scope of [
      'Read posts',
      'Read files',
      'Read connected accounts',
      'Read webhooks',
      'Read the workspace',
      'Read AI models and generations',
      'Read agents and their runs',
      'Read the catalog of agent recipes',
      'Read the subscription and invoices',
      'Read your own gigs',
      'Read orders',
      'Read your signature',
    ])
      await form(page).getByLabel(scope).uncheck()
    await expect.poll(() => form(page).getByText('Without scopes, the token acts as you').count()).toBe(0)
    await form(page).getByLabel('Read members of the workspace').uncheck()
    await form(page).getByText('Without scopes, the token acts as you').waitFor()
    await expectPageAccessible(page, 'no scopes')
    await form(page).getByRole('combobox', { name: 'Workspaces' }).click()
    await page.getByRole('option', { name: 'All your workspaces' }).click()
    await form(page).getByRole('combobox', { name: 'Expiration' }).click()
    await page.getByRole('option', { name: 'Custom date' }).click()
    await form(page).getByRole('button', { name: 'Last valid day' }).click()
    await page.getByRole('dialog', { name: 'Last valid day' }).waitFor()
    await expectPageAccessible(page, 'last day')
    await page.keyboard.press('Escape')
    await waitUntilGone(page.getByRole('dialog', { name: 'Last valid day' }))
    await form(page).getByRole('combobox', { name: 'Expiration' }).click()
    await page.getByRole('option', { name: 'Never' }).click()
    await form(page).getByText('Valid until it is revoked.').waitFor()
    await form(page).getByRole('button', { name: 'Create token' }).click()
    await form(page).getByText('X-Workspace-Id').waitFor()
    await form(page).getByRole('button', { name: 'I have saved it' }).click()
    await row(page, 'All of me').getByText('No scopes: acts as its owner').waitFor()
    expect(await tokensOf(owner, owner)).toMatchObject([{ scopes: [], team_id: null, expires_at: null }])
  })

  test("the form offers no scope above the user's role", async () => {
    const owner = await withWorkspace(t)
    const author = await memberOf(t, owner.workspace_id, 'author')
    const page = await newPage(t, { as: author })
    await page.goto(pagePath(owner, '/tokens'))
    await open(page, 'Mine')
    expect(await form(page).getByLabel('Create, edit, publish and delete posts').isEnabled()).toBe(true)
    expect(await form(page).getByLabel('Create, edit, test and delete webhooks').isDisabled()).toBe(true)
    await form(page).getByText('Requires the role Admin').first().waitFor()
  })

  test('a token whose response was lost is not created twice, and rotating it gives a secret', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED'] })
    await page.goto(pagePath(owner, '/tokens'))
    let tries = 0
    await page.route('**/api/v1/api-tokens', async (route) => {
      if (route.request().method() !== 'POST' || tries++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await open(page, 'Unlucky')
    await form(page).getByRole('button', { name: 'Create token' }).click()
    await form(page).getByText('Meydan is not responding').waitFor()
    await form(page).getByRole('button', { name: 'Create token' }).click()
    await form(page).getByText('The secret was not received').waitFor()
    await expectPageAccessible(page, 'lost secret')
    await form(page).getByRole('button', { name: 'Rotate and show the new secret' }).click()
    await shownToken(page).waitFor()
    const token = await shownToken(page).textContent()
    await form(page).getByRole('button', { name: 'I have saved it' }).click()
    expect(await tokensOf(owner, owner)).toHaveLength(1)
    const response = await t.anyone.with({ authorization: `Bearer ${token}` }).get('/api/v1/public/token')
    expect(response.status).toBe(200)
  })
})

describe('existing tokens', () => {
  test('a token is rotated with an overlap, and the new secret is shown once', async () => {
    const owner = await withWorkspace(t)
    const former = await withToken(t, owner, ['posts:read'])
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/tokens'))
    await more(page, 'test', 'Rotate secret')
    expect(await form(page).getByLabel('1 day').isChecked()).toBe(true)
    await form(page).getByLabel('1 hour').check()
    await expectPageAccessible(page, 'rotate')
    await form(page).getByRole('button', { name: 'Rotate secret' }).click()
    await shownToken(page).waitFor()
    expect(await shownToken(page).textContent()).not.toBe(former.token)
    await form(page).getByRole('button', { name: 'I have saved it' }).click()
    await row(page, 'test')
      .getByText(/^Previous secret expires in/)
      .waitFor()
    expect((await former.get('/api/v1/public/token')).status).toBe(200)
  })

  test('a revoked token is listed among those that no longer work, and that filter is in the URL', async () => {
    const owner = await withWorkspace(t)
    const used = await withToken(t, owner, ['posts:read'])
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/tokens'))
    await more(page, 'test', 'Revoke')
    await form(page).getByText('This cannot be undone.').waitFor()
    await form(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('test was revoked.').waitFor()
    await waitUntilGone(row(page, 'test'))
    expect((await used.get('/api/v1/public/token')).status).toBe(401)
    await page.getByLabel('Show 1 inactive token').check()
    await row(page, 'test').getByText('Revoked', { exact: true }).waitFor()
    await expectPageAccessible(page, 'revoked')
    await page.reload()
    await row(page, 'test').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'More actions for test' }).count()).toBe(0)
  })

  test('an admin sees tokens of other members and can revoke but not rotate them', async () => {
    const owner = await withWorkspace(t)
    const author = await memberOf(t, owner.workspace_id, 'author')
    await t.deps.db.updateTable('user').set({ name: 'Grace' }).where('id', '=', author.id).execute()
    await withToken(t, author.with({ 'x-workspace-id': owner.workspace_id }), ['posts:write'])
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/tokens'))
    await row(page, 'test').getByText('owner: Grace').waitFor()
    await page.getByRole('button', { name: 'More actions for test' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
    await expect.poll(() => page.getByRole('menuitem', { name: 'Rotate secret' }).count()).toBe(0)
  })
})
