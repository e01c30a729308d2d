import { choiceIn, type Form, integerIn, metadataIn, objectIn, requiredText, StripeError, textIn } from './form.ts'
import type { Price, Stripe } from './state.ts'

export function addProduct(stripe: Stripe, form: Form) {
  return stripe.add('product', { name: requiredText(form, 'name'), metadata: metadataIn(form, 'metadata') })
}

/** The fields of POST /v1/prices, and of `price_data` in a checkout. */
export function addPrice(stripe: Stripe, form: Form): Price {
  const data = objectIn(form, 'product_data')
  const product = data ? addProduct(stripe, data) : stripe.get('product', requiredText(form, 'product'), 'product')
  const unitAmount = integerIn(form, 'unit_amount')
  if (unitAmount === undefined || unitAmount < 0)
    throw new StripeError(400, 'Missing required param: unit_amount.', {
      param: 'unit_amount',
      code: 'parameter_missing',
    })
  const interval = choiceIn(form, 'recurring.interval', ['day', 'week', 'month', 'year']) ?? null
  const options = Object.entries(objectIn(form, 'currency_options') ?? {})
  return stripe.add('price', {
    product: product.id,
    currency: requiredText(form, 'currency').toLowerCase(),
    unitAmount,
    others: Object.fromEntries(
      options.map(([currency, each]) => [
        currency,
        typeof each === 'object' ? (integerIn(each, 'unit_amount') ?? 0) : 0,
      ]),
    ),
    interval,
    intervalCount: integerIn(form, 'recurring.interval_count') ?? 1,
    lookupKey: textIn(form, 'lookup_key') ?? null,
    nickname: textIn(form, 'nickname') ?? null,
    active: textIn(form, 'active') !== 'false',
    metadata: metadataIn(form, 'metadata'),
  })
}
