import { afterAll, expect, test } from 'vitest'
import { billingApp, settle } from '../../server/modules/billing/billing.fixture.ts'
import { delivery, doOn, ordered, readOrder } from '../../server/modules/marketplace/orders/orders.fixture.ts'
import { requested, withEarnings } from '../../server/modules/marketplace/payouts/payouts.fixture.ts'
import { expectStatus, withWorkspace } from '../factories.ts'
import { publishedGig, reportedGig } from '../gigs.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, visit } from './pages.ts'

const billing = await billingApp('stripe', {}, { live: true })
afterAll(billing.close)
expectStatus(await billing.admin.put('/api/v1/options/billing.enabled', { value: false }), 200)
const seller = await withWorkspace(billing.t)
const buyer = await withWorkspace(billing.t)

/** An order of 100 lira that is paid at Stripe, with its payment there. */
async function paidOrder(title: string) {
  const { stripe } = billing.world
  const order = await ordered(buyer, await publishedGig(seller, { price: 100, title }), {
    requirements: 'Warm colors.',
  })
  const session = stripe.sessions().find(({ url }) => url === order.checkout.url)
  expect(stripe.payCheckout(String(session?.id)).paid).toBe(true)
  await settle(billing)
  const { provider_payment_id: intent } = await billing.t.deps.db
    .selectFrom('payment')
    .select('provider_payment_id')
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  return { id: order.id as string, intent }
}

/** A canceled order whose refund failed at Stripe. */
async function failedRefund(title: string) {
  const { id, intent } = await paidOrder(title)
  const refund = billing.world.stripe.refundInDashboard(intent, 10_000)
  await settle(billing)
  billing.world.stripe.finishRefund(refund, 'failed')
  await settle(billing)
  return { id }
}

