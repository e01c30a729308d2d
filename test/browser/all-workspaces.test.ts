import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, newPost, pagePath } from './pages.ts'

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
  await region.getByText('1 post in the next 7 days').waitFor()
  await region.getByText('Nothing waits').waitFor()
  await expectPageAccessible(page, 'all workspaces')

  const links = await main(page).getByRole('heading', { level: 2 }).allTextContents()
  expect(links).toContain(name)
  await page.keyboard.press('2')
  await page.waitForURL(/\/w\/[^/]+$/)
  const opened = page.url()
  await page.keyboard.press('1')
  await page.waitForURL((url) => /\/w\/[^/]+$/.test(url.pathname) && url.href !== opened)
})
