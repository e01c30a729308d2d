import { type Search, textParam } from '../../ui/navigation/search-params'
import type { Currency, Period } from './format'

export type PriceChoice = { currency?: Currency; period?: Period }
export const priceChoice = ({ currency, period }: Search): PriceChoice => ({
  currency: currency === 'try' || currency === 'usd' ? currency : undefined,
  period: period === 'monthly' || period === 'yearly' ? period : undefined,
})

/** `plan`: the code of the plan that the user wants. */
export type PlanChoice = PriceChoice & { plan?: string }
export const planChoice = (search: Search): PlanChoice => ({ ...priceChoice(search), ...textParam(search, 'plan') })
