import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, newPost, pagePath, readPost } from './pages.ts'

test('an admin sees what a restored installation would publish, and releases it', async () => {
  const t = await testApp({}, { live: false })
  try {
    const admin = await signedIn(t, { instanceAdmin: true })
    const owner = await withWorkspace(t)
    const account_ids = [await playgroundAccount(owner)]
    const at = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString()
    const lost = await newPost(owner, { content: 'Simit at the ferry', account_ids, scheduled_at: at(5) })
    const wanted = await newPost(owner, { content: 'Tea at the ferry', account_ids, scheduled_at: at(6) })
    t.advance(3600_000)
    await t.deps.db.insertInto('installation_hold').values({ data_until: t.clock.now() }).execute()

    const page = await newPage(t, { as: admin })
    await page.goto('/admin/options')
    await page.getByText('This installation was restored from a backup, and is held.').waitFor()
    await page.getByRole('link', { name: 'Look and release' }).click()
    await page.getByRole('heading', { name: '2 due posts' }).waitFor()
    const row = main(page).getByRole('listitem').filter({ hasText: 'Tea at the ferry' })
    await row.getByRole('checkbox', { name: 'Publish' }).check()
    await expectPageAccessible(page, 'hold')
    if (process.env.PICTURES) {
      await page.screenshot({ path: '/tmp/hold-light.png', fullPage: true })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.screenshot({ path: '/tmp/hold-dark.png', fullPage: true })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 390, height: 844 })
      await page.screenshot({ path: '/tmp/hold-phone.png', fullPage: true })
      await page.setViewportSize({ width: 1280, height: 800 })
    }
    await main(page).getByRole('button', { name: 'Release' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click()
    await page.getByText('Nothing is held').waitFor()

    expect(await readPost(owner, lost)).toMatchObject({ status: 'draft' })
    expect(await readPost(owner, wanted)).toMatchObject({ status: 'scheduled' })
    expectStatus(await admin.get('/api/v1/admin/hold'), 200)
    await page.goto(pagePath(owner))
    expect(await page.getByText('is held').count()).toBe(0)
  } finally {
    await t.close()
  }
})

test('members who are no instance admins see no banner', async () => {
  const t = await testApp()
  try {
    const owner = await withWorkspace(t)
    await t.deps.db.insertInto('installation_hold').values({ data_until: t.clock.now() }).execute()
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor()
    expect(await page.getByText('is held').count()).toBe(0)
  } finally {
    await t.close()
  }
})
