import { afterAll, expect, test } from 'vitest'
import { billingApp } from '../../server/modules/billing/billing.fixture.ts'
import { differencesOf, readHourly } from '../../server/modules/billing/settlements/settlements.fixture.ts'
import { lasting } from '../people.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main } from './pages.ts'

const billing = await billingApp('stripe', {}, { live: true })
const admin = await lasting(billing.t, billing.admin)
afterAll(billing.close)

const report = (...lines: string[]) => ({
  name: 'november.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['date,provider_payment_id,kind,amount,fee,currency,reference', ...lines].join('\n')),
})

test('an instance admin books one difference, explains another, and sees what was done', async () => {
  const { stripe } = billing.world
  stripe.adjust({ amount: -5000, currency: 'try', type: 'reserve_transaction' })
  stripe.adjust({ amount: -700, currency: 'try', type: 'transfer' })
  await readHourly(billing)
  const page = await newPage(billing.t, { as: admin })
  await page.goto('/admin/settlements')
  const differences = main(page).getByRole('list', { name: 'Differences' })
  await expect.poll(() => differences.getByRole('listitem').count()).toBe(2)
  await expectPageAccessible(page, 'differences')
  await differences.getByRole('listitem').filter({ hasText: '₺50' }).getByRole('button', { name: /^Book/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Note' }).fill('A reserve for chargebacks')
  await dialog.getByRole('combobox', { name: 'Account' }).click()
  await page.getByRole('option', { name: 'Fees of the provider' }).click()
  await expectPageAccessible(page, 'booking')
  await dialog.getByRole('button', { name: 'Book' }).click()
  await expect.poll(() => differences.getByRole('listitem').count()).toBe(1)
  await differences.getByRole('button', { name: /^Explain/ }).click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Ours')
  await dialog.getByRole('button', { name: 'Explain' }).click()
  await main(page).getByText('No differences').waitFor()
  expect(await differencesOf(admin)).toEqual([])
  await page.getByRole('tab', { name: 'History' }).click()
  await main(page).getByText('Booked: Fees of the provider').waitFor()
  await main(page).getByText('Ours').waitFor()
  await page.getByRole('tab', { name: 'Movements' }).click()
  await main(page).getByText('Unknown · Stripe').first().waitFor()
  await expectPageAccessible(page, 'movements')
})

test('a report is previewed with its faults, and imported once it has none', async () => {
  const page = await newPage(billing.t, { as: admin })
  await page.goto('/admin/settlements')
  await page.getByRole('button', { name: 'Import a report' }).click()
  const dialog = page.getByRole('dialog')
  const choose = async (...lines: string[]) => {
    const chooser = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: /^Report/ }).click()
    await (await chooser).setFiles(report(...lines))
    await dialog.getByRole('button', { name: 'Preview' }).click()
  }
  await choose('2026-11-03,,fee,-1,0,TRY,f-1', '2026-11-03,,fee,one,0,TRY,f-2')
  await dialog.getByText('1 line cannot be imported').waitFor()
  await dialog.getByText('New: 1 · Imported before: 0 · Refused: 1').waitFor()
  await dialog.getByText(/^Line 3: Write amount and fee/).waitFor()
  await expectPageAccessible(page, 'faults')
  await choose('2026-11-03,,fee,-1,0,TRY,f-1', '2026-11-03,,payout,-20.50,0,TRY,p-1')
  await dialog.getByText('2 new lines').waitFor()
  await expectPageAccessible(page, 'preview')
  await dialog.getByRole('button', { name: 'Import 2 lines' }).click()
  await page.getByText('2 lines were imported.').waitFor()
  await page.getByRole('button', { name: 'Import a report' }).click()
  await choose('2026-11-03,,fee,-1,0,TRY,f-1', '2026-11-03,,fee,-2,0,TRY,f-3')
  await dialog.getByText('New: 1 · Imported before: 1 · Refused: 0').waitFor()
  await dialog.getByRole('button', { name: 'Import 1 line' }).click()
  await page.getByText('1 line was imported. 1 line was imported before.').waitFor()
  await page.getByRole('tab', { name: 'Movements' }).click()
  await main(page).getByText('Payout · iyzico').waitFor()
})
