import { Card } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Gem } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { plansQuery } from '../../api'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useFormat } from '../../ui/text/format'
import { useHasEntitlement } from '../plans/useHasEntitlement'

/** Whether the workspace may sell. Undefined while that is not known. */
export const useMaySell = () => useHasEntitlement('marketplace.sell')

/** Explains selling to a workspace whose plan does not include it. */
export function SellingUpgrade() {
  const { t } = useTranslation()
  const format = useFormat()
  const plans = useQuery(plansQuery).data ?? []
  const names = plans.filter(({ entitlements }) => entitlements.includes('marketplace.sell')).map(({ name }) => name)
  return (
    <Card padding={0} mb="md">
      <EmptyState
        icon={<Gem size={26} />}
        title={t('gigs.upgrade')}
        action={<ButtonLink to="/pricing">{t('usage.compare')}</ButtonLink>}
      >
        {t('gigs.upgrade_detail')} {names.length > 0 && t('gigs.upgrade_in', { plans: format.list(names) })}
      </EmptyState>
    </Card>
  )
}
