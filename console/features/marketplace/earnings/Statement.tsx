import { Button, Card, Group, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { useFormat } from '../../../ui/text/format'
import { saveFile } from '../../../ui/text/save-file'
import { useWorkspaceFormat } from '../../billing/format'
import { useMoney } from '../../plans/format'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../marketplace.module.css'
import { type Balance, statementQuery } from '../queries'

type Props = Pick<Balance, 'currency'>

/** Lists the changes of the balance in a currency, which can be downloaded as CSV. */
export function Statement({ currency }: Props) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useWorkspaceFormat()
  const statement = useInfiniteQuery(statementQuery(useWorkspace().slug, currency))
  const lines = statement.data?.pages.flatMap(({ data }) => data) ?? []
  const title = t('earnings.statement', { currency })
  return (
    <Card component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">
          {title}
        </Title>
        <DownloadButton currency={currency} />
      </Group>
      {statement.error && <ProblemAlert error={statement.error} onRetry={() => statement.refetch()} />}
      {statement.isPending && <LoadingSkeleton lines={2} height={60} />}
      <ul className={classes.list} aria-label={title}>
        {lines.map((line) => (
          <li key={line.id} className={classes.line}>
            <div>
              <Text>
                {t(`earnings.line.${line.type}`)}
                {line.title && `: ${line.title}`}
              </Text>
              <Text fz="sm" c="dimmed">
                {format.dateTime(line.occurred_at)}
                {line.fee !== 0 &&
                  ` · ${t('earnings.fee', { gross: money(line.gross, currency), fee: money(line.fee, currency) })}`}
              </Text>
            </div>
            <div className={classes.sum}>
              <Text fw={600}>{money(line.amount, currency)}</Text>
              <Text fz="sm" c="dimmed">
                {t('earnings.after', { amount: money(line.balance_after, currency) })}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      <LoadMore of={statement} />
    </Card>
  )
}

function DownloadButton({ currency }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { csvSeparator } = useFormat()
  const onError = useErrorNotification()
  const download = useMutation({
    mutationFn: () =>
      unwrap<unknown>(
        workspaceApi(slug).GET('/api/v1/marketplace/statement/export', {
          params: { query: { currency, separator: csvSeparator } },
          parseAs: 'text',
        }),
      ),
    onSuccess: (csv) => {
      saveFile(`statement-${currency}.csv`, String(csv), 'text/csv')
    },
    onError,
  })
  return (
    <Button
      variant="default"
      size="compact-md"
      leftSection={<Download size={15} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('earnings.csv')}
    </Button>
  )
}
