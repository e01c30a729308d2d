import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { newPage } from './browser.ts'
import { dayIn, expectPageAccessible, newPost, pagePath, readPost, textField, visit, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await withWorkspace(t)
})

describe('existing posts', () => {
  test('a post is changed, duplicated and published at once', async () => {
    const account = await playgroundAccount(owner)
    const at = `${dayIn('UTC', 2)}T09:30:00.000Z`
    const post = await newPost(owner, { content: 'Tomorrow', account_ids: [account], scheduled_at: at })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await page.getByRole('link', { name: 'Edit' }).click()
    await textField(page).fill('Tomorrow, more or less')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('region', { name: 'Text' }).getByText('Tomorrow, more or less').waitFor()
    expect(await readPost(owner, post)).toMatchObject({ status: 'scheduled', scheduled_at: at })

    await page.getByRole('button', { name: 'More actions for this post' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'New post' }).waitFor()
    expect(await textField(page).inputValue()).toBe('Tomorrow, more or less')
    expect(await page.getByRole('checkbox', { name: /^Playground/ }).isChecked()).toBe(true)

    await visit(page, pagePath(owner, `/posts/${post.id}`))
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('link', { name: 'View on Playground' }).waitFor()
    await waitUntilGone(page.getByRole('link', { name: 'Edit' }))
  })

  test('undoing the deletion of a post restores it with its time', async () => {
    const account = await playgroundAccount(owner)
    const at = new Date(t.clock.now().getTime() + 86_400_000).toISOString()
    const post = await newPost(owner, { content: 'Not forgotten', account_ids: [account], scheduled_at: at })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    await page.getByRole('link', { name: /Not forgotten/ }).waitFor()
    await page.getByRole('button', { name: 'More actions for this post' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await waitUntilGone(page.getByRole('link', { name: /Not forgotten/ }))
    await page.getByText('No posts yet').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Post restored.').waitFor()
    await page.getByRole('link', { name: /Not forgotten/ }).waitFor()
    expect(await readPost(owner, post)).toMatchObject({ status: 'scheduled', scheduled_at: at })
  })

  test('deleting a post on its own page leads to the list', async () => {
    const post = await newPost(owner, { content: 'Gone soon' })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await page.getByRole('button', { name: 'More actions for this post' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: /Gone soon/ }).waitFor()
  })
})

describe('the list of posts', () => {
  test('the list has its filters in the URL, searches texts, and reports that nothing matches', async () => {
    const account = await playgroundAccount(owner)
    await newPost(owner, { content: 'An apple', account_ids: [account], publish_now: true })
    await newPost(owner, { content: 'A pear' })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    const apple = page.getByRole('link', { name: /An apple/ })
    const pear = page.getByRole('link', { name: /A pear/ })
    await apple.getByText('Published').waitFor()
    await pear.waitFor()

    await page.getByRole('searchbox', { name: 'Search text' }).fill('PEAR')
    await waitUntilGone(apple)
    await page.waitForURL(/search=PEAR/)
    await page.reload()
    await pear.waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('PEAR')
    await expect.poll(() => apple.count()).toBe(0)

    await choose(page, 'Status', 'Published')
    await page.getByText('No matching posts').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await apple.waitFor()
    await pear.waitFor()
    expect(new URL(page.url()).search).toBe('')

    await choose(page, 'Account', /^Playground/)
    await waitUntilGone(pear)
    await page.waitForURL(/account=/)
    await apple.waitFor()
  })

  test('the posts of the workspace are saved as CSV', async () => {
    await newPost(owner, { content: 'A pear' })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export all' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv).toMatch(/^\ufeffdate,.*,likes,.*\r\n.*A pear/)
  })

  test('the list is filtered by author and by a label, typed or suggested', async () => {
    const colleague = await memberOf(t, owner.workspace_id, 'author')
    await newPost(owner, { content: 'An apple', labels: ['autumn'] })
    await newPost(owner, { content: 'A cherry', labels: ['spring'] })
    await newPost(colleague, { content: 'A pear', labels: ['autumn'] })
    expectStatus(await colleague.patch('/api/v1/me', { name: 'Grace' }), 200)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    const post = (name: string) => page.getByRole('link', { name })
    const [apple, cherry, pear] = [post('An apple'), post('A cherry'), post('A pear')]
    await choose(page, 'Author', 'Grace')
    await waitUntilGone(apple)
    await pear.waitFor()
    await page.waitForURL(new RegExp(`author=${colleague.id}`))
    // Choosing it again clears the filter.
    await choose(page, 'Author', 'Grace')
    await cherry.waitFor()

    await choose(page, 'Label', 'autumn')
    await waitUntilGone(cherry)
    await apple.waitFor()
    await page.waitForURL(/label=autumn/)
    await page.reload()
    await pear.waitFor()
    const label = page.getByRole('combobox', { name: 'Label' })
    expect(await label.inputValue()).toBe('autumn')
    await label.fill('spring')
    await label.press('Enter')
    await cherry.waitFor()
    await expectPageAccessible(page, 'filters')
    await label.fill('winter')
    await label.press('Enter')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await pear.waitFor()
    expect(await label.inputValue()).toBe('')
  })

  test('the list shows the newest posts, and more on demand', async () => {
    for (let number = 1; number <= 27; number++) await newPost(owner, { content: `Post number ${number}` })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    await page.getByRole('link', { name: /Post number 27/ }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /Post number/ }).count()).toBe(25)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('link', { name: /Post number 1 / }).waitFor()
    await waitUntilGone(page.getByRole('button', { name: 'Show more' }))
    await expect.poll(() => page.getByRole('link', { name: /Post number/ }).count()).toBe(27)
  })

  test('the list shows posts that were written elsewhere without a reload', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts'))
    await page.getByText('No posts yet').waitFor()
    await newPost(owner, { content: 'From the other side' })
    await page.getByRole('link', { name: /From the other side/ }).waitFor()
  })

  async function choose(page: Page, filter: string, option: string | RegExp) {
    await page.getByRole('search').getByLabel(filter, { exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
})
