import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { HOUR } from '../../../../../shared/time.ts'
import { equalInConstantTime } from '../../../../lib/crypto/crypto.ts'
import type { Db } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { NumberOrText } from '../calls.ts'
import type { InboundEvent } from '../provider.ts'
import { oneOffRef } from './checkout.ts'
import { iyzicoKeys } from './client.ts'
import { webhookSignature } from './signatures.ts'

const Notice = Type.Object({ iyziEventType: Type.String({ maxLength: 100 }) })
const SubscriptionNotice = Type.Object({
  subscriptionReferenceCode: Type.String({ maxLength: 200 }),
  orderReferenceCode: Type.String({ maxLength: 200 }),
  customerReferenceCode: Type.String({ maxLength: 200 }),
})
const PaymentNotice = Type.Object({
  status: Type.String(),
  paymentConversationId: Type.String({ maxLength: 200 }),
  paymentId: Type.Optional(NumberOrText),
  iyziPaymentId: Type.Optional(NumberOrText),
  token: Type.Optional(Type.String({ maxLength: 200 })),
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The signed fields of a webhook in their order, and what it is about. */
async function contentOf(body: unknown, merchantId: string, secretKey: string) {
  const { Value } = await import('typebox/value')
  if (!Value.Check(Notice, body)) return undefined
  const { iyziEventType: type } = body
  if (Value.Check(SubscriptionNotice, body)) {
    const { subscriptionReferenceCode: id, orderReferenceCode, customerReferenceCode } = body
    const fields = [merchantId, secretKey, type, id, orderReferenceCode, customerReferenceCode]
    return { type, fields, refs: { subscription_id: id } }
  }
  if (!Value.Check(PaymentNotice, body)) return undefined
  const { token, paymentConversationId: conversation, status } = body
  const checkout = uuid.test(conversation) ? { checkout_id: conversation.toLowerCase() } : {}
  const paymentId = String((token === undefined ? body.paymentId : body.iyziPaymentId) ?? '')
  const fields = [secretKey, type, paymentId, ...(token === undefined ? [] : [token]), conversation, status]
  const refs = { ...checkout, ...(token !== undefined && { checkout_ref: oneOffRef(token) }), payment_id: paymentId }
  return { type, fields, refs }
}

/** Checkouts read for an event about an unknown subscription. */
const MAX_CANDIDATES = 50

/** An event about a subscription does not name the checkout that it began with. */
export async function findCandidates(db: Db) {
  const rows = await db
    .selectFrom('checkout')
    .select('id')
    .where('provider', '=', 'iyzico')
    .where('status', '=', 'open')
    .where('purpose', '<>', 'renewal')
    .where('provider_ref', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_CANDIDATES)
    .execute()
  return rows.map(({ id }) => id)
}

export async function verifyWebhook(
  deps: Deps,
  raw: Buffer,
  headers: IncomingHttpHeaders,
): Promise<InboundEvent | null> {
  const { secretKey } = await iyzicoKeys(deps)
  let body: unknown
  try {
    body = JSON.parse(raw.toString())
  } catch {
    return null
  }
  const content = await contentOf(body, await deps.options.get('iyzico.merchant_id'), secretKey)
  const given = headers['x-iyz-signature-v3']
  if (!content || typeof given !== 'string') return null
  if (!equalInConstantTime(given.toLowerCase(), webhookSignature(secretKey, content.fields))) return null
  // `iyziReferenceCode` is not signed, so anyone who saw a notice could send it again under another one. The hour lets
  // iyzico report the same again, such as a second failure.
  const hour = Math.floor(deps.clock.now().getTime() / HOUR)
  return { id: `${given.toLowerCase()} ${hour}`, type: content.type, refs: content.refs }
}
