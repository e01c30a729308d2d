import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, playgroundAccount, signedIn } from '../factories.ts'
import { newPage, openBrowser } from './browser.ts'
import { dayIn, enter, newPost, ownerIn, roomOf } from './rooms.ts'

const tr: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../console/locales/tr.json'), 'utf8'),
)
const turkish = (room: string, word: string) => {
  const text = tr[room]?.[word]
  if (text === undefined) throw new Error(`There is no ${room}.${word}`)
  return text
}

let t: TestApp
let browser: Browser
beforeAll(async () => {
  t = await testApp({}, { live: true })
  browser = await openBrowser()
  await signedIn(t, { instanceAdmin: true })
})
afterAll(async () => {
  await browser?.close()
  await t?.close()
})

const language = (page: Page) => page.locator('html').getAttribute('lang')

test('before signing in the console speaks the language of the browser, and another at a click, without a reload', async () => {
  const page = await newPage(browser, t, { locale: 'tr', allow: ['/api/auth/sign-in/email'] })
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: turkish('sign_in', 'title') }).waitFor()
  expect(await language(page)).toBe('tr')
  await page.getByLabel(new RegExp(`^${turkish('person', 'email')}`)).fill('somebody@example.com')
  await page.getByRole('textbox', { name: turkish('person', 'password') }).fill('something else')
  await page.getByRole('button', { name: turkish('sign_in', 'submit') }).click()
  await page.getByRole('alert').getByText(turkish('problem', 'sign_in_failed')).waitFor()

  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await language(page)).toBe('en')
  // A reload would have emptied it.
  expect(await page.getByLabel(/^E-mail/).inputValue()).toBe('somebody@example.com')
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('the account menu changes the language at once, in words and dates, and for good', async () => {
  const person = await ownerIn(t, 'Europe/Istanbul')
  const account = await playgroundAccount(person)
  await newPost(person, {
    content: 'Yarın',
    account_ids: [account],
    scheduled_at: `${dayIn('Europe/Istanbul', 1)}T09:00:00Z`,
  })
  const page = await newPage(browser, t, { as: person })
  await page.goto(roomOf(person, '/calendar?date=2030-12-10'))
  await page.getByRole('heading', { name: 'December 2030' }).waitFor()
  await page.getByRole('button', { name: 'Account of Ada' }).click()
  await page.getByRole('menuitemradio', { name: 'Türkçe' }).click()
  await page.getByRole('heading', { name: 'Aralık 2030' }).waitFor()
  await page.getByRole('columnheader', { name: 'Pzt' }).waitFor()
  await page.getByRole('link', { name: turkish('rooms', 'posts') }).waitFor()
  expect(await language(page)).toBe('tr')
  expect(await page.title()).toContain(turkish('rooms', 'calendar'))

  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: turkish('rooms', 'posts') }).click()
  await page.getByRole('link', { name: new RegExp(`Yarın.*${turkish('status', 'scheduled')}`) }).waitFor()
  // 9 o'clock in London is 12 in Istanbul, and 12:00 is written so there.
  await page.getByText(/12:00/).waitFor()

  const elsewhere = await newPage(browser, t)
  await elsewhere.goto('/sign-in')
  await enter(elsewhere, person)
  await elsewhere.getByRole('link', { name: turkish('rooms', 'calendar') }).waitFor()
  expect(await language(elsewhere)).toBe('tr')
})

test('whoever has chosen Turkish finds the console Turkish after signing in, wherever that is', async () => {
  const person = await ownerIn(t, 'Europe/Istanbul')
  expectStatus(await person.patch('/api/v1/me', { locale: 'tr-TR' }), 200)
  const page = await newPage(browser, t, { as: person, locale: 'en', allow: ['POST /api/v1/workspaces'] })
  await page.goto(roomOf(person))
  await page.getByRole('link', { name: turkish('rooms', 'calendar') }).waitFor()
  expect(await language(page)).toBe('tr')
  await page.goto('/new-workspace')
  await page.getByRole('button', { name: turkish('workspace', 'create') }).click()
  await page
    .getByText(turkish('field', 'required'))
    .or(page.getByText(turkish('field', 'too_short')))
    .first()
    .waitFor()
})
