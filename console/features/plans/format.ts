import { useTranslation } from 'react-i18next'
import { decimalsOf } from '../../../shared/currency'
import { useFormat } from '../../ui/text/format'
import type { Meter, PublicPlan } from './queries'
import { UNLIMITED } from './queries'

export const currencies = ['try', 'usd'] as const
export type Currency = (typeof currencies)[number]
export type CurrencyCode = Uppercase<Currency>
export const periods = ['monthly', 'yearly'] as const
export type Period = (typeof periods)[number]

type Prices = PublicPlan['prices']

const formats = new Map<string, Intl.NumberFormat>()

/** Formats ₺499, $15, ₺415.83 or KWD 1.500, without empty decimals. */
export function useMoney() {
  const { locale } = useFormat()
  return (amount: number, currency: string) => {
    const digits = Number.isInteger(amount) ? 0 : decimalsOf(currency)
    const key = `${locale} ${currency} ${digits}`
    const format =
      formats.get(key) ??
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency: currency.toUpperCase(),
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })
    formats.set(key, format)
    return format.format(amount)
  }
}

/** Formats an amount for display beside its meter's name: 2,000 or 10 GB. */
export function useAmount() {
  const { t } = useTranslation()
  const { number } = useFormat()
  return (meter: Meter, amount: number) => {
    if (amount === UNLIMITED) return t('usage.unlimited')
    if (meter !== 'storage_mb') return number(amount)
    return amount >= 1000 ? t('usage.gb', { n: number(amount / 1000) }) : t('usage.mb', { n: number(amount) })
  }
}

/** A limit in words: 15 accounts, unlimited posts a month. */
export function useLimitText() {
  const { t } = useTranslation()
  const amount = useAmount()
  return (meter: Meter, limit: number) =>
    limit === UNLIMITED
      ? t(`pricing.unlimited.${meter}`)
      : t(`pricing.limit.${meter}`, { count: limit, n: amount(meter, limit) })
}

/** The prices in a currency, or else in Turkish lira. */
export function pricesIn(prices: Prices, wanted: Currency) {
  const found = wanted === 'usd' ? prices.usd : prices.try
  return found ? { ...found, currency: wanted } : { ...prices.try, currency: 'try' as const }
}

/** The saving of a year over twelve months, in whole per cent. */
export function savingOf({ monthly, yearly }: { monthly: number; yearly: number }) {
  const saving = Math.floor((1 - yearly / (monthly * 12)) * 100 + 1e-9)
  return monthly > 0 && saving > 0 ? saving : 0
}
