import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import {
  expectStatus,
  memberOf,
  type Person,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../factories.ts'
import { newPage, openBrowser } from './browser.ts'
import { gone, passes, roomOf } from './rooms.ts'

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

const row = (page: Page, name: string) => page.getByRole('list', { name: 'API tokens' }).getByRole('listitem', { name })
const form = (page: Page) => page.getByRole('dialog')
const shownToken = (page: Page) => form(page).getByText(/^meydan_pat_\w+$/)
async function open(page: Page, name: string) {
  await page.getByRole('button', { name: 'New API token' }).click()
  await form(page).getByLabel(/^Name/).fill(name)
}
async function more(page: Page, name: string, act: string) {
  await page.getByRole('button', { name: `More about ${name}` }).click()
  await page.getByRole('menuitem', { name: act }).click()
}
const tokensOf = async (person: Person, { workspace_id }: WorkspaceOwner) =>
  expectStatus(await person.get('/api/v1/api-tokens', { 'x-workspace-id': workspace_id }), 200).body.data

describe('a new token', () => {
  test('reads by default, is shown once, and no stray key, click or way back loses it', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner))
    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByText('No API token').waitFor()
    await page.getByRole('button', { name: 'New API token' }).click()
    await form(page).getByLabel(/^Name/).and(page.locator(':focus')).fill('Nightly report')
    expect(await form(page).getByLabel('Read posts').isChecked()).toBe(true)
    expect(await form(page).getByLabel('Create, change, publish and delete posts').isChecked()).toBe(false)
    await passes(page, 'new token')
    await form(page).getByRole('button', { name: 'Create token' }).click()
    await shownToken(page).waitFor()
    const token = (await shownToken(page).textContent()) ?? ''
    await form(page).getByText(`curl ${t.url}/api/v1/public/token`).waitFor()
    await passes(page, 'token')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await page.goBack()
    await page.waitForTimeout(300)
    expect(await shownToken(page).textContent()).toBe(token)
    await expect.poll(() => form(page).getByRole('button', { name: 'Close' }).count()).toBe(0)
    await form(page).getByRole('button', { name: 'I have kept it' }).click()
    await gone(form(page))
    await row(page, 'Nightly report').getByText('Never used').waitFor()
    await expect.poll(() => page.getByText(token).count()).toBe(0)
    const answer = await t.anyone.with({ authorization: `Bearer ${token}` }).get('/api/v1/public/token')
    expect(answer).toMatchObject({ status: 200, body: { name: 'Nightly report' } })
  })

  test('without any scope is warned of; writing includes reading', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/tokens'))
    await open(page, 'All of me')
    await form(page).getByLabel('Create, change, publish and delete posts').check()
    expect(await form(page).getByLabel('Read posts').isDisabled()).toBe(true)
    await form(page).getByLabel('Create, change, publish and delete posts').uncheck()
    for (const scope of [
      'Read posts',
      'Read connected accounts',
      'Read webhooks',
      'Read the workspace',
      'Read which AI models',
    ])
      await form(page).getByLabel(scope).uncheck()
    await expect.poll(() => form(page).getByText('Without any scope it acts as you').count()).toBe(0)
    await form(page).getByLabel('Read who belongs to the workspace').uncheck()
    await form(page).getByText('Without any scope it acts as you').waitFor()
    await passes(page, 'no scopes')
    await form(page).getByRole('combobox', { name: 'Where' }).click()
    await page.getByRole('option', { name: 'All your workspaces' }).click()
    await form(page).getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'On a day of your choice' }).click()
    await form(page).getByRole('button', { name: 'Last day' }).click()
    await page.getByRole('dialog', { name: 'Last day' }).waitFor()
    await passes(page, 'last day')
    await page.keyboard.press('Escape')
    await gone(page.getByRole('dialog', { name: 'Last day' }))
    await form(page).getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'Never' }).click()
    await form(page).getByText('Works until somebody revokes it.').waitFor()
    await form(page).getByRole('button', { name: 'Create token' }).click()
    await form(page).getByText('X-Workspace-Id').waitFor()
    await form(page).getByRole('button', { name: 'I have kept it' }).click()
    await row(page, 'All of me').getByText('No scopes: acts as you').waitFor()
    expect(await tokensOf(owner, owner)).toMatchObject([{ scopes: [], team_id: null, expires_at: null }])
  })

  test('grants no more than the own role has', async () => {
    const owner = await withWorkspace(t)
    const author = await memberOf(t, owner.workspace_id, 'author')
    const page = await newPage(browser, t, { as: author })
    await page.goto(roomOf(owner, '/tokens'))
    await open(page, 'Mine')
    expect(await form(page).getByLabel('Create, change, publish and delete posts').isEnabled()).toBe(true)
    expect(await form(page).getByLabel('Create, test and delete webhooks').isDisabled()).toBe(true)
    await form(page).getByText('Needs the role Admin').first().waitFor()
  })

  test('whose answer got lost is not made twice, and its secret is had by rotating', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(browser, t, { as: owner, allow: ['net::ERR_FAILED'] })
    await page.goto(roomOf(owner, '/tokens'))
    let tries = 0
    await page.route('**/api/v1/api-tokens', async (route) => {
      if (route.request().method() !== 'POST' || tries++ > 0) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await open(page, 'Unlucky')
    await form(page).getByRole('button', { name: 'Create token' }).click()
    await form(page).getByText('Meydan does not answer').waitFor()
    await form(page).getByRole('button', { name: 'Create token' }).click()
    await form(page).getByText('The token is made, but its secret is lost').waitFor()
    await passes(page, 'lost secret')
    await form(page).getByRole('button', { name: 'Rotate and show it' }).click()
    await shownToken(page).waitFor()
    const token = await shownToken(page).textContent()
    await form(page).getByRole('button', { name: 'I have kept it' }).click()
    expect(await tokensOf(owner, owner)).toHaveLength(1)
    const answer = await t.anyone.with({ authorization: `Bearer ${token}` }).get('/api/v1/public/token')
    expect(answer.status).toBe(200)
  })
})

