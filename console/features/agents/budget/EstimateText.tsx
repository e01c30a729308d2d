import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import type { Agent } from '../queries'

type Estimate = Agent['estimate']

/** Shows the credits and the cost that a month of an agent costs, and how they were calculated. */
export function EstimateText({ estimate }: { estimate: Estimate }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { low, high, days, posts, post, cost } = estimate
  const numbers = { low: format.number(low), high: format.number(high), days: format.number(days) }
  const ofPost = { post_low: format.number(post.low), post_high: format.number(post.high) }
  return (
    <div>
      <Text fz="sm">
        {posts === 0
          ? t('agents.estimate_manual', ofPost)
          : t('agents.estimate', { count: posts, posts: format.number(posts), ...numbers, ...ofPost })}
      </Text>
      <Text fz="xs" c="dimmed">
        {t('agents.estimate_about')}
      </Text>
      <CostText cost={cost} isManual={posts === 0} />
    </div>
  )
}

/** Shows the same in money, if a model has a price, and what is left out. */
function CostText({ cost, isManual }: { cost: Estimate['cost']; isManual: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { low, high } = isManual ? cost.post : cost.month
  const unpriced = format.list(cost.unpriced.map((kind) => t(`agents.unpriced.${kind}`)))
  if (high === 0) return null
  return (
    <>
      <Text fz="sm" mt={4}>
        {t(isManual ? 'agents.cost_of_post' : 'agents.cost_of_month', {
          low: format.dollars(low),
          high: format.dollars(high),
        })}
      </Text>
      <Text fz="xs" c="dimmed">
        {t('agents.cost_how')} {cost.unpriced.length > 0 && t('agents.cost_without', { list: unpriced })}
      </Text>
    </>
  )
}

type Budget = Pick<Agent, 'monthly_credits' | 'spent_credits' | 'monthly_spend_limit' | 'spent_amount'>

/** Whether nothing is left, not even for one text. */
export const isUsedUp = ({ monthly_credits, spent_credits, monthly_spend_limit, spent_amount }: Budget) =>
  (monthly_credits !== null && spent_credits >= monthly_credits) ||
  (monthly_spend_limit !== null && spent_amount >= monthly_spend_limit)

/** Returns a function that writes the credits and the money that an agent has used of its budget this month. */
export function useBudgetText() {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ monthly_credits, spent_credits, monthly_spend_limit, spent_amount }: Budget) => {
    const credits =
      monthly_credits === null
        ? t('agents.spent_without_budget', { count: spent_credits, spent: format.number(spent_credits) })
        : t('agents.spent_of_budget', { spent: format.number(spent_credits), budget: format.number(monthly_credits) })
    const spent = format.dollars(spent_amount)
    if (monthly_spend_limit !== null)
      return `${credits} · ${t('agents.spent_of_limit', { spent, limit: format.dollars(monthly_spend_limit) })}`
    return spent_amount > 0 ? `${credits} · ${t('agents.cost', { cost: spent })}` : credits
  }
}
