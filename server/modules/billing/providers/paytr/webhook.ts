import { equalInConstantTime } from '../../../../lib/crypto/crypto.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { InboundEvent } from '../provider.ts'
import { checkoutIdOf, paytrHash, paytrKeys } from './client.ts'

/**
 * Verifies the callback (Bildirim). The hash covers order, status and amount only, so that nothing else in it is used.
 * The amount is read from PayTR with the payment.
 */
export async function verifyWebhook(deps: Deps, raw: Buffer): Promise<InboundEvent | null> {
  const { merchantKey, merchantSalt } = await paytrKeys(deps)
  const fields = new URLSearchParams(raw.toString())
  const field = (name: string) => fields.get(name) ?? ''
  const [order, status, hash] = [field('merchant_oid'), field('status'), field('hash')]
  const expected = paytrHash(merchantKey, order, merchantSalt, status, field('total_amount'))
  if (!equalInConstantTime(hash, expected)) return null
  const checkout_id = checkoutIdOf(order)
  return {
    id: `${order}:${status}`,
    type: `payment.${status}`,
    refs: { checkout_ref: order, payment_id: order, ...(checkout_id && { checkout_id }) },
    ...(status === 'failed' && { failed: true }),
  }
}