test('an instance admin reads the words of both sides of a dispute, writes to them, and divides the price', async () => {
  const { id } = await paidOrder('Ten posts')
  await doOn(seller, id, 'accept')
  await doOn(seller, id, 'deliver', delivery)
  await doOn(seller, id, 'messages', { text: 'All ten are there.' })
  await doOn(buyer, id, 'dispute', { reason: 'Only five came.' })
  const page = await newPage(billing.t, { as: billing.admin })
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Disputes' }).click()
  await expectPageAccessible(page, 'disputes')
  await main(page).getByRole('link', { name: 'Ten posts' }).click()
  for (const text of ['Only five came.', 'All ten are there.', 'Warm colors.', 'All ten posts.'])
    await main(page).getByText(text).first().waitFor()
  await page.getByRole('textbox', { name: 'Message to both sides' }).fill('Which posts are missing?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await main(page).getByRole('list', { name: 'Messages' }).getByText('Which posts are missing?').waitFor()
  const decide = page.getByRole('button', { name: 'Decide', exact: true })
  await page.getByRole('textbox', { name: /^Refund to the buyer/ }).fill('100,01')
  await decide.click()
  await page.getByText('Enter an amount from 0 to ₺100').waitFor()
  await page.getByRole('button', { name: 'Half each' }).click()
  await main(page).getByText('The buyer gets back ₺50. The seller gets ₺50, less the fee.').waitFor()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Five of ten came.')
  await expectPageAccessible(page, 'dispute')
  await decide.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Decide' }).click()
  await main(page).getByText('Five of ten came.').first().waitFor()
  await main(page).getByText('Decided', { exact: true }).waitFor()
  await expectPageAccessible(page, 'decided dispute')
  expect(await readOrder(buyer, { id })).toMatchObject({ status: 'completed', refund_amount: 50 })
  await settle(billing)
})

test('an instance admin retries a refund that failed, and notes another that was returned by hand', async () => {
  const retried = await failedRefund('Retried')
  const byHand = await failedRefund('By hand')
  const page = await newPage(billing.t, { as: billing.admin })
  await page.goto('/admin/marketplace/refunds')
  await page.getByRole('link', { name: 'Show failed refunds' }).click()
  await page.getByRole('button', { name: 'Retry the refund: Retried' }).waitFor()
  await expectPageAccessible(page, 'refunds')
  await page.getByRole('button', { name: 'Retry the refund: Retried' }).click()
  await page.getByText('The payment provider was asked again.').waitFor()
  await page.getByRole('button', { name: 'Mark as returned: By hand' }).click()
  await page.getByRole('textbox', { name: 'Bank reference' }).fill('EFT 1')
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as returned' }).click()
  await page.getByText('No refunds').waitFor()
  await settle(billing)
  for (const order of [retried, byHand])
    expect(await readOrder(buyer, order)).toMatchObject({ refund_amount: 100, refund_status: 'succeeded' })
})

test('an instance admin exports payouts for the bank, and notes which were paid and which failed', async () => {
  const { t, admin } = billing
  const sellers = await Promise.all(
    ['Ada Lovelace', 'Grace Hopper'].map(async (holder) => {
      const iban = 'TR33 0006 1005 1978 6457 8413 26'
      return withEarnings(t, await withWorkspace(t), { holder, iban })
    }),
  )
  for (const each of sellers) await requested(each)
  const page = await newPage(t, { as: admin })
  await page.goto('/admin/marketplace/payouts')
  await main(page).getByText('TR33 0006 1005 1978 6457 8413 26').first().waitFor()
  await expectPageAccessible(page, 'payouts')
  await page.getByRole('button', { name: 'Export TRY for the bank' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  await page.getByText('2 payouts, ₺1,800 together, are in the batch.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^payouts-.*\.csv$/)
  await expectPageAccessible(page, 'batch')
  await page.getByRole('button', { name: 'Paid: Ada Lovelace' }).click()
  await page.getByRole('textbox', { name: 'Bank reference' }).fill('EFT 4711')
  await page.getByRole('dialog').getByRole('button', { name: 'Paid' }).click()
  await main(page).getByText('Bank reference: EFT 4711').waitFor()
  await page.getByRole('button', { name: 'Failed: Grace Hopper' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Wrong IBAN')
  await page.getByRole('dialog').getByRole('button', { name: 'Failed' }).click()
  await main(page).getByText('The transfer failed: Wrong IBAN').waitFor()
  const [ada, grace] = await Promise.all(
    sellers.map(async (one) => (await one.get('/api/v1/marketplace/payouts')).body.data),
  )
  expect([ada, grace]).toMatchObject([[{ status: 'paid' }], [{ status: 'failed' }]])
})

test('an instance admin dismisses a report, takes down a reported gig, and restores it', async () => {
  const { t, admin } = billing
  for (let n = 0; n < 2; n++) await reportedGig(await withWorkspace(t), buyer)
  const page = await newPage(t, { as: admin })
  await page.goto('/admin/marketplace/moderation')
  const reports = page.getByRole('list', { name: 'Reports' }).getByRole('listitem')
  await expect.poll(() => reports.count()).toBe(2)
  await expectPageAccessible(page, 'reports')
  await reports
    .first()
    .getByRole('button', { name: /^Dismiss/ })
    .click()
  await expect.poll(() => reports.count()).toBe(1)
  await reports.getByRole('button', { name: /^Take down/ }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Copied text')
  await page.getByRole('dialog').getByRole('button', { name: 'Take down' }).click()
  await page.getByText('No reports').waitFor()
  await visit(page, '/admin/marketplace/moderation?view=gigs&shown=hidden')
  await main(page).getByText('Reason: Copied text').waitFor()
  await expectPageAccessible(page, 'gigs')
  await page.getByRole('button', { name: /^Restore/ }).click()
  await page.getByText('No gigs').waitFor()
  const { body } = expectStatus(await admin.get('/api/v1/admin/marketplace/gigs?taken_down=true'), 200)
  expect(body.data).toEqual([])
})

test('the check of the ledger says what is broken and what to do about it', async () => {
  const { t, admin } = billing
  const page = await newPage(t, { as: admin })
  await page.goto('/admin/ledger')
  await page.getByText('The ledger adds up').waitFor()
  await expectPageAccessible(page, 'ledger')
  const paid = {
    provider: 'paytr',
    provider_payment_id: 'unbooked',
    currency: 'TRY',
    amount: '100',
    use: 'order',
  } as const
  const { id: order_id } = await paidOrder('Unbooked')
  await t.deps.db
    .insertInto('payment')
    .values({ ...paid, order_id, paid_at: t.clock.now() })
    .execute()
  await page.getByRole('button', { name: 'Check again' }).click()
  const finding = page.getByRole('region', { name: 'The money at a payment provider differs' })
  await finding.getByText('The ledger has 0.00 TRY in clearing at paytr').waitFor()
  await finding.getByText('Compare the payments and refunds of this provider').waitFor()
  await expectPageAccessible(page, 'findings')
  await t.deps.db.deleteFrom('payment').where('provider_payment_id', '=', 'unbooked').execute()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('The ledger adds up').waitFor()
})
