import { Card, NativeSelect, Switch, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../api'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { meQuery } from '../auth/queries'
import { keyOf } from './kind-key'
import { MailTimesForm } from './MailTimesForm'
import classes from './Notifications.module.css'
import { PushCard } from './PushCard'
import { changePreferences, type Kind, type NotificationPreferences, preferencesQuery } from './queries'

type Choice = NotificationPreferences['kinds'][number]

const groups = ['posts', 'accounts', 'agents', 'billing', 'orders', 'installation'] as const
const groupOf = (kind: Kind): (typeof groups)[number] => {
  if (kind.startsWith('account.')) return 'accounts'
  if (kind.startsWith('agent.')) return 'agents'
  if (kind.startsWith('billing.')) return 'billing'
  if (kind.startsWith('ledger.')) return 'installation'
  return kind.startsWith('order.') ? 'orders' : 'posts'
}

/** Chooses for each kind where it is told, and the browsers to which it is pushed. Each choice is stored at once. */
export function NotificationSettingsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.notification_settings'))
  const preferences = useQuery(preferencesQuery)
  return (
    <>
      <PageHeader title={t('pages.notification_settings')} about={t('notifications.settings_about')} />
      {preferences.error && <ProblemAlert error={preferences.error} onRetry={() => preferences.refetch()} />}
      {preferences.isPending && <LoadingSkeleton lines={6} />}
      {preferences.data && (
        <>
          <KindsCard preferences={preferences.data} />
          <PushCard />
          <MailTimesForm preferences={preferences.data} />
        </>
      )}
    </>
  )
}

function KindsCard({ preferences: { kinds } }: { preferences: NotificationPreferences }) {
  const { t } = useTranslation()
  return (
    <Card padding={0} mb="lg">
      <table className={classes.kinds}>
        <thead>
          <tr>
            <th scope="col">{t('notifications.matrix.kind')}</th>
            <th scope="col" className={classes.narrow}>
              {t('notifications.matrix.console')}
            </th>
            <th scope="col" className={classes.narrow}>
              {t('notifications.matrix.mail')}
            </th>
            <th scope="col" className={classes.narrow}>
              {t('notifications.matrix.push')}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups
            .filter((group) => kinds.some(({ kind }) => groupOf(kind) === group))
            .map((group) => (
              <Fragment key={group}>
                <tr>
                  <th scope="rowgroup" colSpan={4}>
                    <Title order={2} fz="md">
                      {t(`notifications.group.${group}`)}
                    </Title>
                  </th>
                </tr>
                {kinds
                  .filter(({ kind }) => groupOf(kind) === group)
                  .map((choice) => (
                    <KindRow key={choice.kind} choice={choice} />
                  ))}
              </Fragment>
            ))}
        </tbody>
      </table>
    </Card>
  )
}

function KindRow({ choice: { kind, urgent, always_mailed, ...choice } }: { choice: Choice }) {
  const { t } = useTranslation()
  const onError = useErrorNotification()
  const change = useMutation({
    mutationFn: (changed: Partial<Pick<Choice, 'console' | 'mail' | 'push'>>) =>
      changePreferences({ kinds: [{ kind, ...changed }] }),
    onSuccess: (stored) => {
      queryClient.setQueryData(preferencesQuery.queryKey, stored)
      // The profile has the same choice for failed posts.
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    },
    onError: (error: Error) => {
      void queryClient.invalidateQueries({ queryKey: preferencesQuery.queryKey })
      onError(error)
    },
  })
  // Shows the new choice until the response arrives.
  const shown = { ...choice, ...(change.isPending ? change.variables : {}) }
  const name = t(`notifications.name.${keyOf(kind)}`)
  return (
    <tr>
      <th scope="row">
        {name}
        {urgent && (
          <Text c="dimmed" fz="sm">
            {t('notifications.urgent')}
          </Text>
        )}
      </th>
      <td>
        <Switch
          aria-label={t('notifications.matrix.console_of', { name })}
          checked={shown.console === 'now'}
          onChange={({ currentTarget: { checked } }) => change.mutate({ console: checked ? 'now' : 'off' })}
        />
      </td>
      <td>
        {always_mailed ? (
          <Text c="dimmed" fz="sm">
            {t('notifications.mode.always')}
          </Text>
        ) : (
          <NativeSelect
            w="100%"
            miw={96}
            maw={132}
            aria-label={t('notifications.matrix.mail_of', { name })}
            value={shown.mail}
            onChange={({ currentTarget: { value } }) =>
              change.mutate({ mail: value === 'now' || value === 'digest' ? value : 'off' })
            }
            data={(['now', 'digest', 'off'] as const).map((value) => ({
              value,
              label: t(`notifications.mode.${value}`),
            }))}
          />
        )}
      </td>
      <td>
        <Switch
          aria-label={t('notifications.matrix.push_of', { name })}
          checked={shown.push === 'now'}
          onChange={({ currentTarget: { checked } }) => change.mutate({ push: checked ? 'now' : 'off' })}
        />
      </td>
    </tr>
  )
}
