import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, signedIn } from '../factories.ts'
import { textsOf } from '../texts.ts'
import { newPage } from './browser.ts'
import { dayIn, fillSignIn, newPost, ownerIn, pagePath } from './pages.ts'

const tr = textsOf('tr')
const turkish = (group: string, key: string) => {
  const text = tr.get(`${group}.${key}`)
  if (text === undefined) throw new Error(`There is no ${group}.${key}`)
  return text
}

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })

const language = (page: Page) => page.locator('html').getAttribute('lang')

test('signed-out pages are in the language of the browser, and change on a click without a reload', async () => {
  const page = await newPage(t, { locale: 'tr', allow: ['/api/auth/sign-in/email'] })
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
  // A reload would have cleared it.
  expect(await page.getByLabel(/^Email/).inputValue()).toBe('somebody@example.com')
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('the account menu changes the language of texts and dates at once and permanently', async () => {
  const person = await ownerIn(t, 'Europe/Istanbul')
  const account = await playgroundAccount(person)
  await newPost(person, {
    content: 'Yarın',
    account_ids: [account],
    scheduled_at: `${dayIn('Europe/Istanbul', 1)}T09:00:00Z`,
  })
  const page = await newPage(t, { as: person })
  await page.goto(pagePath(person, '/calendar?date=2030-12-10'))
  await page.getByRole('heading', { name: 'December 2030' }).waitFor()
  await page.getByRole('button', { name: 'Account of Ada' }).click()
  await page.getByRole('menuitemradio', { name: 'Türkçe' }).click()
  await page.getByRole('heading', { name: 'Aralık 2030' }).waitFor()
  await page.getByRole('columnheader', { name: 'Pzt' }).waitFor()
  await page.getByRole('link', { name: turkish('pages', 'posts'), exact: true }).waitFor()
  expect(await language(page)).toBe('tr')
  expect(await page.title()).toContain(turkish('pages', 'calendar'))

  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: turkish('pages', 'posts'), exact: true }).click()
  await page.getByRole('link', { name: new RegExp(`Yarın.*${turkish('status', 'scheduled')}`) }).waitFor()
  // 9:00 in London is 12:00 in Istanbul, and Turkish uses the 24-hour clock.
  await page.getByText(/12:00/).waitFor()

  const elsewhere = await newPage(t)
  await elsewhere.goto('/sign-in')
  await fillSignIn(elsewhere, person)
  await elsewhere.getByRole('link', { name: turkish('pages', 'calendar') }).waitFor()
  expect(await language(elsewhere)).toBe('tr')
})

test("the console is in the user's language after signing in, on any browser", async () => {
  const person = await ownerIn(t, 'Europe/Istanbul')
  expectStatus(await person.patch('/api/v1/me', { locale: 'tr-TR' }), 200)
  const page = await newPage(t, { as: person, locale: 'en', allow: ['POST /api/v1/workspaces'] })
  await page.goto(pagePath(person))
  await page.getByRole('link', { name: turkish('pages', 'calendar') }).waitFor()
  expect(await language(page)).toBe('tr')
  await page.goto('/new-workspace')
  await page.getByRole('button', { name: turkish('workspace', 'create') }).click()
  await page.getByText('Bu alan boş olamaz.').waitFor()
})
