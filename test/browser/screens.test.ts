import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import {
  expectStatus,
  memberOf,
  PASSWORD,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../factories.ts'
import { totp } from '../people.ts'
import { blueskyServer, type Mishap } from '../stand-ins/bluesky.ts'
import { until } from '../until.ts'
import { newPage, openBrowser } from './browser.ts'
import { dayIn, main, newPost, passes, readPost, roomOf } from './rooms.ts'

let t: TestApp
let browser: Browser
let bluesky: Awaited<ReturnType<typeof blueskyServer>>
/** Owns a workspace with accounts and posts in every state, and is instance admin. */
let owner: WorkspaceOwner
const posts: Record<string, string> = {}

beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await openBrowser()
  bluesky = await blueskyServer()
  const person = await signedIn(t, { instanceAdmin: true, name: 'Ada Lovelace' })
  const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: 'Everything', timezone: 'UTC' }), 201)
  owner = { ...person, workspace_id: body.id }

  const square = await playgroundAccount(owner)
  const connect = async (name: string) => {
    const fields = bluesky.addAccount()
    const input = { network: 'bluesky', name, service: bluesky.url, ...fields }
    const { body } = expectStatus(await owner.post('/api/v1/accounts', input), 201)
    return { id: body.id as string, handle: fields.handle }
  }
  const sky = await connect('Sky')
  const lost = await connect('Lost')
  const publish = async (state: string, accounts: string[], mishap?: Mishap) => {
    bluesky.goWrong(...(mishap ? [mishap] : []))
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
  await publish('partially_published', [square, sky.id], { kind: 'answer', status: 400, error: 'InvalidRecord' })
  await publish('waiting', [sky.id], { kind: 'answer', status: 429, headers: { 'retry-after': '3600' } })
  await publish('unconfirmed', [sky.id], { kind: 'hang_up', arrives: false })
  bluesky.changePassword(lost.handle)
  await publish('failed', [lost.id])
  expectStatus(await owner.post('/api/v1/webhooks', { url: `${bluesky.url}/hook`, events: ['*'] }), 201)
  await withToken(t, owner, ['posts:read'])
  await t.anyone.post('/api/auth/sign-up/email', { name: 'Grace', email: 'grace@example.com', password: PASSWORD })
})
afterAll(async () => {
  await browser?.close()
  bluesky?.close()
  await t?.close()
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()

describe('axe finds nothing serious, light or dark', () => {
  test('in overview, calendar and list', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner))
    await page.getByRole('region', { name: 'Needs your attention' }).waitFor()
    await page.getByRole('region', { name: 'Published lately' }).getByRole('link').first().waitFor()
    await passes(page, 'overview')
    for (const view of ['month', 'week', 'day']) {
      await page.goto(roomOf(owner, `/calendar?view=${view}`))
      await page.getByRole('table').getByRole('link').first().waitFor()
      await passes(page, `calendar, ${view}`)
    }
    await page.goto(roomOf(owner, '/posts'))
    await main(page)
      .getByRole('link', { name: /This one is failed/ })
      .waitFor()
    await passes(page, 'posts')
    await page.goto(roomOf(owner, '/posts?search=nothing'))
    await page.getByText('No post fits').waitFor()
    await passes(page, 'posts, none found')
  })

  test.each(['draft', 'scheduled', 'waiting', 'unconfirmed', 'published', 'partially_published', 'failed'])(
    'on a post that is %s',
    async (state) => {
      const page = await newPage(browser, t, { as: owner })
      await page.goto(roomOf(owner, `/posts/${posts[state]}`))
      await page.getByRole('region', { name: /^Where it (goes|went)$/ }).waitFor()
      if (state === 'draft') await page.getByRole('button', { name: 'More about this post' }).click()
      await passes(page, state)
    },
  )

  test('while writing', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/posts/new'))
    await page.getByRole('checkbox', { name: /^Sky/ }).check()
    await page.getByRole('checkbox', { name: /^Playground/ }).check()
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('x'.repeat(301))
    await page.getByRole('button', { name: 'Playground', exact: true }).click()
    await page.getByText('At a time').click()
    await page.getByText('1 character too long').waitFor()
    await passes(page, 'compose')
    await page.getByLabel(/^Date and time in/).click()
    await page.getByRole('dialog').waitFor()
    await passes(page, 'picker')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Posts' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await passes(page, 'leaving')
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.goto(roomOf(owner, `/posts/${posts.scheduled}/edit`))
    await page.getByRole('button', { name: 'Save changes' }).waitFor()
    await passes(page, 'edit')
    await page.goto(roomOf(owner, `/posts/${posts.published}/edit`))
    await page.getByText('This post can no longer be changed').waitFor()
    await passes(page, 'edit, too late')
  })

  test('in accounts, Playground and webhooks', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/accounts'))
    await page.getByText('Disconnected').waitFor()
    await passes(page, 'accounts')
    await page.getByRole('button', { name: 'Connect Bluesky' }).click()
    await page.getByRole('dialog', { name: 'Connect Bluesky' }).waitFor()
    await passes(page, 'connect')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More about Sky' }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    await page.getByRole('dialog', { name: 'Disconnect Sky?' }).waitFor()
    await passes(page, 'disconnect')
    await page.goto(roomOf(owner, '/playground'))
    await page.getByText('This one is published').waitFor()
    await passes(page, 'playground')
    await page.goto(roomOf(owner, '/webhooks'))
    await page.getByRole('img', { name: /^The last 24 hours/ }).waitFor()
    await passes(page, 'webhooks')
    await page.getByRole('button', { name: /^More about/ }).click()
    await page.getByRole('menuitem', { name: 'Send a test' }).waitFor()
    await passes(page, 'acts of a webhook')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByLabel(/^Address/).fill('https://example.com/')
    await passes(page, 'add a webhook')
  })

  test('in members, tokens, audit log and settings', async () => {
    const page = await newPage(browser, t, { as: owner })
    const rooms = { members: 'You', tokens: 'posts:read', 'audit-log': 'Webhook added', settings: 'Delete workspace' }
    for (const [room, text] of Object.entries(rooms)) {
      await page.goto(roomOf(owner, `/${room}`))
      await main(page).getByText(text, { exact: true }).first().waitFor()
      await passes(page, room)
    }
    await page.goto(roomOf(owner, '/audit-log'))
    await page.getByRole('button', { name: /^From when to when/ }).click()
    await page.getByRole('button', { name: 'Last 7 days' }).waitFor()
    await passes(page, 'span of the audit log')
    await page.goto(roomOf(owner, '/members'))
    await page.getByRole('button', { name: 'More about Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Leave the workspace' }).waitFor()
    await passes(page, 'menu of a member')
  })

  test('in the outbox, the palette, the menus and the toasts', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto('/admin/outbox')
    await page.getByRole('button', { name: 'grace@example.com' }).waitFor()
    await passes(page, 'outbox')
    await page.getByRole('button', { name: 'grace@example.com' }).click()
    await page.getByRole('dialog').locator('iframe').contentFrame().getByText('Type this code').waitFor()
    // axe is a script, and the frame of a mail runs none: it is asked about the mail as text.
    await page.getByText('Plain text').click()
    await page.getByRole('dialog').getByText('Type this code').waitFor()
    await passes(page, 'mail')

    await page.goto(roomOf(owner, '/posts'))
    await main(page)
      .getByRole('link', { name: /This one is failed/ })
      .waitFor()
    await page.keyboard.press('Control+K')
    await page.getByPlaceholder('Where to, or what to do?').fill('cal')
    await passes(page, 'palette')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await passes(page, 'account menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Everything' }).click()
    await page.getByRole('menuitem', { name: 'New workspace' }).waitFor()
    await passes(page, 'workspaces')
    await page.keyboard.press('Escape')
    const post = await newPost(owner, { content: 'To be deleted' })
    await page.goto(roomOf(owner, `/posts/${post.id}`))
    await page.getByRole('button', { name: 'More about this post' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await passes(page, 'toast')
  })
})

