import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setUpCode } from '../../server/modules/auth/auth.ts'
import { type TestApp, testApp } from '../app.ts'
import {
  expectStatus,
  PASSWORD,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../factories.ts'
import { mailsTo } from '../people.ts'
import { until } from '../until.ts'
import { newPage, openBrowser } from './browser.ts'
import { enter, main, newPost, passes, roomOf } from './rooms.ts'

let t: TestApp
let browser: Browser
let owner: WorkspaceOwner
beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await openBrowser()
  await signedIn(t, { instanceAdmin: true })
  owner = await withWorkspace(t)
  await t.anyone.post('/api/auth/sign-up/email', { name: 'Grace', email: 'grace@example.com', password: PASSWORD })
})
afterAll(async () => {
  await browser?.close()
  await t?.close()
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()

describe('axe finds nothing serious, light or dark', () => {
  test('before signing in', async () => {
    const page = await newPage(browser, t, { allow: ['/api/auth/sign-in/email', '401 '] })
    await page.goto('/sign-in')
    await heading(page, 'Sign in')
    await passes(page, 'sign-in')
    await page.getByLabel(/^E-mail/).fill('nobody@example.com')
    await page.getByLabel(/^Password/).fill('something else')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await passes(page, 'sign-in refused')
    await page.goto('/sign-up')
    await heading(page, 'Create an account')
    await passes(page, 'sign-up')
    await page.goto('/sign-up?email=grace%40example.com')
    await heading(page, 'Enter the code')
    await page.getByText('This Meydan sends no mail yet').waitFor()
    await passes(page, 'code')
    await page.goto('/forgot-password')
    await heading(page, 'Forgot the password?')
    await passes(page, 'forgot')
    await page.goto('/reset-password?token=abc')
    await heading(page, 'Choose a new password')
    await passes(page, 'reset')
    await page.goto('/sign-in?step=code')
    await heading(page, 'Second step')
    await passes(page, 'code of the app')
    await page.goto('/sign-in?step=backup')
    await page.getByRole('textbox', { name: 'Backup code' }).waitFor()
    await passes(page, 'backup code')
    const invited = { email: 'invited@example.com', role: 'viewer' }
    expectStatus(await owner.post('/api/v1/workspace/invitations', invited), 201)
    const mail = (await mailsTo(t, invited.email)).at(-1)?.body_text ?? ''
    await page.goto(/\/invitation\?token=[\w-]{43}/.exec(mail)?.[0] ?? '')
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    await passes(page, 'invitation')
    await page.goto('/invitation')
    await heading(page, 'This link leads nowhere')
    await passes(page, 'invitation that leads nowhere')
    await page.goto('/setup')
    await heading(page, 'Meydan is set up already')
    await passes(page, 'set up already')
  })

  test('at the set-up', async () => {
    const fresh = await testApp({}, { live: true })
    try {
      const page = await newPage(browser, fresh, { allow: ['POST /api/v1/setup'] })
      await page.goto(`/setup?code=${setUpCode(fresh.deps.keyring)}`)
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByText(/^This/).first().waitFor()
      await passes(page, 'set-up')
      await page.context().close()
    } finally {
      await fresh.close()
    }
  })

  test('in empty rooms', async () => {
    const newcomer = await withWorkspace(t)
    const page = await newPage(browser, t, { as: newcomer })
    const rooms = {
      '': 'First steps',
      '/posts': 'No post yet',
      '/posts/new': 'First, connect an account',
      '/accounts': 'No account is connected',
      '/playground': 'The square is still empty',
      '/webhooks': 'Nobody is told yet',
    }
    for (const [room, text] of Object.entries(rooms)) {
      await page.goto(roomOf(newcomer, room))
      await page.getByText(text).waitFor()
      await passes(page, `empty ${room}`)
    }
    await page.goto('/new-workspace')
    await heading(page, 'New workspace')
    await passes(page, 'new workspace')
    await page.goto('/nowhere')
    await heading(page, 'Nothing is here')
    await passes(page, 'not found')
  })
})

describe('keys alone', () => {
  test('lead by the palette to any room, and C begins a post', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner))
    await heading(page, /^Hello/)
    await page.keyboard.press('Control+K')
    const field = page.getByRole('dialog').getByLabel('Search or go to')
    await field.waitFor()
    await page.keyboard.type('webh')
    await page.getByRole('dialog').getByText('Webhooks').waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Webhooks')
    await page.keyboard.press('c')
    await heading(page, 'New post')
  })

  test('skip the menu', async () => {
    const page = await newPage(browser, t, { as: owner })
    await page.goto(roomOf(owner, '/accounts'))
    await heading(page, 'Accounts')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await until(async () => expect(await main(page).and(page.locator(':focus')).count()).toBe(1))
  })
})

describe('when Meydan cannot answer', () => {
  test('a room says so, and shows everything at a second try', async () => {
    const person = await withWorkspace(t)
    await newPost(person, { content: 'Still here' })
    const page = await newPage(browser, t, { as: person, allow: ['500 GET', 'net::ERR_FAILED', 'Failed to fetch'] })
    const problem = { type: '', title: '', status: 500, detail: 'It broke.', code: 'internal_error', request_id: 'r-1' }
    await page.route('**/api/v1/posts?**', (route) => route.fulfill({ status: 500, json: problem }))
    await page.goto(roomOf(person, '/posts'))
    const alert = main(page).getByRole('alert')
    await alert.getByText('It broke.').waitFor()
    await alert.getByText('r-1').waitFor()
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: /Still here/ }).waitFor()

    await page.route('**/api/v1/me', (route) => route.abort())
    await page.reload()
    await page.getByText('Meydan does not answer.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: /Still here/ }).waitFor()
  })

  test('a change that was not saved stays where it was written', async () => {
    const person = await withWorkspace(t)
    await playgroundAccount(person)
    const page = await newPage(browser, t, { as: person, allow: ['net::ERR_FAILED'] })
    await page.goto(roomOf(person, '/posts/new'))
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.fill('Do not lose me')
    await page.route('**/api/v1/posts', (route) => route.abort())
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('alert').getByText('Meydan does not answer.').waitFor()
    expect(await text.inputValue()).toBe('Do not lose me')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('link', { name: 'See it on Playground' }).waitFor()
  })

  test('being offline is told, and what was missed is there when one is back', async () => {
    const person = await withWorkspace(t)
    const page = await newPage(browser, t, { as: person, allow: ['net::ERR_INTERNET_DISCONNECTED'] })
    await page.goto(roomOf(person, '/posts'))
    await page.getByText('No post yet').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('status').getByText('You are offline.').waitFor()
    await passes(page, 'offline')
    await newPost(person, { content: 'Meanwhile' })
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: /Meanwhile/ }).waitFor()
  })
})

describe('the sign-in', () => {
  test('leads inside whom a session lives for', async () => {
    const person = await withWorkspace(t)
    const page = await newPage(browser, t, { as: person })
    await page.goto('/')
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    await page.goto('/sign-in?next=%2Fprofile%2Fsessions')
    await page.waitForURL('**/profile/sessions')
  })

  test('goes on nowhere but inside of the console', async () => {
    const person = await withWorkspace(t)
    for (const next of ['/%09/evil.example', '//evil.example', '/%5Cevil.example', 'https://evil.example']) {
      const page = await newPage(browser, t)
      await page.goto(`/sign-in?next=${next}`)
      await enter(page, person)
      await page.getByRole('heading', { name: /^Hello/ }).waitFor()
      expect(new URL(page.url()).origin).toBe(t.url)
    }
  })
})
