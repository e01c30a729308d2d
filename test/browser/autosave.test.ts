import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { uploaded } from '../media.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { newPage } from './browser.ts'
import { blueskyAccount, main, newPost, pagePath, readPost, showMorePages, textField, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })

let owner: WorkspaceOwner
let account: string
beforeEach(async () => {
  owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
})

const status = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const allPosts = async () => expectStatus(await owner.get('/api/v1/posts'), 200).body.data

test('a new post becomes a draft with its first text, continues after a reload, and is published once', async () => {
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  await textField(page).fill('Fresh simit')
  await status(page, 'Saved as a draft').waitFor()
  expect(await allPosts()).toMatchObject([{ content: 'Fresh simit', status: 'draft' }])
  await page.waitForURL(/draft=/)
  await page.reload()
  await page.waitForURL(/\/edit$/)
  await textField(page).fill('Fresh simit, every morning')
  await status(page, 'Saved as a draft').waitFor()
  await page.getByText('Now', { exact: true }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('link', { name: 'View on Playground' }).waitFor()
  expect(await allPosts()).toMatchObject([{ content: 'Fresh simit, every morning', status: 'published' }])
})

test('the button for a new post begins another one, and leaving the form saves what was just typed', async () => {
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  await textField(page).fill('One')
  await page.waitForURL(/draft=/)
  await page.getByRole('button', { name: 'New post' }).first().click()
  await expect.poll(() => textField(page).inputValue()).toBe('')
  await textField(page).fill('Two')
  await showMorePages(page)
  await page.getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
  const contents = (await allPosts()).map(({ content }: { content: string }) => content)
  expect(contents.toSorted()).toEqual(['One', 'Two'])
  await page.getByRole('button', { name: 'Discard' }).last().click()
  await expect.poll(async () => (await allPosts()).length).toBe(1)
})

test('a draft whose response was lost is saved once, and a refused one is kept in the form with the reason', async () => {
  const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED', '422 PATCH'] })
  await page.goto(pagePath(owner, '/posts/new'))
  let lost = 0
  await page.route('**/api/v1/posts', async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await textField(page).fill('Only one')
  await status(page, 'Saved as a draft').waitFor()
  expect(await allPosts()).toHaveLength(1)

  const problem = { type: 'about:blank', title: 'x', status: 422, detail: 'No more room.', code: 'limit_exceeded' }
  await page.route('**/api/v1/posts/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(problem) })
      : route.continue(),
  )
  await textField(page).fill('Only one, longer')
  await status(page, 'Not saved:').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Save now' }).click()
  await status(page, 'Saved as a draft').waitFor()
  expect(await allPosts()).toMatchObject([{ content: 'Only one, longer' }])
})

test('a file that a network does not take is a problem at the file before the post is scheduled', async () => {
  const { id } = await uploaded(owner, { bytes: Buffer.from('%PDF-1.7\n%%EOF\n', 'latin1'), name: 'menu.pdf' })
  const bluesky = await blueskyServer()
  onTestFinished(() => bluesky.close())
  const sky = await blueskyAccount(owner, bluesky)
  const post = await newPost(owner, { content: 'See the menu', account_ids: [sky.id] })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
  await page.getByRole('button', { name: 'From the library' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^menu\.pdf/ })
    .click()
  await page.getByRole('button', { name: 'Use 1 file' }).click()
  const problem = main(page).getByRole('alert').filter({ hasText: 'Documents are not accepted.' })
  await problem.waitFor()
  expect(await readPost(owner, post)).toMatchObject({ status: 'draft', media_ids: [id] })
  await page.getByRole('button', { name: 'Remove menu.pdf' }).click()
  await waitUntilGone(problem)
})

test('a scheduled post is saved only on purpose', async () => {
  const post = await newPost(owner, {
    content: 'Tomorrow',
    account_ids: [account],
    scheduled_at: new Date(Date.now() + 86_400_000),
  })
  const page = await newPage(t, { as: owner })
  await page.clock.install()
  await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
  await textField(page).fill('The day after')
  const polled = page.waitForResponse((response) => response.url().includes('/api/v1/me/pulse'))
  await page.clock.runFor(10_000)
  await polled
  expect((await readPost(owner, post)).content).toBe('Tomorrow')
})

describe('two people in one draft', () => {
  test('each sees the changes of the other, and what both changed waits for a choice without losing text', async () => {
    const colleague = await memberOf(t, owner.workspace_id, 'editor')
    const post = await newPost(owner, { content: 'First', account_ids: [account] })
    const mine = await newPage(t, { as: owner, allow: ['412 PATCH'] })
    const theirs = await newPage(t, { as: colleague })
    for (const page of [mine, theirs]) await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
    await theirs.getByRole('textbox', { name: 'First comment (optional)' }).fill('See the menu')
    await status(theirs, 'Saved as a draft').waitFor()
    const comment = mine.getByRole('textbox', { name: 'First comment (optional)' })
    await expect.poll(() => comment.inputValue()).toBe('See the menu')

    // This page does not learn of the next change before it saves.
    await mine.route('**/api/v1/posts?*', (route) => route.fulfill({ json: { data: [], next_cursor: null } }))
    await textField(theirs).fill('Theirs')
    await expect.poll(async () => (await readPost(owner, post)).content).toBe('Theirs')
    await textField(mine).fill('Mine')
    const part = mine.getByRole('alert').getByRole('region', { name: 'Text' })
    await part.getByText('Theirs', { exact: true }).waitFor()
    expect(await textField(mine).inputValue()).toBe('Mine')
    expect((await readPost(owner, post)).content).toBe('Theirs')
    await part.getByRole('button', { name: 'Combine in the text field' }).click()
    await waitUntilGone(part)
    await expect.poll(() => textField(theirs).inputValue()).toBe('Mine\n\nTheirs')
  })

  test('a draft that a colleague schedules is no longer saved by itself', async () => {
    const post = await newPost(owner, { content: 'First', account_ids: [account] })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
    await main(page).getByRole('button', { name: 'Save draft' }).waitFor()
    const scheduled_at = new Date(Date.now() + 86_400_000)
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { scheduled_at }), 200)
    await page.getByRole('button', { name: 'Save changes' }).waitFor()
    await textField(page).fill('Second')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  })
})
