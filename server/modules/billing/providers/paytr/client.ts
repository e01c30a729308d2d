import { type TSchema, Type } from 'typebox'
import { hmac } from '../../../../lib/crypto/crypto.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { callProvider, NumberOrText, parseReply } from '../calls.ts'
import { type Currency, ProviderError } from '../provider.ts'

type PaytrKeys = { merchantId: string; merchantKey: string; merchantSalt: string }

export async function paytrKeys({ options }: Deps): Promise<PaytrKeys> {
  const merchantId = await options.get('paytr.merchant_id')
  const [merchantKey, merchantSalt] = [
    await options.secret('paytr.merchant_key'),
    await options.secret('paytr.merchant_salt'),
  ]
  if (!merchantId || !merchantKey || !merchantSalt)
    throw new ProviderError('not_configured', 'The keys of PayTR are not set.')
  return { merchantId, merchantKey, merchantSalt }
}

/** The hash of texts in their order. The salt is one of them: the last in calls, the second in callbacks. */
export const paytrHash = (merchantKey: string, ...texts: string[]) => hmac(merchantKey, ...texts).digest('base64')

export const paytrCurrencies = { TRY: 'TL', USD: 'USD' } as const satisfies Record<Currency, string>

export function currencyOf(code: string): Currency {
  if (code === 'TL' || code === 'TRY') return 'TRY'
  if (code !== 'USD') throw new Error(`Unknown currency of PayTR: ${code}`)
  return code
}

/** PayTR allows letters and digits only. */
export const orderIdOf = (checkoutId: string) => checkoutId.replaceAll('-', '')
/** Undefined if Meydan did not create the order. */
export const checkoutIdOf = (orderId: string) =>
  /^[0-9a-f]{32}$/.test(orderId) ? orderId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : undefined

export class PaytrError extends ProviderError {
  /** `err_no` of PayTR; empty for a call that has none. */
  readonly code: string
  constructor(kind: ProviderError['kind'], code: string, message: string) {
    super(kind, message)
    this.code = code
  }
}

type PaytrCall = {
  path: string
  fields: Record<string, string>
  /** Names of the fields that the hash covers, in their order. */
  signed: readonly string[]
  changes?: boolean
}

const Outcome = Type.Object({
  status: Type.String(),
  reason: Type.Optional(Type.String()),
  err_no: Type.Optional(NumberOrText),
  err_msg: Type.Optional(Type.String()),
})

/** Calls PayTR with a form, and returns the response of a success. */
export async function paytrCall<S extends TSchema>(deps: Deps, schema: S, call: PaytrCall) {
  const { path, signed, changes = false } = call
  const { merchantId, merchantKey, merchantSalt } = await paytrKeys(deps)
  const fields: Record<string, string> = { merchant_id: merchantId, ...call.fields }
  const texts = signed.map((name) => fields[name] ?? '')
  const paytr_token = paytrHash(merchantKey, ...texts, merchantSalt)
  const named = { name: 'PayTR', changes }
  const reply = await callProvider(deps, {
    ...named,
    url: `${deps.config.PAYTR_URL}${path}`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, paytr_token }).toString(),
  })
  const { status, reason, err_no, err_msg } = await parseReply(Outcome, reply, named)
  if (status === 'success') return parseReply(schema, reply, named)
  throw new PaytrError('refused', String(err_no ?? ''), reason ?? err_msg ?? 'PayTR refused the call.')
}
