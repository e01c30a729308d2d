import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { newPage } from './browser.ts'
import {
  blueskyAccount,
  expectPageAccessible,
  main,
  newPost,
  pagePath,
  textField,
  visit,
  waitUntilGone,
} from './pages.ts'

const t = await testApp({}, { live: true })
const bluesky = await blueskyServer()
afterAll(bluesky.close)

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await withWorkspace(t)
})

describe('posts that fail', () => {
  test('a failed post shows the account and the reason, is retried on demand, and appears as published without a reload', async () => {
    await playgroundAccount(owner)
    await blueskyAccount(owner, bluesky)
    const before = bluesky.records.size
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await page.getByRole('checkbox', { name: /^Playground/ }).check()
    await page.getByRole('checkbox', { name: /^Sky/ }).check()
    await textField(page).fill('Here and there')
    bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRecord' })
    await page.getByRole('button', { name: 'Publish now' }).click()

    await main(page).getByText('Partially published').waitFor()
    await page.getByText('Could not be published to one account').waitFor()
    await page.getByText('InvalidRecord').waitFor()
    await page.getByText('Bluesky rejected this post.').waitFor()
    await page.getByRole('link', { name: 'View on Playground' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'View on Bluesky' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'View on Bluesky' }).waitFor()
    await waitUntilGone(main(page).getByText('Partially published'))
    await waitUntilGone(page.getByText('Could not be published'))
    await waitUntilGone(page.getByRole('button', { name: 'Try again' }))
    expect([...bluesky.records.values()].slice(before).map(({ value }) => value.text)).toEqual(['Here and there'])
  })

  test('a post that failed because of its account links to reconnecting it, and is then published', async () => {
    const { id, handle, app_password } = await blueskyAccount(owner, bluesky)
    bluesky.changePassword(handle)
    const post = await newPost(owner, { content: 'Once more', account_ids: [id], publish_now: true })
    const page = await newPage(t, { as: owner, allow: ['POST /api/v1/accounts'] })
    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await main(page).getByText('Failed').first().waitFor()
    await page.getByText('Reconnect the account, then try again.').waitFor()
    // Trying again is not the main action while it cannot help.
    await page.locator('[data-variant=default]', { hasText: 'Try again' }).waitFor()
    expect(await main(page).getByRole('link', { name: 'Reconnect' }).count()).toBe(2)

    await page.getByRole('link', { name: 'Overview' }).click()
    const attention = page.getByRole('region', { name: 'Needs your attention' })
    await attention.getByRole('link', { name: /Once more/ }).waitFor()
    await attention.getByRole('link', { name: 'Sky is disconnected and needs to be reconnected.' }).click()

    const card = page.getByRole('article', { name: 'Sky' })
    await card.getByText('Disconnected').waitFor()
    await card.getByRole('button', { name: 'Reconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
    const guide = await dialog.getByRole('link', { name: 'How to connect Bluesky' }).getAttribute('href')
    expect((await page.request.get(guide ?? '')).status()).toBe(200)
    await dialog.getByLabel(/^Server/).fill(bluesky.url)
    await dialog.getByLabel(/^Handle/).fill(handle)
    await dialog.getByLabel(/^App password/).fill(app_password)
    await dialog.getByRole('button', { name: 'Connect' }).click()
    // The account has another password on the stand-in.
    await dialog.getByText(/(service|network) rejected|not accept|Invalid identifier/i).waitFor()
    await dialog.getByLabel(/^App password/).fill('another')
    await dialog.getByRole('button', { name: 'Connect' }).click()
    await waitUntilGone(dialog)
    await card.getByText('Connected').waitFor()

    await visit(page, pagePath(owner, `/posts/${post.id}`))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'View on Bluesky' }).waitFor()
  })

  test('a post waits visibly while its network is unreachable, without asking for action', async () => {
    const { id } = await blueskyAccount(owner, bluesky)
    bluesky.failNext({ kind: 'response', status: 429 })
    const post = await newPost(owner, { content: 'Later then', account_ids: [id], publish_now: true })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}`))
    await main(page).getByText('Pending').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    t.advance(20_000)
    await page.getByRole('link', { name: 'View on Bluesky' }).waitFor()
  })
})

test('the sidebar counts failed posts while they happen, until they are deleted', async () => {
  const { id } = await blueskyAccount(owner, bluesky)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/members'))
  await page.getByText('You', { exact: true }).waitFor()
  bluesky.failNext({ kind: 'response', status: 400, error: 'InvalidRecord' })
  const post = await newPost(owner, { content: 'Refused', account_ids: [id], publish_now: true })
  const badge = page
    .getByRole('link', { name: /^Posts/ })
    .getByRole('img', { name: '1 post failed in the last 7 days' })
  await badge.waitFor()
  await page.reload()
  await badge.waitFor()
  await expectPageAccessible(page, 'a failed post')
  expectStatus(await owner.call('DELETE', `/api/v1/posts/${post.id}`), 204)
  await waitUntilGone(badge)
})

test('mails about failed posts are turned off in the profile', async () => {
  const page = await newPage(t, { as: owner })
  await page.goto('/profile')
  await page.getByRole('switch', { name: 'Email me when my posts fail' }).uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Profile saved.').waitFor()
  expect((await owner.get('/api/v1/me')).body.mail_post_failures).toBe(false)
})
