import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf } from '../factories.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, newPost, ownerIn, pagePath, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })

/** A post with its comments, of an owner and an author. */
async function commentedPost() {
  const owner = await ownerIn(t, 'Europe/Istanbul', { name: 'Grace' })
  const author = await memberOf(t, owner.workspace_id, 'author')
  expectStatus(await author.patch('/api/v1/me', { name: 'Deniz Kaya' }), 200)
  const { id } = await newPost(author, { content: 'Fresh simit' })
  const path = `/api/v1/posts/${id}/comments`
  const bodies = async () =>
    expectStatus(await owner.get(path), 200).body.data.map(({ body }: { body: string | null }) => body)
  return { owner, author, path, bodies, page: `/posts/${id}` }
}

test('a member is mentioned, replied to and a discussion is resolved, with the keyboard alone', async () => {
  const { owner, author, path, bodies, page: address } = await commentedPost()
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, address))
  const comments = page.getByRole('region', { name: 'Comments' })
  await comments.getByText('No comments yet.').waitFor()
  const field = comments.getByRole('textbox', { name: 'New comment' })
  await field.focus()
  await page.keyboard.type('Shorter, @den')
  await page.getByRole('option', { name: 'Deniz Kaya' }).waitFor()
  await page.keyboard.press('Enter')
  await until(async () => expect(await field.inputValue()).toBe('Shorter, @Deniz Kaya '))
  await page.keyboard.type('please')
  await page.keyboard.press('Control+Enter')
  await comments.getByRole('listitem').getByText('@Deniz Kaya').waitFor()
  expect(await bodies()).toEqual([`Shorter, @[${author.id}] please`])
  await until(async () => expect(await field.inputValue()).toBe(''))

  await comments.getByRole('button', { name: 'Edit comment' }).press('Enter')
  const edited = comments.getByRole('textbox', { name: 'Edit comment' })
  await until(async () => expect(await edited.inputValue()).toBe('Shorter, @Deniz Kaya please'))
  await edited.press('End')
  await page.keyboard.type('!')
  await page.keyboard.press('Control+Enter')
  await comments.getByText('edited', { exact: false }).waitFor()
  expect(await bodies()).toEqual([`Shorter, @[${author.id}] please!`])

  await comments.getByRole('button', { name: 'Reply' }).press('Enter')
  await page.keyboard.type('See https://example.com/simit.')
  await page.keyboard.press('Control+Enter')
  const link = comments.getByRole('link', { name: 'https://example.com/simit' })
  await link.waitFor()
  expect(await link.getAttribute('href')).toBe('https://example.com/simit')
  await expectPageAccessible(page, 'comments')

  const [first] = expectStatus(await owner.get(path), 200).body.data.toReversed()
  await comments.getByRole('button', { name: 'Resolve', exact: true }).press('Enter')
  await comments.getByText('All discussions are resolved.').waitFor()
  expect(expectStatus(await owner.get(`${path}/${first.id}`), 200).body.resolved_at).not.toBeNull()
  await comments.getByText('Resolved (1)').click()
  await comments.getByText('Resolved by Grace').waitFor()
  await comments.getByRole('button', { name: 'Reopen' }).press('Enter')
  await waitUntilGone(comments.getByText('Resolved (1)'))
})

test('a comment is deleted after a confirmation on a phone, and stays without its text for its replies', async () => {
  const { owner, author, path, bodies, page: address } = await commentedPost()
  const { id } = expectStatus(await author.post(path, { body: 'Wrong' }), 201).body
  expectStatus(await owner.post(path, { body: 'Why?', parent_id: id }), 201)
  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
  const page = await newPage(t, { as: owner, ...PHONE, locale: 'tr' })
  await page.goto(pagePath(owner, address))
  const comments = page.getByRole('region', { name: 'Yorumlar' })
  await comments.getByRole('button', { name: 'Deniz Kaya adlı üyenin yorumunu sil' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Yorumu sil' }).tap()
  await comments.getByText('Bu yorum silindi.').waitFor()
  expect(await bodies()).toEqual(['Why?', null])
  await expectPageAccessible(page, 'comments on a phone')
})

test('viewers read the comments and write none', async () => {
  const { owner, author, path, page: address } = await commentedPost()
  expectStatus(await author.post(path, { body: 'Too long?' }), 201)
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  const page = await newPage(t, { as: viewer })
  await page.goto(pagePath(owner, address))
  const comments = page.getByRole('region', { name: 'Comments' })
  await comments.getByText('Too long?').waitFor()
  expect(await comments.getByRole('button').count()).toBe(0)
  expect(await comments.getByRole('textbox').count()).toBe(0)
})
