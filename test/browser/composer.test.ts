import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { newPage, openBrowser } from './browser.ts'
import { newPost, pagePath, readPost, waitUntilGone } from './pages.ts'

let t: TestApp
let browser: Browser
beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await t?.close()
})

let owner: WorkspaceOwner
let account: string
beforeEach(async () => {
  owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
})

const textField = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const saveDraft = (page: Page) => page.getByRole('button', { name: 'Save draft' })
const labelsOf = async (id: string): Promise<string[]> =>
  expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body.labels

describe('two people edit one post', () => {
  test('a text that both changed is shown side by side, and nothing is saved before a choice', async () => {
    const colleague = await memberOf(t, owner.workspace_id, 'editor')
    const post = await newPost(owner, { content: 'First', account_ids: [account], labels: ['old'] })
    const page = await newPage(browser, t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
    await textField(page).fill('Mine')
    expectStatus(await colleague.patch(`/api/v1/posts/${post.id}`, { content: 'Theirs', labels: ['new'] }), 200)

    const conflict = page.getByRole('alert').filter({ hasText: 'changed this post' })
    const text = conflict.getByRole('region', { name: 'Text' })
    await text.getByText('Theirs', { exact: true }).waitFor()
    await conflict.getByText('The form now shows the new version of: Labels.').waitFor()
    await saveDraft(page).click()
    await expect.poll(() => conflict.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
    expect((await readPost(owner, post)).content).toBe('Theirs')

    await text.getByRole('button', { name: 'Combine in the text field' }).click()
    await waitUntilGone(conflict)
    expect(await textField(page).inputValue()).toBe('Mine\n\nTheirs')
    await saveDraft(page).click()
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    expect((await readPost(owner, post)).content).toBe('Mine\n\nTheirs')
    expect(await labelsOf(post.id)).toEqual(['new'])
  })

  test('a save that loses the race replaces nothing', async () => {
    const colleague = await memberOf(t, owner.workspace_id, 'editor')
    const post = await newPost(owner, { content: 'First', account_ids: [account] })
    const page = await newPage(browser, t, { as: owner, allow: [`412 PATCH /api/v1/posts/${post.id}`] })
    await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
    await textField(page).fill('Mine')
    // The page does not learn of the change before it saves.
    await page.route('**/api/v1/posts?*', (route) => route.abort('aborted'))
    expectStatus(await colleague.patch(`/api/v1/posts/${post.id}`, { content: 'Theirs' }), 200)
    await saveDraft(page).click()
    const text = page.getByRole('region', { name: 'Text' })
    await text.getByRole('button', { name: 'Use theirs' }).click()
    expect(await textField(page).inputValue()).toBe('Theirs')
    expect((await readPost(owner, post)).content).toBe('Theirs')

    await textField(page).fill('Agreed')
    expectStatus(await colleague.patch(`/api/v1/posts/${post.id}`, { labels: ['spring'] }), 200)
    await saveDraft(page).click()
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    expect((await readPost(owner, post)).content).toBe('Agreed')
    expect(await labelsOf(post.id)).toEqual(['spring'])
  })
})

test('the composer keeps the focus: in a text of its own, and at the first wrong field', async () => {
  await playgroundAccount(owner)
  const page = await newPage(browser, t, { as: owner, allow: ['400 POST /api/v1/posts'] })
  await page.goto(pagePath(owner, '/posts/new'))
  const boxes = page.getByRole('group', { name: 'Publish to' }).getByRole('checkbox')
  for (const at of [0, 1]) await boxes.nth(at).check()
  await page.getByText('Customize text for:').locator('..').getByRole('button').first().press('Enter')
  const own = page.getByRole('textbox', { name: /^Text for/ })
  await expect.poll(() => own.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
  await own.fill('x'.repeat(5001))
  await textField(page).fill('Fine')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect.poll(() => own.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
})

test('the accounts used last are chosen for the next post', async () => {
  await playgroundAccount(owner)
  const page = await newPage(browser, t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  const boxes = page.getByRole('group', { name: 'Publish to' }).getByRole('checkbox')
  await boxes.nth(1).check()
  await page.getByText('Save as draft').click()
  await textField(page).fill('One')
  await page.getByRole('button', { name: 'Save and write another' }).click()
  await expect.poll(() => textField(page).inputValue()).toBe('')
  expect([await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked()]).toEqual([false, true])
})
