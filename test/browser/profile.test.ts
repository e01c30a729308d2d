import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, PASSWORD, signedIn, withWorkspace } from '../factories.ts'
import { mailedCode, wrong } from '../people.ts'
import { until } from '../until.ts'
import { newPage } from './browser.ts'
import { descriptionOf, fillSignIn, main, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })

const dialog = (page: Page) => page.getByRole('dialog')
const part = (page: Page, name: string) => page.getByRole('region', { name })

async function openProfile(allow: string[] = []) {
  const person = await withWorkspace(t)
  const page = await newPage(t, { as: person, allow })
  await page.goto('/profile')
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  return { person, page }
}

describe('name, language and time zone', () => {
  test('name, language and time zone are saved and shown at once, and a conflicting change is reported and kept', async () => {
    const { person, page } = await openProfile(['412 PATCH /api/v1/me', '400 PATCH /api/v1/me'])
    const name = page.getByLabel(/^Your name/)
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await name.fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await name.and(page.locator('[aria-invalid=true]')).waitFor()
    await name.fill('Ada, Countess of Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Profile saved.').waitFor()
    await page.getByRole('button', { name: 'Account of Ada, Countess of Lovelace' }).waitFor()

    await name.fill('Ada again')
    expectStatus(await person.patch('/api/v1/me', { name: 'From elsewhere' }), 200)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('changed elsewhere').waitFor()
    expect(await name.inputValue()).toBe('From elsewhere')
    await name.fill('Ada at last')
    await page.getByRole('button', { name: 'Save' }).click()
    await waitUntilGone(page.getByRole('alert').getByText('changed elsewhere'))
    expect((await person.get('/api/v1/me')).body.name).toBe('Ada at last')

    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Türkçe' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Profil' }).waitFor()
  })

  test('the account menu leads to the profile, also without a workspace', async () => {
    const person = await signedIn(t)
    const page = await newPage(t, { as: person })
    await page.goto('/')
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sessions' }).click()
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  })
})

test('changing the password requires the current one, and a wrong one shows the error at its field', async () => {
  const { person, page } = await openProfile(['403 POST /api/v1/me/password', '400 POST /api/v1/me/password'])
  await page.getByRole('button', { name: 'Change password' }).click()
  const present = dialog(page).getByLabel(/^Current password/)
  const next = dialog(page).getByLabel(/^New password/)
  await present.fill(PASSWORD)
  await next.fill('short')
  await page.keyboard.press('Enter')
  await next.and(page.locator('[aria-invalid=true]')).waitFor()
  await present.fill('not the password')
  await next.fill('a new and longer one')
  await page.keyboard.press('Enter')
  await present.and(page.locator('[aria-invalid=true]')).waitFor()
  expect(await descriptionOf(present)).toContain('password is wrong')
  await present.fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText('Password changed.').waitFor()
  await waitUntilGone(dialog(page))
  // The session that changed it stays valid, others have ended.
  expectStatus(await person.get('/api/v1/me'), 401)
  const signIn = { email: person.email, password: 'a new and longer one' }
  expectStatus(await t.anyone.post('/api/auth/sign-in/email', signIn), 200)
})

