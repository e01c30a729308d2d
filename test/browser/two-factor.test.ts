import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { PASSWORD, signedIn, withWorkspace } from '../factories.ts'
import { totp, withTwoFactor, wrong } from '../people.ts'
import { newPage } from './browser.ts'
import { descriptionOf, fillSignIn, visit, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })

const dialog = (page: Page) => page.getByRole('dialog')
const section = (page: Page) => page.getByRole('region', { name: /^Two-factor authentication/ })
const overview = (page: Page) => page.getByRole('heading', { name: /^Hello/ }).waitFor()
const secondStep = (page: Page) => page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()

/** A user with a second factor, at the second step of signing in. */
async function openSecondStep(allow: string[] = []) {
  const { person, ...factor } = await withTwoFactor(t, await withWorkspace(t))
  const page = await newPage(t, { allow: ['401 GET', ...allow] })
  await page.goto('/sign-in')
  await fillSignIn(page, person)
  await secondStep(page)
  return { page, person, ...factor }
}

describe('turning on two-factor sign-in', () => {
  test('turning it on takes the password, the key and a code, and shows the backup codes once to copy or download', async () => {
    const person = await withWorkspace(t)
    const refusals = ['403 POST /api/v1/me/two-factor', '400 POST /api/v1/me/two-factor/confirm']
    const page = await newPage(t, { as: person, allow: ['401 GET', ...refusals] })
    await page.goto('/profile')
    await section(page).getByText('Off', { exact: true }).waitFor()
    await section(page).getByRole('button', { name: 'Turn on' }).click()
    const password = dialog(page).getByLabel(/^Password/)
    await password.fill('not the password')
    await page.keyboard.press('Enter')
    await password.and(page.locator('[aria-invalid=true]:focus')).waitFor()
    expect(await descriptionOf(password)).toContain('password is wrong')
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')

    await dialog(page)
      .getByRole('img', { name: /^QR code/ })
      .waitFor()
    const secret = (await dialog(page).locator('pre').textContent())?.replaceAll(' ', '')
    const uri = `otpauth://totp/Meydan?secret=${secret}`
    const firstDigit = dialog(page).getByLabel('Digit 1 of 6').and(page.locator(':focus'))
    await firstDigit.waitFor()
    await page.keyboard.type(wrong(totp(uri), 7))
    await dialog(page).getByRole('alert').getByText('The code is wrong or has expired').waitFor()
    await firstDigit.waitFor()
    await page.keyboard.type(totp(uri))

    await dialog(page).getByText('shown only once').waitFor()
    const codes = await dialog(page).locator('pre').textContent()
    expect(codes).toMatch(/^([A-Za-z0-9]{5}-[A-Za-z0-9]{5}\n?){10}$/)
    await page.keyboard.press('Escape')
    const download = page.waitForEvent('download')
    await dialog(page).getByRole('button', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('meydan-backup-codes.txt')
    expect(await readFile(await file.path(), 'utf8')).toContain(codes)
    await dialog(page).getByRole('button', { name: 'I have saved them' }).click()
    await waitUntilGone(dialog(page))
    await section(page).getByText('On', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await fillSignIn(page, person)
    await secondStep(page)
    await page.getByLabel('Digit 1 of 6').and(page.locator(':focus')).waitFor()
    // The previous code is used up.
    await page.keyboard.type(totp(uri, 1))
    await overview(page)
  })

  test('leaving the page before the code turns nothing on', async () => {
    const page = await newPage(t, { as: await withWorkspace(t) })
    await page.goto('/profile')
    await section(page).getByRole('button', { name: 'Turn on' }).click()
    await dialog(page)
      .getByLabel(/^Password/)
      .fill(PASSWORD)
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await dialog(page)
      .getByRole('img', { name: /^QR code/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await waitUntilGone(dialog(page))
    await page.reload()
    await section(page).getByText('Off', { exact: true }).waitFor()
  })
})

describe('signing in with a second factor', () => {
  test('the second step stays after a reload, submits at the last digit, and shows a wrong code as an error', async () => {
    const { page, uri } = await openSecondStep(['400 POST /api/auth/two-factor/verify-totp'])
    await page.reload()
    await secondStep(page)
    const firstDigit = page.getByLabel('Digit 1 of 6').and(page.locator(':focus'))
    await firstDigit.waitFor()
    expect(await page.getByLabel('Digit 1 of 6').getAttribute('autocomplete')).toBe('one-time-code')
    await page.keyboard.type(wrong(totp(uri), 7))
    await page.getByRole('alert').getByText('The code is wrong or has expired').waitFor()
    await firstDigit.waitFor()
    await page.keyboard.type(totp(uri))
    await overview(page)
  })

  test('a backup code is accepted as it was written down, and leads to the requested page', async () => {
    const { person, backupCodes } = await withTwoFactor(t, await withWorkspace(t))
    const page = await newPage(t, {
      allow: ['401 GET', '400 POST /api/auth/two-factor/verify-backup-code'],
    })
    await page.goto('/profile/sessions')
    await fillSignIn(page, person)
    await secondStep(page)
    await page.getByRole('link', { name: 'Use a backup code instead' }).click()
    const code = page.getByRole('textbox', { name: 'Backup code' })
    await code.and(page.locator(':focus')).waitFor()
    await code.fill('abc')
    await page.keyboard.press('Enter')
    await page.getByText('A backup code has ten letters and digits.').waitFor()
    await code.fill('aaaaa-aaaaa')
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong or has expired').waitFor()
    await code.fill(` ${backupCodes[0]?.replace('-', ' ')} `)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  })

  test('a trusted browser asks for no code', async () => {
    const { page, person, uri } = await openSecondStep()
    await page.getByLabel('Trust this browser for 30 days').check()
    await page.getByLabel('Digit 1 of 6').click()
    await page.keyboard.type(totp(uri))
    await overview(page)
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await fillSignIn(page, person)
    await overview(page)
  })

  test('the second step can be left for the password, and returns to it when it has expired', async () => {
    const { page, person } = await openSecondStep(['400 POST /api/auth/two-factor/verify-totp'])
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    expect(await page.getByLabel(/^Email/).inputValue()).toBe(person.email)
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await secondStep(page)
    await page.context().clearCookies()
    await page.getByLabel('Digit 1 of 6').click()
    await page.keyboard.type('123456')
    await page.getByRole('alert').getByText('Sign in again').waitFor()
    await page.getByLabel(/^Password/).waitFor()
  })
})

test('renewing the backup codes and turning two-factor sign-in off require the password', async () => {
  const { person, backupCodes } = await withTwoFactor(t, await withWorkspace(t))
  const page = await newPage(t, { allow: ['401 GET'] })
  await page.goto('/sign-in')
  await fillSignIn(page, person)
  await page.getByRole('link', { name: 'Use a backup code instead' }).click()
  await page.getByRole('textbox', { name: 'Backup code' }).fill(backupCodes[0] ?? '')
  await page.keyboard.press('Enter')
  await overview(page)
  await visit(page, '/profile')
  await section(page).getByRole('button', { name: 'Renew backup codes' }).click()
  await dialog(page)
    .getByLabel(/^Password/)
    .fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog(page).getByText('shown only once').waitFor()
  expect(await dialog(page).locator('pre').textContent()).not.toContain(backupCodes[1])
  await dialog(page).getByRole('button', { name: 'I have saved them' }).click()
  await waitUntilGone(dialog(page))

  await section(page).getByRole('button', { name: 'Turn off' }).click()
  await dialog(page)
    .getByLabel(/^Password/)
    .fill(PASSWORD)
  await page.keyboard.press('Enter')
  await section(page).getByText('Off', { exact: true }).waitFor()
  await waitUntilGone(dialog(page))
  // Its session stays valid.
  await page.reload()
  await section(page).getByText('Off', { exact: true }).waitFor()
})
