import { Card, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { CheckAllButton, CheckProgress } from './CheckAll'
import classes from './Health.module.css'
import { HealthAccount, HealthActions, HealthPosts, HealthReasons, HealthState } from './HealthParts'
import { type AccountHealth, accountHealthQuery } from './queries'

const states: AccountHealth['state'][] = ['disconnected', 'needs_attention', 'ok']

/** Accounts that need somebody come first, and among them those with the next post. */
const byUrgency = (one: AccountHealth, other: AccountHealth) =>
  states.indexOf(one.state) - states.indexOf(other.state) ||
  (one.next_post_at ?? '9').localeCompare(other.next_post_at ?? '9') ||
  one.name.localeCompare(other.name)

/** Whether posts can be published on each account, why not, and what to do. */
export function AccountHealthPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('accounts.health.title'))
  const workspace = useWorkspace()
  const health = useQuery(accountHealthQuery(workspace.slug))
  const wide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  const mayCheck = isAtLeast(workspace, 'editor')
  const shown = health.data?.toSorted(byUrgency) ?? []
  return (
    <>
      <BackLink to="/w/$workspace/accounts" params={{ workspace: workspace.slug }}>
        {t('accounts.health.back')}
      </BackLink>
      <PageHeader title={t('accounts.health.title')} about={t('accounts.health.about')}>
        {mayCheck && shown.length > 0 && <CheckAllButton />}
      </PageHeader>
      {health.error && <ProblemAlert error={health.error} onRetry={() => health.refetch()} />}
      {health.isPending && <LoadingSkeleton lines={4} height={64} />}
      {health.data && shown.length === 0 && (
        <Card padding={0}>
          <EmptyState
            icon={<Share2 size={26} />}
            title={t('accounts.none')}
            action={
              mayCheck && (
                <ButtonLink to="/w/$workspace/accounts" params={{ workspace: workspace.slug }}>
                  {t('accounts.connect_first')}
                </ButtonLink>
              )
            }
          >
            {t('accounts.health.none_detail')}
          </EmptyState>
        </Card>
      )}
      {shown.length > 0 && (
        <>
          <CheckProgress />
          {wide ? <HealthTable accounts={shown} /> : <HealthCards accounts={shown} />}
        </>
      )}
    </>
  )
}

function HealthTable({ accounts }: { accounts: AccountHealth[] }) {
  const { t } = useTranslation()
  return (
    <Card padding={0}>
      <table className={classes.table}>
        <caption>
          <VisuallyHidden>{t('accounts.health.title')}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('accounts.health.account')}</th>
            <th scope="col">{t('accounts.health.state_of')}</th>
            <th scope="col">{t('accounts.health.reasons')}</th>
            <th scope="col">{t('accounts.health.scheduled')}</th>
            <th scope="col">
              <VisuallyHidden>{t('accounts.health.actions')}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((health) => (
            <tr key={health.account_id}>
              <th scope="row">
                <HealthAccount health={health} />
              </th>
              <td>
                <HealthState health={health} />
              </td>
              <td>
                <HealthReasons health={health} />
              </td>
              <td>
                <HealthPosts health={health} />
              </td>
              <td>
                <HealthActions health={health} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function HealthCards({ accounts }: { accounts: AccountHealth[] }) {
  const { t } = useTranslation()
  return (
    <ul className={classes.cards} aria-label={t('accounts.health.title')}>
      {accounts.map((health) => (
        <li key={health.account_id} className={classes.card} aria-label={health.name}>
          <HealthAccount health={health} />
          <HealthState health={health} />
          <HealthReasons health={health} />
          <HealthPosts health={health} />
          <HealthActions health={health} />
        </li>
      ))}
    </ul>
  )
}
