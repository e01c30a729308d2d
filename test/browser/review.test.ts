import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../factories.ts'
import { writeForReview } from '../posts.ts'
import { until } from '../until.ts'
import { newPage } from './browser.ts'
import { countActions, dayIn, expectPageAccessible, ownerIn, pagePath, readPost, visit } from './pages.ts'

const t = await testApp({}, { live: true })

test('posts that wait for review are approved and rejected by keyboard', async () => {
  const owner = await withWorkspace(t)
  const [first, second] = [await writeForReview(t, owner, 'Warm simit'), await writeForReview(t, owner, 'Cold tea')]
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/review'))
  await page.getByRole('article', { name: 'Warm simit' }).waitFor()
  const badge = page.getByRole('link', { name: 'Review' }).getByRole('img')
  await badge.getByText('2').waitFor()
  await expectPageAccessible(page, 'review')
  await page.keyboard.press('a')
  await page.getByRole('article', { name: 'Warm simit' }).waitFor({ state: 'hidden' })
  expect(await readPost(owner, first)).toMatchObject({ review: 'approved' })
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Tea is served hot.')
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Nothing to review').waitFor()
  await badge.waitFor({ state: 'hidden' })
  expect(await readPost(owner, second)).toMatchObject({ review: 'rejected', review_reason: 'Tea is served hot.' })
})

test('a week of posts is approved with eight keys at most', async () => {
  const owner = await withWorkspace(t)
  for (let day = 1; day <= 7; day++) await writeForReview(t, owner, `Dish of day ${day}`)
  const page = await newPage(t, { as: owner })
  const counts = await countActions(page)
  await page.goto(pagePath(owner, '/review'))
  for (let day = 1; day <= 7; day++) {
    const post = page.getByRole('article', { name: `Dish of day ${day}` })
    await post.waitFor()
    await page.keyboard.press('a')
    await post.waitFor({ state: 'hidden' })
  }
  await page.getByText('Nothing to review').waitFor()
  console.log(`A week of an agent is approved: ${counts.keys} keys`)
  expect(counts).toMatchObject({ clicks: 0, keys: 7 })
  const { data } = expectStatus(await owner.get('/api/v1/posts?review=approved'), 200).body
  expect(data.length).toBe(7)
})

test('a post in review is in the calendar at its time, which its form keeps, and leads back there', async () => {
  const owner = await ownerIn(t, 'UTC')
  const account_ids = [await playgroundAccount(owner)]
  const post = await writeForReview(t, owner, 'Warm simit')
  const at = `${dayIn('UTC', 1)}T15:00:00.000Z`
  expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { scheduled_at: at, account_ids }), 200)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts'))
  await page.getByRole('link', { name: /Warm simit.*(15|3|03):00.*Waiting for review/ }).waitFor()
  await visit(page, pagePath(owner, `/calendar?view=day&date=${at.slice(0, 10)}`))
  await page.getByRole('link', { name: /Warm simit.*Waiting for review/ }).click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page
    .getByRole('dialog', { name: 'Edit post' })
    .getByRole('button', { name: /^When: / })
    .waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog', { name: 'Edit post' }).waitFor({ state: 'hidden' })
  expect(await readPost(owner, post)).toMatchObject({ review: 'pending', review_scheduled_at: at })
  await page.getByRole('link', { name: /Warm simit.*Waiting for review/ }).click()
  await page.getByRole('link', { name: '‹ Calendar' }).click()
  await page.waitForURL(/view=day/)
})

test('an approved post that is changed is shown for review again, and its form says so before', async () => {
  const owner = await withWorkspace(t)
  await playgroundAccount(owner)
  const post = await writeForReview(t, owner, 'Warm simit')
  expectStatus(await owner.post(`/api/v1/posts/${post.id}/approve`, {}), 200)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
  await page.getByText('it waits for approval again').waitFor()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Burnt simit')
  await until(async () => expect(await readPost(owner, post)).toMatchObject({ review: 'pending' }))
  await visit(page, pagePath(owner, '/review'))
  await page.getByRole('article', { name: 'Burnt simit' }).waitFor()
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
