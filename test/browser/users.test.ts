import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, signedIn, withWorkspace } from '../factories.ts'
import { newPage } from './browser.ts'
import { fillSignIn, main, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
const admin = await signedIn(t, { instanceAdmin: true, name: 'Ada' })

const row = (page: Page, name: string) => main(page).getByRole('listitem').filter({ hasText: name })

test('an instance admin finds a user, bans them with a reason, and lifts the ban', async () => {
  const grace = await signedIn(t, { name: 'Grace Hopper' })
  const page = await newPage(t, { as: admin })
  await page.goto('/admin/users')
  await row(page, admin.email).getByText('Instance admin').waitFor()
  await expect.poll(() => row(page, admin.email).getByRole('button').count()).toBe(0)

  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('hopper')
  await waitUntilGone(row(page, admin.email))
  await page.waitForURL(/search=hopper/)
  await page.getByRole('button', { name: 'Ban Grace Hopper', exact: true }).click()
  const ask = page.getByRole('dialog', { name: 'Ban Grace Hopper?' })
  await ask.getByLabel(/^Reason/).fill('Sent spam')
  await ask.getByRole('button', { name: 'Ban' }).click()
  await row(page, 'Grace').getByText('Sent spam').waitFor()
  await row(page, 'Grace').getByText('Banned', { exact: true }).waitFor()
  await waitUntilGone(ask)
  expectStatus(await grace.get('/api/v1/me'), 401)

  const her = await newPage(t, { allow: ['403 POST /api/auth/sign-in/email', '401 GET /api/v1/me'] })
  await her.goto('/sign-in')
  await fillSignIn(her, grace)
  await her
    .getByRole('alert')
    .getByText(/has been banned/)
    .waitFor()

  await page.getByRole('button', { name: 'Lift ban: Grace Hopper' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Lift ban' }).click()
  await waitUntilGone(row(page, 'Grace').getByText('Banned', { exact: true }))
  await fillSignIn(her, grace)
  await her.getByRole('heading', { name: 'Your first workspace' }).waitFor()

  await page.getByRole('searchbox').fill('nobody of that name')
  await page.getByText('No matching users').waitFor()
  await page.getByRole('button', { name: 'Clear search' }).last().click()
  await row(page, admin.email).waitFor()
})

test('the users page is not found for ordinary users', async () => {
  const person = await withWorkspace(t)
  const page = await newPage(t, { as: person })
  await page.goto('/admin/users')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})
