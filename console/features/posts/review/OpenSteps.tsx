import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import type { ReviewState } from './queries'

/** Names the people who have to approve a post now, one line for each policy. */
export function OpenSteps({ state }: { state: ReviewState }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  return state.open.map(({ step, steps, kind, need, approvers }, index) => {
    const type = need === 'any' ? 'disjunction' : 'conjunction'
    const names = new Intl.ListFormat(locale, { type }).format(approvers.map(({ name }) => name))
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: policies have no other name
      <Text key={index} fz="sm">
        {steps > 1 && `${t('review.step', { step, steps })} · `}
        {kind === 'client'
          ? t(state.client_links > 0 ? 'review.waits_for_client' : 'review.waits_without_link')
          : approvers.length > 0
            ? t('review.waits_for', { names })
            : t('review.waits_for_nobody')}
      </Text>
    )
  })
}