describe('axe finds nothing serious about persons, light or dark', () => {
  test('in the profile and what opens in it', async () => {
    const person = await withWorkspace(t)
    const page = await newPage(browser, t, { as: person, allow: ['404 GET /api/v1/me/email', '409 DELETE /api/v1/me'] })
    const dialog = page.getByRole('dialog')
    const password = dialog.getByLabel(/^Password/)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Change the address' }).waitFor()
    await passes(page, 'profile')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await dialog.getByLabel(/^New password/).waitFor()
    await passes(page, 'new password')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Turn on' }).click()
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.getByRole('img', { name: /^QR code/ }).waitFor()
    await passes(page, 'key for the app')
    await dialog.getByLabel('Digit 1 of 6').click()
    await page.keyboard.type(
      totp(`otpauth://totp/x?secret=${(await dialog.locator('pre').textContent())?.replaceAll(' ', '')}`),
    )
    await dialog.getByRole('button', { name: 'I have kept them' }).waitFor()
    await passes(page, 'backup codes')
    await dialog.getByRole('button', { name: 'I have kept them' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Delete your account' }).click()
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.getByText('You are the only owner').waitFor()
    await passes(page, 'delete the account')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Change the address' }).click()
    await dialog.getByLabel(/^New address/).fill('somewhere.else@example.com')
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('is to become your address').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await passes(page, 'codes for another address')
  })

  test('in sessions and users', async () => {
    await signedIn(t, { name: 'Charles Babbage' })
    const page = await newPage(browser, t, { as: owner })
    await page.goto('/profile/sessions')
    await page.getByText('This one').waitFor()
    await passes(page, 'sessions')
    await page.getByRole('button', { name: 'End all others' }).click()
    await page.getByRole('dialog', { name: 'End all other sessions?' }).waitFor()
    await passes(page, 'end all other sessions')
    await page.goto('/admin/users')
    await page.getByRole('button', { name: 'Ban Charles Babbage' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Reason/)
      .fill('Too many engines')
    await passes(page, 'ban')
    await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click()
    await page.getByText('Too many engines').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await passes(page, 'users')
    await page.goto('/admin/users?search=nobody%20of%20that%20name')
    await page.getByText('Nobody fits').waitFor()
    await passes(page, 'users, none found')
  })
})

describe('a viewer', () => {
  test('sees every room, and no button that cannot work', async () => {
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const page = await newPage(browser, t, { as: viewer })
    const acts = page.getByRole('button', {
      name: /New post|Edit|Delete|Publish|Schedule|Save|Try again|Connect|Add|Send a test|Hide this|More about/,
    })
    const links = page.getByRole('link', { name: /New post|Edit|Connect an account|Write a post|Add a webhook/ })
    const rooms = {
      '': 'Needs your attention',
      '/calendar': 'Times are those of UTC.',
      '/posts': 'This one is failed',
      [`/posts/${posts.draft}`]: 'No account is chosen yet.',
      [`/posts/${posts.failed}`]: 'It could not be published on one account',
      '/accounts': 'Disconnected',
      '/playground': 'This one is published',
      '/webhooks': 'All events',
      '/settings': 'Only admins and owners change these settings.',
    }
    for (const [room, text] of Object.entries(rooms)) {
      await page.goto(roomOf(viewer, room))
      await page.getByText(text).first().waitFor()
      expect.soft(await acts.allTextContents(), room).toEqual([])
      expect.soft(await links.allTextContents(), room).toEqual([])
    }
    for (const room of ['/posts/new', `/posts/${posts.draft}/edit`]) {
      await page.goto(roomOf(viewer, room))
      await page.getByText('Your role does not allow this').waitFor()
      expect.soft(await acts.allTextContents(), room).toEqual([])
    }
    await page.goto('/admin/outbox')
    await heading(page, 'Nothing is here')
  })
})
