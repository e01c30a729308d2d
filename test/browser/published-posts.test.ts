import { afterAll, expect, test } from 'vitest'
import { newWebhookSecret } from '../../server/lib/crypto/webhook-signature.ts'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../factories.ts'
import { uploaded } from '../media.ts'
import { webhookReceiver } from '../receiver.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, newPost, pagePath, readPost, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
const receiver = await webhookReceiver()
afterAll(receiver.close)

test('a member finds a post whose response was lost, and gives its address', async () => {
  const owner = await withWorkspace(t)
  const form = { network: 'http', url: receiver.url, secret: newWebhookSecret() }
  const { body: account } = expectStatus(await owner.post('/api/v1/accounts', form), 201)
  receiver.respondWith((response, { type }) => response.writeHead(type === 'post.publish' ? 500 : 200).end())
  const post = await newPost(owner, { content: 'Lost', account_ids: [account.id], publish_now: true })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/posts/${post.id}`))
  const question = page.getByRole('group', { name: /^Is the post on/ })
  await question.getByRole('textbox', { name: /^Link to the post/ }).fill('https://blog.example/1')
  await expectPageAccessible(page, 'question')
  await question.getByRole('button', { name: 'It is there' }).click()
  await page.getByRole('link', { name: /^View on/ }).waitFor()
  expect((await readPost(owner, post)).targets).toMatchObject([{ status: 'published', url: 'https://blog.example/1' }])
})

test('the Playground shows the files of a post', async () => {
  const owner = await withWorkspace(t)
  const { id } = await uploaded(owner)
  expectStatus(await owner.patch(`/api/v1/media/${id}`, { alt: 'Simit on a tray' }), 200)
  await newPost(owner, {
    content: 'Fresh simit',
    media_ids: [id],
    account_ids: [await playgroundAccount(owner)],
    publish_now: true,
  })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/playground'))
  await page.getByRole('article').getByRole('img', { name: 'Simit on a tray' }).waitFor()
})

test('a published thread is shown, edited on its network, and deleted there', async () => {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const post = await newPost(owner, {
    content: 'First',
    thread: [{ content: 'Second' }],
    first_comment: 'A comment',
    account_ids: [account],
    publish_now: true,
  })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/posts/${post.id}`))
  await page.getByRole('region', { name: 'Part 2' }).getByText('Second').waitFor()
  await page.getByRole('region', { name: 'First comment' }).getByText('A comment').waitFor()
  await page.getByRole('button', { name: 'Edit on Playground' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit on Playground' })
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Better')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await waitUntilGone(dialog)
  await page.getByText('Better').first().waitFor()

  await page.getByRole('button', { name: 'Delete from networks' }).click()
  const ask = page.getByRole('dialog', { name: 'Delete this post from its networks?' })
  await ask.getByRole('button', { name: 'Delete from networks' }).click()
  await waitUntilGone(ask)
  await expect.poll(async () => (await readPost(owner, post)).status).toBe('unpublished')
})
