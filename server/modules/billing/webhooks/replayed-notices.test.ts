import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/factories.ts'
import { type Billing, billingApp } from '../billing.fixture.ts'
import { iyzicoKeys } from '../providers/iyzico/client.ts'
import { webhookSignature } from '../providers/iyzico/signatures.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('iyzico')
})
afterAll(() => billing?.close())

test('a notice of iyzico that is sent again under another reference is stored once an hour', async () => {
  const { t } = billing
  const { secretKey } = await iyzicoKeys(t.deps)
  const merchant = await t.deps.options.get('iyzico.merchant_id')
  const type = 'subscription.order.failure'
  const refs = {
    subscriptionReferenceCode: crypto.randomUUID(),
    orderReferenceCode: crypto.randomUUID(),
    customerReferenceCode: crypto.randomUUID(),
  }
  const signature = webhookSignature(secretKey, [merchant, secretKey, type, ...Object.values(refs)])
  const send = async () =>
    expectStatus(
      await t.anyone.call('POST', '/api/v1/billing/webhooks/iyzico', {
        body: JSON.stringify({ ...refs, iyziEventType: type, iyziReferenceCode: crypto.randomUUID() }),
        headers: { 'content-type': 'application/json', 'x-iyz-signature-v3': signature },
      }),
      200,
    )
  const stored = async () => (await t.deps.db.selectFrom('billing_event').select('event_id').execute()).length
  for (let n = 0; n < 3; n++) await send()
  expect(await stored()).toBe(1)
  t.advance(3_600_000)
  await send()
  expect(await stored()).toBe(2)
})
