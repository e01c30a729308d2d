import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { withWorkspace } from '../factories.ts'
import { writeForReview } from '../posts.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, pagePath, readPost } from './pages.ts'

const t = await testApp({}, { live: true })

test('posts that wait for review are approved and rejected by keyboard', async () => {
  const owner = await withWorkspace(t)
  const [first, second] = [await writeForReview(t, owner, 'Warm simit'), await writeForReview(t, owner, 'Cold tea')]
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/review'))
  await page.getByRole('article', { name: 'Warm simit' }).waitFor()
  await expectPageAccessible(page, 'review')
  await page.keyboard.press('a')
  await page.getByRole('article', { name: 'Warm simit' }).waitFor({ state: 'hidden' })
  expect(await readPost(owner, first)).toMatchObject({ review: 'approved' })
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Tea is served hot.')
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Nothing to review').waitFor()
  expect(await readPost(owner, second)).toMatchObject({ review: 'rejected', review_reason: 'Tea is served hot.' })
})

test('a text that changed since it was shown is shown again before anybody approves it', async () => {
  const owner = await withWorkspace(t)
  const post = await writeForReview(t, owner, 'Warm simit')
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/posts/${post.id}`))
  await page.getByRole('alert').getByRole('button', { name: 'Approve' }).waitFor()
  await expectPageAccessible(page, 'post in review')
  expect(await page.getByRole('button', { name: 'Publish now' }).count()).toBe(0)
  await owner.patch(`/api/v1/posts/${post.id}`, { content: 'Burnt simit' })
  await page.getByRole('alert').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Somebody changed this post.').waitFor()
  await page.getByText('Burnt simit').waitFor()
  expect(await readPost(owner, post)).toMatchObject({ review: 'pending' })
  await page.getByRole('alert').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Approve' }).waitFor({ state: 'hidden' })
  expect(await readPost(owner, post)).toMatchObject({ review: 'approved' })
})