describe('changing the address', () => {
  const ask = async (page: Page, email: string) => {
    await page.getByRole('button', { name: 'Change email' }).click()
    await dialog(page)
      .getByLabel(/^New address/)
      .fill(email)
    await dialog(page)
      .getByLabel(/^Password/)
      .fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText(`Confirm the change to ${email}`).waitFor()
    await waitUntilGone(dialog(page))
  }
  const type = async (page: Page, address: string, code: string) => {
    await page
      .getByRole('group', { name: `Code sent to ${address}` })
      .getByLabel('Digit 1 of 6')
      .click()
    await page.keyboard.type(code)
  }

  test('a new address takes the codes of both mailboxes, stays pending over a reload, and is then shown', async () => {
    const { person, page } = await openProfile(['400 POST /api/v1/me/email/confirm'])
    const email = `new.${person.email}`
    await ask(page, email)
    await page.reload()
    await page.getByText(`Confirm the change to ${email}`).waitFor()
    const codes = [await mailedCode(t, person.email), await mailedCode(t, email)] as const
    await type(page, person.email, wrong(codes[0]))
    await type(page, email, codes[1])
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('alert').getByText('The code is wrong or has expired').waitFor()
    await type(page, person.email, codes[0])
    await type(page, email, codes[1])
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText(`Your address is now ${email}.`).waitFor()
    await part(page, 'Email address').getByText(email, { exact: true }).waitFor()
  })

  test('a change of address can be requested again and canceled', async () => {
    const { person, page } = await openProfile()
    await ask(page, `typo.${person.email}`)
    await page.getByRole('button', { name: 'Send new codes' }).click()
    expect(
      await dialog(page)
        .getByLabel(/^New address/)
        .inputValue(),
    ).toBe(`typo.${person.email}`)
    await dialog(page)
      .getByLabel(/^New address/)
      .fill(`right.${person.email}`)
    await dialog(page)
      .getByLabel(/^Password/)
      .fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText(`Confirm the change to right.${person.email}`).waitFor()
    await waitUntilGone(dialog(page))
    await page.getByRole('button', { name: 'Keep current address' }).click()
    await page.getByRole('button', { name: 'Change email' }).waitFor()
    await part(page, 'Email address').getByText(person.email, { exact: true }).waitFor()
  })

  test('a change of address ends after five wrong codes, with a message', async () => {
    const { person, page } = await openProfile(['400 POST /api/v1/me/email/confirm'])
    const email = `tried.${person.email}`
    await ask(page, email)
    const code = wrong(await mailedCode(t, person.email))
    for (let attempt = 0; attempt < 4; attempt++)
      expectStatus(await person.post('/api/v1/me/email/confirm', { old_code: code, new_code: code }), 400)
    await type(page, person.email, code)
    await type(page, email, code)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('alert').getByText('The codes are no longer valid').waitFor()
    await page.getByRole('button', { name: 'Change email' }).waitFor()
  })
})

test('the export of personal data is downloaded as a file', async () => {
  const { person, page } = await openProfile()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download your data' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('meydan-export.json')
  const { profile } = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(profile.email).toBe(person.email)
})

describe('deleting the account', () => {
  test('the dialog names the workspaces that would be left without an owner', async () => {
    const { page } = await openProfile(['409 DELETE /api/v1/me'])
    await page.getByRole('button', { name: 'Delete account' }).click()
    await dialog(page)
      .getByLabel(/^Password/)
      .fill(PASSWORD)
    await dialog(page).getByRole('button', { name: 'Delete permanently' }).click()
    const alert = dialog(page).getByRole('alert')
    await alert.getByText('You are the only owner').waitFor()
    await alert.getByRole('link', { name: /^Workspace / }).click()
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  })

  test('deleting the account requires the password and leads to the sign-in with a confirmation', async () => {
    const person = await signedIn(t)
    const refusals = ['403 DELETE /api/v1/me', '401 ']
    const page = await newPage(t, { as: person, allow: refusals })
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const password = dialog(page).getByLabel(/^Password/)
    await password.fill('not the password')
    await page.keyboard.press('Enter')
    await password.and(page.locator('[aria-invalid=true]')).waitFor()
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Your account was deleted').waitFor()
    await fillSignIn(page, person)
    await page
      .getByRole('alert')
      .getByText(/password is wrong/)
      .waitFor()
  })
})

describe('sessions', () => {
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0'
  const rows = (page: Page) => main(page).getByRole('listitem')

  test('sessions are described in words, one is ended at once, and all others after a confirmation', async () => {
    const { person, page } = await openProfile()
    const signIn = { body: { email: person.email, password: PASSWORD }, headers: { 'user-agent': firefox } }
    expectStatus(await t.anyone.call('POST', '/api/auth/sign-in/email', signIn), 200)
    await page.getByRole('link', { name: 'View sessions' }).click()
    const other = rows(page).filter({ hasText: 'Firefox' })
    await other.getByText('Windows').waitFor()
    const own = rows(page).filter({ hasText: 'This browser' })
    await own.getByText('127.0.0.1').waitFor()
    await expect.poll(() => own.getByRole('button').count()).toBe(0)
    await other.getByRole('button', { name: /^End session: Firefox/ }).click()
    await waitUntilGone(other)

    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await dialog(page).getByRole('button', { name: 'End all other sessions' }).click()
    await waitUntilGone(dialog(page))
    await until(async () => expect(await rows(page).count()).toBe(1))
    await waitUntilGone(page.getByRole('button', { name: 'End all other sessions' }))
    expectStatus(await person.get('/api/v1/me'), 401)
  })
})
