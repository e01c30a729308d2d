import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Billing, billingApp } from '../../server/modules/billing/billing.fixture.ts'
import { buyerOfIyzico, buyer as payer } from '../../server/modules/billing/providers/iyzico/iyzico.fixture.ts'
import { clearEarnings } from '../../server/modules/marketplace/payouts/clearance.ts'
import { payoutAccount } from '../../server/modules/marketplace/payouts/payouts.fixture.ts'
import { expectStatus, signedIn, withWorkspace } from '../factories.ts'
import { publishedGig } from '../gigs.ts'
import { newPage } from './browser.ts'
import { main, pagePath, visit } from './pages.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('paytr', {}, { live: true })
  const options = { 'billing.enabled': false, 'marketplace.clearance_days': 0, 'marketplace.dispute_days': 0 }
  for (const [name, value] of Object.entries(options))
    expectStatus(await billing.admin.put(`/api/v1/options/${name}`, { value }), 200)
})
afterAll(() => billing?.close())

const english = {
  order: 'Order',
  requirements: 'Requirements',
  pay: 'Order and pay',
  is_paid: 'The order is paid',
  to_order: 'To the order',
  waits: 'Waiting for the seller',
  accept: 'Accept the order',
  deliver: 'Deliver',
  links: 'Links',
  notes: 'Notes',
  complete: 'Complete the order',
  completed: 'The order is completed.',
  holder: 'Account holder',
  save: 'Save account',
  request: 'Request a payout',
  payouts: 'Payouts',
  export: 'Export TRY for the bank',
  confirm: 'Export',
  download: 'Download CSV',
  paid: 'Paid',
  reference: 'Bank reference',
}
const turkish: typeof english = {
  order: 'Sipariş ver',
  requirements: 'İhtiyaçlar',
  pay: 'Sipariş ver ve öde',
  is_paid: 'Sipariş ödendi',
  to_order: 'Siparişe git',
  waits: 'Satıcı bekleniyor',
  accept: 'Siparişi kabul et',
  deliver: 'Teslim et',
  links: 'Bağlantılar',
  notes: 'Notlar',
  complete: 'Siparişi tamamla',
  completed: 'Sipariş tamamlandı.',
  holder: 'Hesap sahibi',
  save: 'Hesabı kaydet',
  request: 'Ödeme iste',
  payouts: 'Ödemeler',
  export: 'TRY ödemelerini dışa aktar',
  confirm: 'Dışa aktar',
  download: 'CSV indir',
  paid: 'Ödendi',
  reference: 'Banka referansı',
}

test.each([
  { language: 'English', locale: 'en', provider: 'paytr', where: 'in the frame of PayTR', words: english },
  { language: 'Turkish', locale: 'tr', provider: 'iyzico', where: 'on the page of iyzico', words: turkish },
] as const)(
  'a gig that was found by a search engine is ordered in $language, paid $where, delivered, completed and paid out',
  async ({ locale, provider, words }) => {
    const { t, admin, world } = billing
    expectStatus(await admin.put('/api/v1/options/billing.provider', { value: provider }), 200)
    const buyer = await buyerOfIyzico(billing)
    const seller = await withWorkspace(t)
    const payer_admin = await signedIn(t, { instanceAdmin: true })
    for (const person of [buyer, seller, payer_admin]) expectStatus(await person.patch('/api/v1/me', { locale }), 200)
    const gig = await publishedGig(seller, { price: 1499.99 })
    const before = world.journal.charges().length

    // The frame may be loaded once more before the page knows of the payment, and then has nothing to pay.
    const buying = await newPage(t, { as: buyer, locale, allow: ['404 GET /odeme/guvenli/'] })
    await buying.goto(gig.url)
    await buying.getByRole('link', { name: words.order, exact: true }).click()
    await buying.getByRole('textbox', { name: words.requirements }).fill('Warm colors.')
    if (provider === 'iyzico') {
      const fields = {
        Ad: payer.name,
        Soyad: payer.surname,
        Telefon: payer.phone,
        'Kimlik numarası': payer.identity_number,
      }
      for (const [name, value] of Object.entries(fields))
        await buying.getByRole('textbox', { name, exact: true }).fill(value)
    }
    await buying.getByRole('button', { name: words.pay }).click()
    const form = provider === 'paytr' ? buying.frameLocator('iframe[title="Payment form of PayTR"]') : buying
    await form.getByRole('button', { name: 'ok' }).click()
    await main(buying).getByText(words.is_paid).waitFor()
    await main(buying).getByRole('link', { name: words.to_order }).click()
    await main(buying).getByText(words.waits).first().waitFor()
    expect(world.journal.charges().slice(before)).toMatchObject([{ provider, amount: 149_999n }])

    const selling = await newPage(t, { as: seller, locale, allow: ['404 GET /api/v1/marketplace/payout-account'] })
    await selling.goto(pagePath(seller, '/marketplace/orders?role=seller'))
    await main(selling).getByRole('link', { name: gig.title }).click()
    await selling.getByRole('button', { name: words.accept }).click()
    await selling.getByRole('button', { name: words.deliver }).click()
    const dialog = selling.getByRole('dialog')
    await dialog.getByRole('textbox', { name: words.links }).fill('https://example.com/posts')
    await dialog.getByRole('textbox', { name: words.notes }).fill('All ten posts.')
    await dialog.getByRole('button', { name: words.deliver }).click()
    await main(selling).getByText('All ten posts.').waitFor()

    await buying.reload()
    await main(buying).getByText('All ten posts.').waitFor()
    await buying.getByRole('button', { name: words.complete }).click()
    await buying.getByRole('dialog').getByRole('button', { name: words.complete }).click()
    await main(buying).getByText(words.completed).first().waitFor()
    await clearEarnings(t.deps)

    await visit(selling, pagePath(seller, '/marketplace/earnings'))
    await selling.getByRole('textbox', { name: words.holder }).fill(payoutAccount.holder)
    await selling.getByRole('textbox', { name: 'IBAN' }).fill(payoutAccount.iban)
    await selling.getByRole('button', { name: words.save }).click()
    await selling.getByRole('button', { name: words.request }).click()
    await selling.getByRole('dialog').getByRole('button', { name: words.request }).click()
    const payouts = selling.getByRole('list', { name: words.payouts })
    await payouts.getByRole('listitem').waitFor()

    const paying = await newPage(t, { as: payer_admin, locale })
    await paying.goto('/admin/marketplace/payouts')
    await paying.getByRole('button', { name: words.export }).click()
    await paying.getByRole('dialog').getByRole('button', { name: words.confirm }).click()
    // The batch of the export takes the place of the list.
    await main(paying).getByText(words.download, { exact: true }).waitFor()
    await paying.getByRole('button', { name: `${words.paid}: ${payoutAccount.holder}` }).click()
    await paying.getByRole('textbox', { name: words.reference }).fill('EFT 4711')
    await paying.getByRole('dialog').getByRole('button', { name: words.paid }).click()
    await main(paying).getByText('EFT 4711').waitFor()
    await selling.reload()
    await payouts.getByText('EFT 4711').waitFor()
    const { data } = expectStatus(await seller.get('/api/v1/marketplace/payouts'), 200).body
    expect(data).toMatchObject([{ status: 'paid', amount: 1349.99, currency: 'TRY' }])
  },
)
