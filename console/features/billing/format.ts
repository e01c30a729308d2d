import { useTranslation } from 'react-i18next'
import { useFormat } from '../../ui/text/format'
import { type Currency, type CurrencyCode, useMoney } from '../plans/format'
import { useWorkspace } from '../workspaces/queries'
import type { Checkout, Subscription } from './queries'

type Price = { amount: number; currency: Currency | CurrencyCode; period: Subscription['billing_period'] }

/** The ISO 4217 code of a currency, as the API of billing has it. */
export const currencyCode = (currency: Currency): CurrencyCode => (currency === 'usd' ? 'USD' : 'TRY')

export const currencyOf = (code: CurrencyCode): Currency => (code === 'USD' ? 'usd' : 'try')

/** Formats ₺499 per month. */
export function usePrice() {
  const { t } = useTranslation()
  const money = useMoney()
  return ({ amount, currency, period }: Price) => `${money(amount, currency)} ${t(`pricing.per.${period}`)}`
}

export const priceOf = ({ amount, billing_currency, billing_period }: Subscription): Price => ({
  amount,
  currency: billing_currency,
  period: billing_period,
})

/** Formats times in the time zone of the workspace. */
export const useWorkspaceFormat = () => useFormat(useWorkspace().timezone)

/** Names a transfer, so that an instance admin finds the request that it pays. */
export const transferReference = (checkout_id: Checkout['id']) => checkout_id.slice(-8).toUpperCase()
