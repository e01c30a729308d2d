import { minorOf } from '../amounts.ts'
import {
  type Body,
  INTERVALS,
  type Iyzico,
  IyzicoError,
  invalid,
  notFound,
  type Plan,
  type Product,
  required,
  text,
} from './state.ts'

export function addProduct(world: Iyzico, name: string, description = ''): Product {
  if (!name) throw invalid('name')
  if ([...world.products.values()].some((each) => each.name === name))
    throw new IyzicoError('201001', 'Ürün zaten mevcut')
  const product = { ref: world.newRef(), name, description, createdAt: world.timers.time() }
  world.products.set(product.ref, product)
  return product
}

export function addPlan(world: Iyzico, productRef: string, body: Body): Plan {
  if (!world.products.has(productRef)) throw notFound('Ürün')
  required(body, 'name', 'price', 'currencyCode', 'paymentInterval', 'planPaymentType')
  const price = minorOf(text(body, 'price'))
  if (!price) throw invalid('price')
  const interval = Object.keys(INTERVALS).find(
    (each): each is Plan['interval'] => each === text(body, 'paymentInterval'),
  )
  if (!interval) throw invalid('paymentInterval')
  const currency = text(body, 'currencyCode')
  if (!/^(TRY|EUR|USD|GBP|IRR|NOK|RUB|CHF)$/.test(currency)) throw invalid('currencyCode')
  const name = text(body, 'name')
  if ([...world.plans.values()].some((each) => each.name === name))
    throw new IyzicoError('201101', 'Ödeme planı zaten mevcut')
  const plan: Plan = {
    ref: world.newRef(),
    productRef,
    name,
    price,
    currency,
    interval,
    count: Number(text(body, 'paymentIntervalCount') || 1),
    trialDays: Number(text(body, 'trialPeriodDays') || 0),
    recurrences: body.recurrenceCount === undefined ? undefined : Number(body.recurrenceCount),
    createdAt: world.timers.time(),
  }
  world.plans.set(plan.ref, plan)
  return plan
}
