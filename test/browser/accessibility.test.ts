import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import {
  expectStatus,
  memberOf,
  PASSWORD,
  playgroundAccount,
  signedIn,
  withToken,
  withWorkspace,
} from '../factories.ts'
import { totp } from '../people.ts'
import { blueskyServer, type Failure } from '../stand-ins/bluesky.ts'
import { until } from '../until.ts'
import { newPage } from './browser.ts'
import { dayIn, expectPageAccessible, main, newPost, ownerIn, pagePath, readPost, visit } from './pages.ts'

const t = await testApp({}, { live: true })
const bluesky = await blueskyServer()
afterAll(bluesky.close)
/** Owns a workspace with accounts and posts in every state, and is instance admin. */
const owner = await ownerIn(t, 'UTC', { instanceAdmin: true, name: 'Ada Lovelace', workspace: 'Everything' })
const posts: Record<string, string> = {}

const square = await playgroundAccount(owner)
const connect = async (name: string) => {
  const fields = bluesky.addAccount()
  const input = { network: 'bluesky', name, service: bluesky.url, ...fields }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', input), 201)
  return { id: body.id as string, handle: fields.handle }
}
const sky = await connect('Sky')
const lost = await connect('Lost')
const publish = async (state: string, accounts: string[], failure?: Failure) => {
  bluesky.failNext(...(failure ? [failure] : []))
  const content = `This one is ${state}, see https://example.com #all`
  const post = await newPost(owner, { content, account_ids: accounts, labels: ['autumn'], publish_now: true })
  posts[state] = post.id
  await until(async () => expect((await readPost(owner, post)).targets).toHaveLength(accounts.length))
  await until(async () => {
    const { targets } = await readPost(owner, post)
    expect(targets.filter(({ attempts }) => attempts === 0)).toEqual([])
    expect(targets.filter(({ status }) => status === 'publishing')).toEqual([])
  })
}
posts.draft = (await newPost(owner, { content: '' })).id
const scheduled = { content: 'Tomorrow', account_ids: [square, sky.id] }
posts.scheduled = (await newPost(owner, { ...scheduled, scheduled_at: `${dayIn('UTC', 1)}T09:00:00Z` })).id
await publish('published', [square, sky.id])
await publish('partially_published', [square, sky.id], { kind: 'response', status: 400, error: 'InvalidRecord' })
await publish('unconfirmed', [sky.id], { kind: 'hang_up', arrives: false })
await publish('waiting', [sky.id], { kind: 'response', status: 429, headers: { 'retry-after': '3600' } })
bluesky.changePassword(lost.handle)
await publish('failed', [lost.id])
expectStatus(await owner.post('/api/v1/webhooks', { url: `${bluesky.url}/hook`, events: ['*'] }), 201)
await withToken(t, owner, ['posts:read'])
await t.anyone.post('/api/auth/sign-up/email', { name: 'Grace', email: 'grace@example.com', password: PASSWORD })

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()

