import { Card, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { balancesQuery, payoutAccountQuery } from '../queries'
import { SellingUpgrade, useMaySell } from '../SellingUpgrade'
import { BalanceCard } from './BalanceCard'
import { PayoutAccountForm } from './PayoutAccountForm'
import { Payouts } from './Payouts'
import { Statement } from './Statement'

/** The user's earnings with gigs of the workspace, and their payout. */
export function EarningsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.earnings'))
  const workspace = useWorkspace()
  const isAdmin = isAtLeast(workspace, 'admin')
  const balances = useQuery({ ...balancesQuery(workspace.slug), enabled: isAdmin })
  const account = useQuery({ ...payoutAccountQuery(workspace.slug), enabled: isAdmin })
  const maySell = useMaySell()
  if (!isAdmin) return <RoleRequired needs="admin" />
  const error = balances.error ?? account.error
  const isReady = balances.data !== undefined && account.data !== undefined
  return (
    <>
      <PageHeader title={t('pages.earnings')} about={t('earnings.about')} />
      {error && (
        <ProblemAlert error={error} onRetry={() => void Promise.all([balances.refetch(), account.refetch()])} />
      )}
      {!isReady && !error && <LoadingSkeleton lines={3} height={110} />}
      {isReady && (
        <Stack gap="lg">
          {balances.data.length === 0 && (maySell === false ? <SellingUpgrade /> : <NoEarnings />)}
          {balances.data.map((balance) => (
            <BalanceCard key={balance.currency} balance={balance} account={account.data?.record ?? null} />
          ))}
          <PayoutAccountForm key={account.data?.etag ?? 'new'} saved={account.data} />
          <Payouts />
          {balances.data.map(({ currency }) => (
            <Statement key={currency} currency={currency} />
          ))}
        </Stack>
      )}
    </>
  )
}

function NoEarnings() {
  const { t } = useTranslation()
  return (
    <Card padding={0}>
      <EmptyState icon={<Wallet size={26} />} title={t('earnings.none')}>
        {t('earnings.none_detail')}
      </EmptyState>
    </Card>
  )
}