describe('a token', () => {
  test('is rotated with an overlap and shown once again', async () => {
    const owner = await withWorkspace(t)
    const former = await withToken(t, owner, ['posts:read'])
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/tokens'))
    await more(page, 'test', 'Rotate the secret')
    expect(await form(page).getByLabel('1 day').isChecked()).toBe(true)
    await form(page).getByLabel('1 hour').check()
    await passes(page, 'rotate')
    await form(page).getByRole('button', { name: 'Rotate the secret' }).click()
    await shownToken(page).waitFor()
    expect(await shownToken(page).textContent()).not.toBe(former.token)
    await form(page).getByRole('button', { name: 'I have kept it' }).click()
    await row(page, 'test')
      .getByText(/^Former secret ends in/)
      .waitFor()
    expect((await former.get('/api/v1/public/token')).status).toBe(200)
  })

  test('is revoked, and shown among those that no longer work; the address keeps that', async () => {
    const owner = await withWorkspace(t)
    const used = await withToken(t, owner, ['posts:read'])
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/tokens'))
    await more(page, 'test', 'Revoke')
    await form(page).getByText('This cannot be taken back.').waitFor()
    await form(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('test is revoked.').waitFor()
    await gone(row(page, 'test'))
    expect((await used.get('/api/v1/public/token')).status).toBe(401)
    await page.getByLabel('Show 1 that no longer works').check()
    await row(page, 'test').getByText('Revoked', { exact: true }).waitFor()
    await passes(page, 'revoked')
    await page.reload()
    await row(page, 'test').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'More about test' }).count()).toBe(0)
  })

  test('of somebody else is seen by admins, who may revoke it and not rotate it', async () => {
    const owner = await withWorkspace(t)
    const author = await memberOf(t, owner.workspace_id, 'author')
    await t.deps.db.updateTable('user').set({ name: 'Grace' }).where('id', '=', author.id).execute()
    await withToken(t, author.with({ 'x-workspace-id': owner.workspace_id }), ['posts:write'])
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/tokens'))
    await row(page, 'test').getByText('of Grace').waitFor()
    await page.getByRole('button', { name: 'More about test' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
    await expect.poll(() => page.getByRole('menuitem', { name: 'Rotate the secret' }).count()).toBe(0)
  })
})
