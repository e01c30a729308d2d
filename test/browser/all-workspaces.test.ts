import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { anotherWorkspace } from '../workspaces.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, newPost, pagePath, visit, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })

test('a page shows what waits in all workspaces, and a digit opens one of them', async () => {
  const owner = await withWorkspace(t)
  const name = `Brand ${randomBytes(4).toString('hex')}`
  const { body } = expectStatus(await owner.post('/api/v1/workspaces', { name, timezone: 'Asia/Tokyo' }), 201)
  const brand = { ...owner, ...owner.with({ 'x-workspace-id': body.id }), workspace_id: body.id as string }
  const account = await playgroundAccount(brand)
  const scheduled_at = new Date(t.clock.now().getTime() + 86_400_000).toISOString()
  await newPost(brand, { content: 'Tomorrow', account_ids: [account], scheduled_at })

  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner))
  await page
    .getByRole('button', { name: /Workspace/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'All workspaces' }).click()
  await page.waitForURL(/\/workspaces$/)
  const region = main(page).getByRole('region', { name })
  await region.getByText('1 scheduled post in the next 7 days').waitFor()
  await region.getByText('Nothing waits').waitFor()
  await region.getByRole('link', { name: /: 1 post$/ }).waitFor()
  await expectPageAccessible(page, 'all workspaces')

  const links = await main(page).getByRole('heading', { level: 2 }).allTextContents()
  expect(links).toContain(name)
  await page.keyboard.press('2')
  await page.waitForURL(/\/w\/[^/]+$/)
  const opened = page.url()
  await page.keyboard.press('1')
  await page.waitForURL((url) => /\/w\/[^/]+$/.test(url.pathname) && url.href !== opened)
})

test('posts are copied to another workspace, one from its menu and several from the list, with links to the copies', async () => {
  const person = await signedIn(t)
  const [here, there] = [await anotherWorkspace(person), await anotherWorkspace(person)]
  const { name } = expectStatus(await there.get('/api/v1/workspace'), 200).body
  const account = await playgroundAccount(here)
  for (const content of ['One', 'Two']) await newPost(here, { content, targets: [{ account_id: account, content }] })

  const page = await newPage(t, { as: person, allow: ['POST /api/v1/posts'] })
  await page.goto(`/w/${here.slug}/posts`)
  await main(page).getByRole('button', { name: 'More actions for this post' }).first().click()
  await page.getByRole('menuitem', { name: 'Copy to another workspace…' }).click()
  const dialog = page.getByRole('dialog')
  await expectPageAccessible(page, 'copy to another workspace')
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await dialog.getByText(`Copied to ${name} as a draft`).waitFor()
  await dialog.getByText('Its own version was left out.').waitFor()
  await expectPageAccessible(page, 'copied to another workspace')
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await main(page).getByRole('checkbox', { name: 'Select all shown posts' }).check()
  await main(page).getByRole('button', { name: 'Copy to workspace' }).click()
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await dialog.getByText(`2 posts copied to ${name} as drafts`).waitFor()
  await dialog.getByRole('link', { name: 'Open the copy: One' }).click()
  await page.waitForURL(new RegExp(`/w/${there.slug}/posts/`))
  expect(expectStatus(await there.get('/api/v1/posts'), 200).body.data).toHaveLength(3)
})

test('a group of accounts is made, chosen in the composer with one click, and filters posts', async () => {
  const owner = await withWorkspace(t)
  const [one, two] = [await playgroundAccount(owner), await playgroundAccount(owner)]
  const path = `/api/v1/accounts/${one}`
  expectStatus(await owner.patch(path, { name: 'First shop' }), 200)
  await newPost(owner, { content: 'For the other', account_ids: [two] })
  await newPost(owner, { content: 'For the shop', account_ids: [one] })

  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/accounts'))
  await main(page).getByRole('button', { name: 'New group' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shops')
  await dialog.getByRole('combobox', { name: 'Accounts' }).or(dialog.getByLabel('Accounts')).first().click()
  await page.getByRole('option', { name: /First shop/ }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Save group' }).click()
  await main(page).getByText('1 account', { exact: true }).waitFor()
  await expectPageAccessible(page, 'accounts with a group')

  await visit(page, pagePath(owner, '/posts/new'))
  const group = main(page).getByRole('button', { name: 'Shops' })
  await group.click()
  const box = main(page).getByRole('checkbox', { name: /First shop/ })
  expect([await group.getAttribute('aria-pressed'), await box.isChecked()]).toEqual(['true', true])
  await expectPageAccessible(page, 'composer with a group')
  await group.click()
  expect([await group.getAttribute('aria-pressed'), await box.isChecked()]).toEqual(['false', false])

  await page.goto(pagePath(owner, '/posts'))
  await main(page).getByText('For the other').waitFor()
  await main(page)
    .getByRole('combobox', { name: 'Filter by account or group' })
    .or(main(page).getByLabel('Filter by account or group'))
    .first()
    .click()
  await page.getByRole('option', { name: 'Shops' }).click()
  await page.waitForURL(/group=/)
  await waitUntilGone(main(page).getByText('For the other'))
  await main(page).getByText('For the shop').waitFor()
})
