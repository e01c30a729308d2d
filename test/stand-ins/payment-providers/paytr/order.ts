import { minorOf } from '../amounts.ts'

/** The currencies that PayTR takes, as ISO 4217. */
export const ISO_CURRENCY: Record<string, string> = {
  TL: 'TRY',
  TRY: 'TRY',
  EUR: 'EUR',
  USD: 'USD',
  GBP: 'GBP',
  RUB: 'RUB',
}

/** Greatest lengths of the fields of get-token. */
const LENGTHS = { user_ip: 39, email: 100, merchant_oid: 64, user_name: 60, user_address: 400, user_phone: 20 }

const REQUIRED = ['merchant_id', 'user_ip', 'merchant_oid', 'email', 'payment_amount', 'user_basket', 'no_installment']
const REQUIRED_LATER = [
  'max_installment',
  'user_name',
  'user_address',
  'user_phone',
  'merchant_ok_url',
  'merchant_fail_url',
]

/** The basket as base64 of `[["name", "18.00", quantity], …]`. */
function isBasket(text: string) {
  const decoded = Buffer.from(text, 'base64')
  if (decoded.toString('base64') !== text) return false
  try {
    const basket: unknown = JSON.parse(decoded.toString())
    const isLine = (line: unknown) =>
      Array.isArray(line) && line.length === 3 && typeof line[0] === 'string' && minorOf(String(line[1])) !== undefined
    return Array.isArray(basket) && basket.length > 0 && basket.every(isLine)
  } catch {
    return false
  }
}

/** Checks the fields of get-token, apart from their hash. Returns the text of the error. */
export function checkOrder(fields: URLSearchParams, merchantId: string) {
  const missing = [...REQUIRED, ...REQUIRED_LATER].find((name) => !fields.get(name))
  if (missing) return `Zorunlu alan degeri gecersiz veya gonderilmedi: ${missing}`
  const value = (name: string) => fields.get(name) ?? ''
  const long = Object.entries(LENGTHS).find(([name, length]) => value(name).length > length)
  if (long) return `${long[0]} en fazla ${long[1]} karakter olabilir`
  if (value('merchant_id') !== merchantId) return 'merchant_id gecersiz'
  if (!/^[a-zA-Z0-9]+$/.test(value('merchant_oid'))) return 'merchant_oid alfanumerik olmalidir'
  if (!/^[1-9]\d*$/.test(value('payment_amount'))) return 'payment_amount gecersiz'
  if (!isBasket(value('user_basket'))) return 'user_basket gecersiz'
  if (!/^[01]$/.test(value('no_installment'))) return 'no_installment gecersiz'
  if (!/^([02-9]|1[0-2])$/.test(value('max_installment'))) return 'max_installment gecersiz'
  if (value('currency') && !ISO_CURRENCY[value('currency')]) return 'currency gecersiz'
  if (value('test_mode') && !/^[01]$/.test(value('test_mode'))) return 'test_mode gecersiz'
  if (value('lang') && !/^(tr|en)$/.test(value('lang'))) return 'lang gecersiz'
  if (![value('merchant_ok_url'), value('merchant_fail_url')].every((url) => URL.canParse(url)))
    return 'merchant_ok_url gecersiz'
  return undefined
}
