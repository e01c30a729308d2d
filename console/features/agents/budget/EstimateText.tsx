import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import type { Agent } from '../queries'

type Estimate = Agent['estimate']

/** Shows the credits that a month of an agent costs, and how they were calculated. */
export function EstimateText({ estimate }: { estimate: Estimate }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { low, high, days, posts, post } = estimate
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
    </div>
  )
}

/** Returns a function that writes the credits that an agent has used of its budget this month. */
export function useBudgetText() {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ monthly_credits, spent_credits }: Pick<Agent, 'monthly_credits' | 'spent_credits'>) =>
    monthly_credits === null
      ? t('agents.spent_without_budget', { count: spent_credits, spent: format.number(spent_credits) })
      : t('agents.spent_of_budget', { spent: format.number(spent_credits), budget: format.number(monthly_credits) })
}
