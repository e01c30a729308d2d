import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setUpCode } from '../../server/modules/auth/instance-admin.ts'
import { testApp } from '../app.ts'
import { expectStatus, PASSWORD, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { mailsTo } from '../people.ts'
import { until } from '../until.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, fillSignIn, main, newPost, pagePath, visit } from './pages.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })
const owner = await withWorkspace(t)
await t.anyone.post('/api/auth/sign-up/email', { name: 'Grace', email: 'grace@example.com', password: PASSWORD })

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()

describe('axe on signed-out and empty pages', () => {
  test('signed-out pages have no serious axe finding in light and dark', async () => {
    const page = await newPage(t, { allow: ['/api/auth/sign-in/email', '401 '] })
    await page.goto('/sign-in')
    await heading(page, 'Sign in')
    await expectPageAccessible(page, 'sign-in')
    await page.getByLabel(/^Email/).fill('nobody@example.com')
    await page.getByLabel(/^Password/).fill('something else')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await expectPageAccessible(page, 'sign-in refused')
    await visit(page, '/sign-up')
    await heading(page, 'Create an account')
    await expectPageAccessible(page, 'sign-up')
    await visit(page, '/sign-up?email=grace%40example.com')
    await heading(page, 'Enter the code')
    await page.getByText('Email is not set up yet').waitFor()
    await expectPageAccessible(page, 'code')
    await visit(page, '/forgot-password')
    await heading(page, 'Reset your password')
    await expectPageAccessible(page, 'forgot')
    await visit(page, '/reset-password?token=abc')
    await heading(page, 'Choose a new password')
    await expectPageAccessible(page, 'reset')
    await visit(page, '/sign-in?step=code')
    await heading(page, 'Two-factor authentication')
    await expectPageAccessible(page, 'code of the app')
    await visit(page, '/sign-in?step=backup')
    await page.getByRole('textbox', { name: 'Backup code' }).waitFor()
    await expectPageAccessible(page, 'backup code')
    const invited = { email: 'invited@example.com', role: 'viewer' }
    expectStatus(await owner.post('/api/v1/workspace/invitations', invited), 201)
    const mail = (await mailsTo(t, invited.email)).at(-1)?.body_text ?? ''
    await visit(page, /\/invitation\?token=[\w-]{43}/.exec(mail)?.[0] ?? '')
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    await expectPageAccessible(page, 'invitation')
    await visit(page, '/invitation')
    await heading(page, 'This link is not valid')
    await expectPageAccessible(page, 'invitation that leads nowhere')
    await visit(page, '/setup')
    await heading(page, 'Meydan is already set up')
    await expectPageAccessible(page, 'set up already')
  })

  test('the set-up page has no serious axe finding in light and dark', async () => {
    const fresh = await testApp({}, { live: true })
    try {
      const page = await newPage(fresh, { allow: ['POST /api/v1/setup'] })
      await page.goto(`/setup?code=${setUpCode(fresh.deps.keyring)}`)
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByText(/^This/).first().waitFor()
      await expectPageAccessible(page, 'set-up')
      await page.context().close()
    } finally {
      await fresh.close()
    }
  })

  test('empty pages have no serious axe finding in light and dark', async () => {
    const newcomer = await withWorkspace(t)
    const page = await newPage(t, { as: newcomer })
    const pages = {
      '': 'First steps',
      '/posts': 'No posts yet',
      '/posts/new': 'Connect an account first',
      '/accounts': 'No accounts connected',
      '/playground': 'No posts yet',
      '/webhooks': 'No webhooks yet',
    }
    for (const [path, text] of Object.entries(pages)) {
      await visit(page, pagePath(newcomer, path))
      await page.getByText(text).waitFor()
      await expectPageAccessible(page, `empty ${path}`)
    }
    await visit(page, '/new-workspace')
    await heading(page, 'New workspace')
    await expectPageAccessible(page, 'new workspace')
    await visit(page, '/nowhere')
    await heading(page, 'Page not found')
    await expectPageAccessible(page, 'not found')
  })
})

describe('the keyboard', () => {
  test('the palette opens any page, and C starts a post', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner))
    await heading(page, /^Hello/)
    await page.keyboard.press('Control+K')
    const field = page.getByRole('dialog').getByLabel('Search or jump to')
    await field.waitFor()
    await page.keyboard.type('webh')
    await page.getByRole('dialog').getByText('Webhooks', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Webhooks')
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New post' }).waitFor()
  })

  test('the skip link moves the focus past the menu', async () => {
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/accounts'))
    await heading(page, 'Accounts')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await until(async () => expect(await main(page).and(page.locator(':focus')).count()).toBe(1))
  })
})

describe('errors of Meydan', () => {
  test('a page that cannot be loaded shows the error, and everything after trying again', async () => {
    const person = await withWorkspace(t)
    await newPost(person, { content: 'Still here' })
    const page = await newPage(t, { as: person, allow: ['500 GET', 'net::ERR_FAILED', 'Failed to fetch'] })
    const problem = { type: '', title: '', status: 500, detail: 'It broke.', code: 'internal_error', request_id: 'r-1' }
    await page.route('**/api/v1/posts?**', (route) => route.fulfill({ status: 500, json: problem }))
    await page.goto(pagePath(person, '/posts'))
    const alert = main(page).getByRole('alert')
    await alert.getByText('It broke.').waitFor()
    await alert.getByText('r-1').waitFor()
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: /Still here/ }).waitFor()

    await page.route('**/api/v1/me', (route) => route.abort())
    await page.reload()
    await page.getByText('Meydan is not responding.').waitFor()
    await page.unrouteAll()
    await page.getByRole('link', { name: /Still here/ }).waitFor()
  })

  test('the input of a form stays when saving fails', async () => {
    const person = await withWorkspace(t)
    await playgroundAccount(person)
    const page = await newPage(t, { as: person, allow: ['net::ERR_FAILED'] })
    await page.goto(pagePath(person, '/posts/new'))
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await page.route('**/api/v1/posts', (route) => route.abort())
    await text.fill('Do not lose me')
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('alert').getByText('Meydan is not responding.').waitFor()
    expect(await text.inputValue()).toBe('Do not lose me')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('link', { name: 'View on Playground' }).waitFor()
  })

  test('being offline is shown, and missed changes appear when the connection is back', async () => {
    const person = await withWorkspace(t)
    const page = await newPage(t, { as: person, allow: ['net::ERR_INTERNET_DISCONNECTED'] })
    await page.goto(pagePath(person, '/posts'))
    await page.getByText('No posts yet').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('status').getByText('You are offline.').waitFor()
    await expectPageAccessible(page, 'offline')
    await newPost(person, { content: 'Meanwhile' })
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: /Meanwhile/ }).waitFor()
  })
})

describe('the sign-in page', () => {
  test('the sign-in page redirects a signed-in user to the console', async () => {
    const person = await withWorkspace(t)
    const page = await newPage(t, { as: person })
    await page.goto('/')
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    await page.goto('/sign-in?next=%2Fprofile%2Fsessions')
    await page.waitForURL('**/profile/sessions')
  })

  test('signing in redirects only within the console', async () => {
    const person = await withWorkspace(t)
    for (const next of ['/%09/evil.example', '//evil.example', '/%5Cevil.example', 'https://evil.example']) {
      const page = await newPage(t)
      await page.goto(`/sign-in?next=${next}`)
      await fillSignIn(page, person)
      await page.getByRole('heading', { name: /^Hello/ }).waitFor()
      expect(new URL(page.url()).origin).toBe(t.url)
    }
  })
})
