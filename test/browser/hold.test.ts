import { expect, onTestFinished, test } from 'vitest'
import { inTransaction } from '../../server/lib/db/database.ts'
import { holdInstallation } from '../../server/modules/installation/hold.ts'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, newPost, pagePath, readPost } from './pages.ts'

/** A Meydan with two due posts that is held, as after a restore. */
async function heldApp() {
  const t = await testApp()
  onTestFinished(t.close)
  const owner = await withWorkspace(t)
  const account_ids = [await playgroundAccount(owner)]
  const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString()
  const lost = await newPost(owner, { content: 'Simit at the ferry', account_ids, scheduled_at: at(5) })
  const wanted = await newPost(owner, { content: 'Tea at the ferry', account_ids, scheduled_at: at(6) })
  t.advance(3600_000)
  await inTransaction(t.deps.db, (tx) => holdInstallation(tx, t.clock.now()))
  return { t, owner, lost, wanted }
}

test('an admin sees what a restored installation would publish, and releases it', async () => {
  const { t, owner, lost, wanted } = await heldApp()
  const admin = await signedIn(t, { instanceAdmin: true })
  const page = await newPage(t, { as: admin })
  await page.goto('/admin/options')
  await page.getByText('This installation was restored from a backup, and is held.').waitFor()
  await page.getByRole('link', { name: 'Review and release' }).click()
  await page.getByRole('heading', { name: '2 due posts' }).waitFor()
  await main(page).getByRole('checkbox', { name: 'Publish: Tea at the ferry' }).check()
  await expectPageAccessible(page, 'hold')
  await main(page).getByRole('button', { name: 'Release' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
  await page.getByText('Nothing is held').waitFor()

  expect(await readPost(owner, lost)).toMatchObject({ status: 'draft' })
  expect(await readPost(owner, wanted)).toMatchObject({ status: 'scheduled' })
  expect(expectStatus(await admin.get('/api/v1/admin/hold'), 200).body.held).toBe(false)
})

test('members who are no instance admins see no banner', async () => {
  const { t, owner } = await heldApp()
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts'))
  await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor()
  expect(await page.getByText('is held').count()).toBe(0)
})
