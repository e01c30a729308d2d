import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import { UNLIMITED, usageQuery } from '../../plans/queries'
import { useWorkspace } from '../../workspaces/queries'

/** The price of a text, and the credits left before and after it. */
export function TextCredits() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const use = useQuery(usageQuery(slug)).data?.meters.find(({ meter }) => meter === 'ai_credits')
  const left = use && use.limit !== UNLIMITED ? Math.max(0, use.limit - use.used) : undefined
  return (
    <Text fz="sm" c="dimmed" role="status" className="tabular">
      {t('assistant.price')}{' '}
      {left !== undefined && t('assistant.credits_left', { count: left, number: format.number(left) })}
      {use && left === undefined && t('assistant.credits_used', { count: use.used, number: format.number(use.used) })}
    </Text>
  )
}
