import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import type { Agent } from '../queries'

type Estimate = Agent['estimate']

type Props = {
  estimate: Estimate
  /** The monthly limit in dollars, if one is set. */
  limit: number | null
}

/** Shows what a month of an agent costs, and how it was calculated. */
export function EstimateText({ estimate, limit }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { low, high, days, posts, post, cost_usd } = estimate
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
      <CostText cost={cost_usd} isManual={posts === 0} limit={limit} />
    </div>
  )
}

/** Shows the same in money, if a model has a price, and what is left out. */
function CostText({ cost, isManual, limit }: { cost: Estimate['cost_usd']; isManual: boolean; limit: number | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { low, high } = isManual ? cost.post : cost.month
  const unpriced = format.list(cost.unpriced.map((kind) => t(`agents.unpriced.${kind}`)))
  const isLimited = limit !== null
  return (
    <>
      {high > 0 && (
        <>
          <Text fz="sm" mt={4}>
            {t(isManual ? 'agents.cost_of_post' : 'agents.cost_of_month', {
              low: format.dollars(low),
              high: format.dollars(high),
            })}
          </Text>
          <Text fz="xs" c="dimmed">
            {t('agents.cost_how')}
          </Text>
        </>
      )}
      {cost.unpriced.length > 0 && !isLimited && (
        <Text fz="xs" c="dimmed">
          {t('agents.cost_without', { list: unpriced })}
        </Text>
      )}
      {cost.unpriced.length > 0 && isLimited && (
        <Alert color="yellow" mt="xs">
          {t('agents.limit_without', { list: unpriced })}
        </Alert>
      )}
      {isLimited && limit < cost.text_max && (
        <Alert color="yellow" mt="xs">
          {t('agents.limit_too_low', { cost: format.dollars(cost.text_max) })}
        </Alert>
      )}
    </>
  )
}

type Budget = Pick<Agent, 'monthly_credits' | 'spent_credits' | 'monthly_spend_limit_usd' | 'spent_usd'>

/** Whether nothing is left, not even for one text. */
export const isUsedUp = ({ monthly_credits, spent_credits, monthly_spend_limit_usd, spent_usd }: Budget) =>
  (monthly_credits !== null && spent_credits >= monthly_credits) ||
  (monthly_spend_limit_usd !== null && spent_usd >= monthly_spend_limit_usd)

/** Returns a function that writes the credits and the money that an agent has used of its budget this month. */
export function useBudgetText() {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ monthly_credits, spent_credits, monthly_spend_limit_usd, spent_usd }: Budget) => {
    const credits =
      monthly_credits === null
        ? t('agents.spent_without_budget', { count: spent_credits, spent: format.number(spent_credits) })
        : t('agents.spent_of_budget', { spent: format.number(spent_credits), budget: format.number(monthly_credits) })
    const spent = format.dollars(spent_usd)
    if (monthly_spend_limit_usd !== null)
      return `${credits} · ${t('agents.spent_of_limit', { spent, limit: format.dollars(monthly_spend_limit_usd) })}`
    return spent_usd > 0 ? `${credits} · ${t('agents.cost', { cost: spent })}` : credits
  }
}
