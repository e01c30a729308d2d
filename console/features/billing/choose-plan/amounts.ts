import { pricesIn } from '../../plans/format'
import type { Subscription } from '../queries'
import type { Choice } from './ChoosePlanPage'

export const chosenAmount = ({ plan, period, currency }: Choice) => pricesIn(plan.prices, currency)[period]

/** Whether a change applies now, by the rule of the server: a higher price for the same period, or a longer period. */
export const appliesNow = (live: Subscription, choice: Choice) =>
  choice.period === live.billing_period ? chosenAmount(choice) > live.amount : choice.period === 'yearly'

/** Estimates the cost of a change now: the new price minus the unused part of the present one. */
export function dueNow(live: Subscription, choice: Choice, now: Date) {
  const start = new Date(live.current_period_start).getTime()
  const end = new Date(live.current_period_end).getTime()
  const left = Math.min(1, Math.max(0, (end - now.getTime()) / Math.max(1, end - start)))
  const price = chosenAmount(choice) * (choice.period === live.billing_period ? left : 1)
  return Math.max(0, Math.round((price - live.amount * left) * 100) / 100)
}
