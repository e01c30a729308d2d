import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { newPage, openBrowser } from './browser.ts'
import { expectPageAccessible, newPost, pagePath, waitUntilGone } from './pages.ts'

let t: TestApp
let browser: Browser
let bluesky: Awaited<ReturnType<typeof blueskyServer>>
let owner: WorkspaceOwner
let account: string
beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await openBrowser()
  bluesky = await blueskyServer()
  owner = await withWorkspace(t)
  const input = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  account = expectStatus(await owner.post('/api/v1/accounts', input), 201).body.id
})
afterAll(async () => {
  await browser?.close()
  bluesky?.close()
  await t?.close()
})

test('the sidebar counts failed posts while they happen, until they are deleted', async () => {
  const page = await newPage(browser, t, { as: owner })
  await page.goto(pagePath(owner, '/members'))
  await page.getByText('You', { exact: true }).waitFor()
  bluesky.failNext({ kind: 'answer', status: 400, error: 'InvalidRecord' })
  const post = await newPost(owner, { content: 'Refused', account_ids: [account], publish_now: true })
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
  const page = await newPage(browser, t, { as: owner })
  await page.goto('/profile')
  await page.getByRole('switch', { name: 'Email me when my posts fail' }).uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Profile saved.').waitFor()
  expect((await owner.get('/api/v1/me')).body.mail_post_failures).toBe(false)
})
