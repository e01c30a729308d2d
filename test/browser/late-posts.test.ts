import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import { playgroundAccount, withWorkspace } from '../factories.ts'
import { passOutage, schedulePost } from '../outages.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath, readPost, waitUntilGone } from './pages.ts'

/** A workspace with three held posts, after an outage of three hours. */
async function afterOutage() {
  const t = await testApp()
  onTestFinished(t.close)
  const owner = await withWorkspace(t)
  const account_ids = [await playgroundAccount(owner)]
  const posts: { id: string }[] = []
  for (const content of ['Simit at seven', 'Tea at eight', 'Closed at nine'])
    posts.push(await schedulePost(t, owner, 60_000, { content, account_ids }))
  await passOutage(t, 3 * 3600_000)
  await t.runJobs()
  return { t, owner, posts }
}

test('the overview leads to held posts: one is published on its page, the others become drafts together', async () => {
  const { t, owner, posts } = await afterOutage()
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner))
  await main(page).getByText('3 posts were late and are held').waitFor()
  await expectPageAccessible(page, 'overview with held posts')
  await main(page).getByRole('link', { name: 'Decide' }).click()
  await page.getByRole('checkbox', { name: 'Select: Tea at eight' }).waitFor()
  expect(await main(page).getByRole('listitem').getByText('Held').count()).toBe(3)

  await page.getByRole('link', { name: /Simit at seven/ }).click()
  await page.getByText('This post was late and is held').waitFor()
  await expectPageAccessible(page, 'held post')
  await main(page).getByRole('button', { name: 'Publish now' }).click()
  await waitUntilGone(page.getByText('This post was late and is held'))
  await t.runJobs()
  await main(page).getByText('Published', { exact: true }).first().waitFor()

  await page.goBack()
  const bar = page.getByRole('region', { name: 'Selected posts' })
  await bar.getByText('Select all shown posts').click()
  await bar.getByRole('button', { name: 'Make a draft' }).click()
  await page.getByText('2 posts are drafts now.').waitFor()
  await page.getByText('No matching posts').waitFor()
  expect(await Promise.all(posts.map((post) => readPost(owner, post)))).toMatchObject([
    ...[{ status: 'published' }, { status: 'draft' }, { status: 'draft' }],
  ])
})