describe('axe on pages of a workspace', () => {
  test('overview, calendar and post list have no serious axe finding in light and dark', async () => {
    const page = await newPage(t, { as: owner })
    await visit(page, pagePath(owner))
    await page.getByRole('region', { name: 'Needs your attention' }).waitFor()
    await page.getByRole('region', { name: 'Recently published' }).getByRole('link').first().waitFor()
    await expectPageAccessible(page, 'overview')
    for (const view of ['month', 'week', 'day']) {
      await visit(page, pagePath(owner, `/calendar?view=${view}`))
      await page.getByRole('table').getByRole('link').first().waitFor()
      await expectPageAccessible(page, `calendar, ${view}`)
    }
    await visit(page, pagePath(owner, '/posts'))
    await main(page)
      .getByRole('link', { name: /This one is failed/ })
      .waitFor()
    await expectPageAccessible(page, 'posts')
    await visit(page, pagePath(owner, '/posts?search=nothing'))
    await page.getByText('No matching posts').waitFor()
    await expectPageAccessible(page, 'posts, none found')
  })

  test('the page of a post has no serious axe finding in light and dark, in every state', async () => {
    const page = await newPage(t, { as: owner })
    for (const state of [
      'scheduled',
      'waiting',
      'unconfirmed',
      'published',
      'partially_published',
      'failed',
      'draft',
    ]) {
      await visit(page, pagePath(owner, `/posts/${posts[state]}`))
      await page.getByRole('region', { name: /^(Accounts|Published to)$/ }).waitFor()
      if (state === 'draft') await page.getByRole('button', { name: 'More actions for this post' }).click()
      await expectPageAccessible(page, state)
    }
  })

  test('the post form has no serious axe finding in light and dark', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/posts/new'))
    await page.getByRole('checkbox', { name: /^Sky/ }).check()
    await page.getByRole('checkbox', { name: /^Playground/ }).check()
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('x'.repeat(301))
    await page.getByRole('button', { name: 'Add to thread' }).click()
    await page.getByText('Later').click()
    await page.getByText('1 character too long').waitFor()
    await expectPageAccessible(page, 'compose')
    await page.getByRole('tab', { name: 'Sky' }).click()
    await page.getByRole('textbox', { name: 'Text for Sky' }).fill('Short')
    await expectPageAccessible(page, 'compose, one account')
    await page.getByLabel(/^Date and time in/).click()
    await page.getByRole('dialog').waitFor()
    await expectPageAccessible(page, 'picker')
    await page.keyboard.press('Escape')
    await page.getByText('Saved as a draft').waitFor()
    await page.goto(pagePath(owner, `/posts/${posts.scheduled}/edit`))
    await page.getByRole('button', { name: 'Save changes' }).waitFor()
    await expectPageAccessible(page, 'edit')
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Changed')
    await page.getByRole('link', { name: /^Posts/ }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await expectPageAccessible(page, 'leaving')
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.goto(pagePath(owner, `/posts/${posts.published}/edit`))
    await page.getByText('This post can no longer be edited').waitFor()
    await expectPageAccessible(page, 'edit, too late')
  })

  test('a picker has no serious axe finding on days of the month before', async () => {
    const page = await newPage(t, { as: owner })
    await page.clock.setFixedTime('2034-11-30T23:30:00Z')
    await page.goto(pagePath(owner, '/posts/new'))
    await page.getByText('Later').click()
    await page.getByLabel(/^Date and time in/).click()
    await page.getByRole('button', { name: '30 November 2034' }).and(page.locator(':enabled')).waitFor()
    await expectPageAccessible(page, 'picker')
  })

  test('accounts, Playground and webhooks have no serious axe finding in light and dark', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/accounts'))
    await page.getByText('Disconnected').waitFor()
    await expectPageAccessible(page, 'accounts')
    await page.getByRole('button', { name: 'Connect Bluesky' }).click()
    await page.getByRole('dialog', { name: 'Connect Bluesky' }).waitFor()
    await expectPageAccessible(page, 'connect')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More actions for Sky' }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    await page.getByRole('dialog', { name: 'Disconnect Sky?' }).waitFor()
    await expectPageAccessible(page, 'disconnect')
    await visit(page, pagePath(owner, '/playground'))
    await page.getByText('This one is published').waitFor()
    await expectPageAccessible(page, 'playground')
    await visit(page, pagePath(owner, '/webhooks'))
    await page.getByRole('img', { name: /^Last 24 hours/ }).waitFor()
    await expectPageAccessible(page, 'webhooks')
    await page.getByRole('button', { name: /^More actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Send test event' }).waitFor()
    await expectPageAccessible(page, 'acts of a webhook')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByLabel(/^Endpoint URL/).fill('https://example.com/')
    await expectPageAccessible(page, 'add a webhook')
  })

  test('members, tokens, audit log and settings have no serious axe finding in light and dark', async () => {
    const page = await newPage(t, { as: owner })
    const pages = { members: 'You', tokens: 'posts:read', 'audit-log': 'Webhook added', settings: 'Delete workspace' }
    for (const [path, text] of Object.entries(pages)) {
      await visit(page, pagePath(owner, `/${path}`))
      await main(page).getByText(text, { exact: true }).first().waitFor()
      await expectPageAccessible(page, path)
    }
    await visit(page, pagePath(owner, '/audit-log'))
    await page.getByRole('button', { name: /^Period/ }).click()
    await page.getByRole('button', { name: 'Last 7 days' }).waitFor()
    await expectPageAccessible(page, 'span of the audit log')
    await visit(page, pagePath(owner, '/members'))
    await page.getByRole('button', { name: 'More actions for Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Leave workspace' }).waitFor()
    await expectPageAccessible(page, 'menu of a member')
  })

  test('outbox, command palette, menus and notifications have no serious axe finding in light and dark', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto('/admin/outbox')
    await page.getByRole('button', { name: 'grace@example.com' }).waitFor()
    await expectPageAccessible(page, 'outbox')
    await page.getByRole('button', { name: 'grace@example.com' }).click()
    await page.getByRole('dialog').locator('iframe').contentFrame().getByText('Enter this code').waitFor()
    // axe is a script, and the mail frame runs no scripts: checks the mail as text.
    await page.getByText('Plain text').click()
    await page.getByRole('dialog').getByText('Enter this code').waitFor()
    await expectPageAccessible(page, 'mail')

    await visit(page, pagePath(owner, '/posts'))
    await main(page)
      .getByRole('link', { name: /This one is failed/ })
      .waitFor()
    await page.keyboard.press('Control+K')
    await page.getByPlaceholder('Search pages, actions and posts').fill('cal')
    await expectPageAccessible(page, 'palette')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await expectPageAccessible(page, 'account menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Everything' }).click()
    await page.getByRole('menuitem', { name: 'New workspace' }).waitFor()
    await expectPageAccessible(page, 'workspaces')
    await page.keyboard.press('Escape')
    const post = await newPost(owner, { content: 'To be deleted' })
    await visit(page, pagePath(owner, `/posts/${post.id}`))
    await page.getByRole('button', { name: 'More actions for this post' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await expectPageAccessible(page, 'toast')
  })
})

describe('axe on pages of a user', () => {
  test('the profile and its dialogs have no serious axe finding in light and dark', async () => {
    const person = await withWorkspace(t)
    // Turning on two-factor sign-in replaces the session: a request that polls at that moment has the old one.
    const allow = ['409 DELETE /api/v1/me', '401 GET /api/v1/posts']
    const page = await newPage(t, { as: person, allow })
    const dialog = page.getByRole('dialog')
    const password = dialog.getByLabel(/^Password/)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Change email' }).waitFor()
    await expectPageAccessible(page, 'profile')
    await page.getByRole('button', { name: 'Change password' }).click()
    await dialog.getByLabel(/^New password/).waitFor()
    await expectPageAccessible(page, 'new password')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Turn on' }).click()
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
    await expectPageAccessible(page, 'key for the app')
    await dialog.getByLabel('Digit 1 of 6').click()
    await page.keyboard.type(
      totp(`otpauth://totp/x?secret=${(await dialog.locator('pre').textContent())?.replaceAll(' ', '')}`),
    )
    await dialog.getByRole('button', { name: 'I have saved them' }).waitFor()
    await expectPageAccessible(page, 'backup codes')
    await dialog.getByRole('button', { name: 'I have saved them' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Delete account' }).click()
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.getByText('You are the only owner').waitFor()
    await expectPageAccessible(page, 'delete the account')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Change email' }).click()
    await dialog.getByLabel(/^New address/).fill('somewhere.else@example.com')
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Confirm the change to').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await expectPageAccessible(page, 'codes for another address')
  })

  test('sessions and users have no serious axe finding in light and dark', async () => {
    await signedIn(t, { name: 'Charles Babbage' })
    const page = await newPage(t, { as: owner })
    await page.goto('/profile/sessions')
    await page.getByText('This browser').waitFor()
    await expectPageAccessible(page, 'sessions')
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByRole('dialog', { name: 'End all other sessions?' }).waitFor()
    await expectPageAccessible(page, 'end all other sessions')
    await visit(page, '/admin/users')
    await page.getByRole('button', { name: 'Ban Charles Babbage' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Reason/)
      .fill('Too many engines')
    await expectPageAccessible(page, 'ban')
    await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click()
    await page.getByText('Too many engines').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await expectPageAccessible(page, 'users')
    await visit(page, '/admin/users?search=nobody%20of%20that%20name')
    await page.getByText('No matching users').waitFor()
    await expectPageAccessible(page, 'users, none found')
  })
})

describe('viewers', () => {
  test('a viewer sees every page, and no button that a viewer cannot use', async () => {
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const page = await newPage(t, { as: viewer })
    const acts = page.getByRole('button', {
      name: /New post|Edit|Delete|Publish|Schedule|Save|Try again|Connect|Add|Send test event|Hide this|More actions for/,
    })
    const links = page.getByRole('link', { name: /New post|Edit|Connect an account|Write a post|Add a webhook/ })
    const pages = {
      '': 'Needs your attention',
      '/calendar': 'Times are in UTC.',
      '/posts': 'This one is failed',
      [`/posts/${posts.draft}`]: 'No account selected.',
      [`/posts/${posts.failed}`]: 'Could not be published to one account',
      '/accounts': 'Disconnected',
      '/accounts/health': 'Disconnected',
      '/playground': 'This one is published',
      '/webhooks': 'All events',
      '/settings': 'Only admins and owners can change these settings.',
    }
    for (const [path, text] of Object.entries(pages)) {
      await visit(page, pagePath(viewer, path))
      await page.getByText(text).first().waitFor()
      expect.soft(await acts.allTextContents(), path).toEqual([])
      expect.soft(await links.allTextContents(), path).toEqual([])
    }
    for (const path of ['/posts/new', `/posts/${posts.draft}/edit`]) {
      await visit(page, pagePath(viewer, path))
      await page.getByText('Your role does not allow this').waitFor()
      expect.soft(await acts.allTextContents(), path).toEqual([])
    }
    await visit(page, '/admin/outbox')
    await heading(page, 'Page not found')
  })
})
