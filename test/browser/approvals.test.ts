import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount } from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, ownerIn, pagePath, readPost, textField, visit } from './pages.ts'

const t = await testApp({}, { live: true })

test('an admin sets a policy, an author asks for an approval, and the review page says who it waits for', async () => {
  const owner = await ownerIn(t, 'UTC')
  await playgroundAccount(owner)
  const author = await memberOf(t, owner.workspace_id, 'author')
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/settings'))
  await page.getByRole('combobox', { name: 'Posts of this workspace are approved by' }).click()
  await page.getByRole('option', { name: 'Several steps' }).click()
  await page.getByRole('button', { name: 'Save policy' }).click()
  await page.getByText('Policy saved').waitFor()
  await expectPageAccessible(page, 'settings with a policy')

  const writer = await newPage(t, { as: author })
  await writer.goto(pagePath(owner, '/posts/new'))
  await textField(writer).fill('Warm simit')
  await writer.getByRole('button', { name: 'Ask for approval' }).click()
  await writer.waitForURL(/\/posts/)

  await visit(page, pagePath(owner, '/review'))
  await page.getByRole('article', { name: 'Warm simit' }).getByText('Waits for').waitFor()
  const { data } = expectStatus(await owner.get('/api/v1/posts?review=pending'), 200).body
  await page.keyboard.press('a')
  await page.getByText('Nothing to review').waitFor()
  expect(await readPost(owner, data[0])).toMatchObject({ review: 'approved' })
  await visit(page, pagePath(owner, `/posts/${data[0].id}`))
  await page.getByText('approved (step 1)').waitFor()
  await expectPageAccessible(page, 'post with decisions')

  await visit(writer, pagePath(owner, '/posts/new'))
  await textField(writer).fill('Cold simit')
  await writer.getByRole('button', { name: 'Ask for approval' }).click()
  await writer.waitForURL(/\/posts(?!\/new)/)
  const [cold] = expectStatus(await owner.get('/api/v1/posts?review=pending'), 200).body.data
  expectStatus(await owner.post(`/api/v1/posts/${cold.id}/reject`, { reason: 'Warm it.' }), 200)
  await visit(writer, pagePath(owner, `/posts/${cold.id}/edit`))
  await textField(writer).fill('Warmed simit')
  await writer.locator('[data-publish-time]').getByText('Now').click()
  await writer.getByRole('button', { name: 'Ask for approval' }).click()
  await writer.waitForURL(/\/posts(?!.*edit)/)
  expect(await readPost(owner, cold)).toMatchObject({ content: 'Warmed simit', review: 'pending' })
})
