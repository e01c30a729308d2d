import { Alert, Button, Card, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../../api'
import { translateDynamic } from '../../../../i18n'
import { EmptyState } from '../../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../../ui/text/format'
import { useMe } from '../../../auth/queries'
import { useMoney } from '../../../plans/format'
import classes from '../../Billing.module.css'
import { invalidateBillingAdmin, oneOf } from '../admin-queries'
import { PromptDialog } from '../PromptDialog'
import { type Difference, differencesQuery, targetAccounts } from './settlement-queries'

/** The differences that wait for a remedy, each with the two that there are. */
export function DifferenceList() {
  const { t } = useTranslation()
  const differences = useQuery(differencesQuery)
  if (differences.error) return <ProblemAlert error={differences.error} onRetry={() => differences.refetch()} />
  if (!differences.data) return <LoadingSkeleton lines={4} />
  const { data, has_more } = differences.data
  return (
    <>
      <Card>
        {data.length === 0 ? (
          <EmptyState icon={<CircleCheck size={26} />} title={t('admin.settlements.no_differences')}>
            {t('admin.settlements.no_differences_detail')}
          </EmptyState>
        ) : (
          <ul className={classes.list} aria-label={t('admin.settlements.differences')}>
            {data.map((difference) => (
              <li
                key={`${difference.provider} ${difference.code} ${difference.subject} ${difference.currency}`}
                className={classes.row}
              >
                <DifferenceRow difference={difference} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      {has_more && <Alert mt="md">{t('admin.settlements.has_more')}</Alert>}
    </>
  )
}

function DifferenceRow({ difference }: { difference: Difference }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  const [booking, book] = useDisclosure(false)
  const [explaining, explain] = useDisclosure(false)
  const { provider, code, subject, currency, amount, here, there, occurred_at, bookable } = difference
  const name = t(`admin.billing.provider.${provider}`)
  const shown = money(amount, currency)
  const send = (remedy: { note: string; account?: (typeof targetAccounts)[number] }) =>
    unwrap(
      api.POST('/api/v1/admin/ledger/remedies', { body: { provider, code, subject, currency, amount, ...remedy } }),
    )
  const done = (message: string) => () => {
    notifications.show({ message })
    return invalidateBillingAdmin()
  }
  const note = {
    ...{ name: 'note', label: t('admin.settlements.note'), about: t('admin.settlements.note_about') },
    ...{ required: true, lines: true as const },
  }
  return (
    <>
      <div className={classes.what}>
        <Text fw={600}>{translateDynamic(t, `admin.ledger.rule.${code}`, code)}</Text>
        <Text c="dimmed" fz="sm" className="text">
          {name} · {subject} · <span title={format.full(occurred_at)}>{format.date(occurred_at)}</span> ·{' '}
          {t('admin.settlements.here_and_there', {
            here: money(here, currency),
            there: money(there, currency),
            provider: name,
          })}
        </Text>
        <Text fz="sm">{translateDynamic(t, `admin.ledger.remedy.${code}`, t('admin.ledger.remedy.other'))}</Text>
      </div>
      {amount !== 0 && <span className={classes.money}>{shown}</span>}
      <Group gap="xs">
        <Button
          variant="default"
          onClick={explain.open}
          aria-label={t('admin.settlements.explain_one', { name: subject })}
        >
          {t('admin.settlements.explain')}
        </Button>
        {bookable && (
          <Button onClick={book.open} aria-label={t('admin.settlements.book_one', { name: subject })}>
            {t('admin.settlements.book')}
          </Button>
        )}
      </Group>
      <PromptDialog
        opened={explaining}
        onClose={explain.close}
        title={t('admin.settlements.explain_ask')}
        detail={t('admin.settlements.explain_detail')}
        fields={[note]}
        action={t('admin.settlements.explain')}
        send={({ note: given = '' }) => send({ note: given })}
        onDone={done(t('admin.settlements.explained_done'))}
      />
      <PromptDialog
        opened={booking}
        onClose={book.close}
        title={t('admin.settlements.book_ask', { amount: shown })}
        detail={t('admin.settlements.book_detail')}
        fields={[
          {
            ...{ name: 'account', label: t('admin.settlements.to_account'), required: true, initial: 'bank' },
            choices: targetAccounts.map((value) => ({ value, label: t(`admin.settlements.account.${value}`) })),
          },
          note,
        ]}
        action={t('admin.settlements.book')}
        send={({ note: given = '', account }) =>
          send({ note: given, account: oneOf(targetAccounts, account) ?? 'bank' })
        }
        onDone={done(t('admin.settlements.booked_done'))}
      />
    </>
  )
}
