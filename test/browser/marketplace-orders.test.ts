import { expect, test } from 'vitest'
import { pendingRequest } from '../../server/modules/billing/billing.fixture.ts'
import { testApp } from '../app.ts'
import { expectStatus, signedIn, withWorkspace } from '../factories.ts'
import { publishedGig } from '../gigs.ts'
import { testImage } from '../media.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath, showMorePages, visit } from './pages.ts'

const t = await testApp({}, { live: true })
const admin = await signedIn(t, { instanceAdmin: true })

test('a buyer orders a gig from its public page, the seller delivers it, and the buyer completes and reviews it', async () => {
  const seller = await withWorkspace(t)
  const buyer = await withWorkspace(t)
  const gig = await publishedGig(seller)
  const buying = await newPage(t, { as: buyer })
  await buying.goto(gig.url)
  await buying.getByRole('link', { name: 'Order' }).click()
  await buying.getByRole('textbox', { name: 'Requirements' }).fill('Warm colors.')
  await expectPageAccessible(buying, 'order')
  await buying.getByRole('button', { name: 'Order and pay' }).click()
  await buying.getByText('The seller gets the order once an instance admin has confirmed the payment.').waitFor()
  const [order] = expectStatus(await buyer.get('/api/v1/marketplace/orders'), 200).body.data
  const { id } = await pendingRequest(admin, order.checkout.id)
  expectStatus(await admin.post(`/api/v1/admin/payment-requests/${id}/approve`, {}), 200)

  const selling = await newPage(t, { as: seller })
  await selling.goto(pagePath(seller))
  await selling.getByRole('region', { name: 'Waiting for you' }).getByText('1 order to accept').waitFor()
  await showMorePages(selling)
  await selling.getByRole('link', { name: 'Orders' }).getByRole('img', { name: '1 order waits for you' }).waitFor()
  await selling.getByRole('link', { name: 'Orders' }).click()
  await selling.getByRole('link', { name: gig.title }).click()
  await selling.getByRole('button', { name: 'Accept' }).click()
  await selling.getByRole('button', { name: 'Propose a refund' }).click()
  await selling.getByRole('dialog').getByRole('textbox', { name: 'Amount' }).fill('500,50')
  await selling.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Five posts instead of ten.')
  await selling.getByRole('dialog').getByRole('button', { name: 'Propose a refund' }).click()
  await selling.getByRole('button', { name: 'Withdraw the proposal' }).waitFor()
  const proposed = expectStatus(await buyer.get(`/api/v1/marketplace/orders/${order.id}`), 200).body
  expect(proposed.proposal).toMatchObject({ status: 'open', refund_amount: 500.5 })
  await selling.getByRole('button', { name: 'Withdraw the proposal' }).click()
  await selling.getByRole('button', { name: 'Propose a refund' }).waitFor()
  await selling.getByRole('button', { name: 'Deliver' }).click()
  const dialog = selling.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Links' }).fill('https://example.com/drafts')
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('Ten drafts.')
  await dialog.getByRole('button', { name: 'Deliver' }).click()
  await main(selling).getByText('Ten drafts.').waitFor()

  await buying.goto(pagePath(buyer, `/marketplace/orders/${order.id}`))
  await main(buying).getByRole('link', { name: 'https://example.com/drafts' }).waitFor()
  await buying.getByRole('textbox', { name: 'New message' }).fill('Thank you!')
  await buying
    .getByTestId('files')
    .setInputFiles([{ name: 'menu.png', mimeType: 'image/png', buffer: await testImage() }])
  await buying.getByRole('list', { name: 'Files' }).getByRole('listitem').waitFor()
  await buying.getByRole('button', { name: 'Send message' }).click()
  await main(buying).getByRole('link', { name: 'menu.png' }).waitFor()
  await main(buying).getByText('Thank you!').waitFor()
  await visit(selling, pagePath(seller, '/marketplace/orders?role=seller'))
  await selling.getByText('1 new message').waitFor()
  await selling.getByRole('link', { name: gig.title }).click()
  await main(selling).getByText('Thank you!').waitFor()
  await expect
    .poll(async () => (await seller.get(`/api/v1/marketplace/orders/${order.id}`)).body.unread_messages)
    .toBe(0)
  await expectPageAccessible(buying, 'delivered order')
  await buying.getByRole('button', { name: 'Complete the order' }).click()
  await buying.getByRole('dialog').getByRole('button', { name: 'Complete the order' }).click()
  await main(buying).getByText('The order is completed.').waitFor()
  expect(await main(buying).getByText('Payout available').count()).toBe(0)
  await buying.getByRole('button', { name: 'Write a review' }).click()
  await buying.getByRole('dialog').getByRole('radio', { name: '4 of 5 stars' }).check()
  await buying.getByRole('dialog').getByRole('textbox', { name: 'Review' }).fill('On time.')
  await expectPageAccessible(buying, 'review')
  await buying.getByRole('dialog').getByRole('button', { name: 'Write a review' }).click()
  await main(buying).getByText('4 of 5 stars').waitFor()
  expectStatus(await seller.post(`/api/v1/marketplace/orders/${order.id}/review`, { rating: 5 }), 201)
  await visit(selling, pagePath(seller, `/marketplace/orders/${order.id}`))
  await selling.getByRole('button', { name: 'Reply to the review' }).click()
  await selling.getByRole('dialog').getByRole('textbox', { name: 'Reply' }).fill('See you soon!')
  await selling.getByRole('dialog').getByRole('button', { name: 'Reply to the review' }).click()
  await main(selling).getByText('Reply: See you soon!').waitFor()
  const { body } = expectStatus(await seller.get('/api/v1/marketplace/balance'), 200)
  expect(body.data).toMatchObject([{ currency: 'TRY', pending: 1349.91 }])
})
