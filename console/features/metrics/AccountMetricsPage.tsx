import { Box, Button, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ChartLine } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../api'
import type { components } from '../../api.gen'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { NotFoundPage } from '../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { BackLink } from '../../ui/navigation/BackLink'
import { useFormat } from '../../ui/text/format'
import { accountsQuery } from '../accounts/queries'
import { useNetwork } from '../networks/queries'
import { useWorkspace } from '../workspaces/queries'
import { DayTable, LineChart } from './LineChart'
import { Numbers } from './Numbers'
import { accountMetricsQuery, PERIODS, type Period } from './queries'
import { ReadingNotice } from './ReadingNotice'

const route = getRouteApi('/signed-in/shell/w/$workspace/accounts/$account/metrics')

type Metrics = components['schemas']['MetricsOfAccount']

/** The numbers of an account by day, and those of its posts. */
export function AccountMetricsPage() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { account } = route.useParams()
  const { name, network } = useQuery(accountsQuery(slug)).data?.find(({ id }) => id === account) ?? {}
  const reportsReach = useNetwork(network ?? '')?.metrics?.posts.includes('reach') ?? false
  const title = name === undefined ? t('metrics.title_plain') : t('metrics.title', { name })
  useDocumentTitle(title)
  const [days, setDays] = useState<Period>(30)
  const metrics = useQuery({ ...accountMetricsQuery(slug, account, days), placeholderData: keepPreviousData })
  if (isStatus(metrics.error, 404) || isStatus(metrics.error, 400)) return <NotFoundPage />
  return (
    <Box maw={820}>
      <BackLink to="/w/$workspace/accounts" params={{ workspace: slug }}>
        {t('metrics.back')}
      </BackLink>
      <PageHeader title={title} about={t('metrics.about')}>
        <SegmentedControl
          aria-label={t('metrics.period')}
          value={String(days)}
          onChange={(value) => setDays(PERIODS.find((each) => String(each) === value) ?? 30)}
          data={PERIODS.map((each) => ({ value: String(each), label: t(`metrics.days_${each}`) }))}
        />
      </PageHeader>
      {metrics.error && !metrics.data && <ProblemAlert error={metrics.error} onRetry={() => metrics.refetch()} />}
      {metrics.isPending && <LoadingSkeleton lines={3} height={120} />}
      {metrics.data && <AccountNumbers metrics={metrics.data} reportsReach={reportsReach} />}
    </Box>
  )
}

function AccountNumbers({ metrics, reportsReach }: { metrics: Metrics; reportsReach: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { count, number } = useCount(metrics.published.posts)
  const { read_posts, unread_posts, next_read_at } = metrics.published
  if (metrics.state === 'unsupported')
    return (
      <Card padding={0}>
        <EmptyState icon={<ChartLine size={26} />} title={t('metrics.unsupported')} />
      </Card>
    )
  return (
    <Stack gap="lg">
      <Card component="section" aria-labelledby="now">
        <Title order={2} size="h4" c="dimmed" id="now" mb="xs">
          {t('metrics.now')}
        </Title>
        {metrics.state === 'planned' ? (
          !metrics.error && <Text c="dimmed">{t('metrics.planned_soon')}</Text>
        ) : (
          <Numbers metrics={metrics.metrics} />
        )}
        <Stack gap={4} mt="sm">
          <ReadingNotice {...metrics} />
        </Stack>
      </Card>
      {metrics.state === 'read' && <Followers days={metrics.days} />}
      <Card component="section" aria-labelledby="published">
        <Title order={2} size="h4" c="dimmed" id="published">
          {t('metrics.published')}
        </Title>
        <Text c="dimmed" fz="sm" mb="sm">
          {t('metrics.published_count', { count, number })}
        </Text>
        {read_posts > 0 && <Numbers metrics={metrics.published.metrics} hasReach={reportsReach} />}
        {next_read_at !== null && (
          <Text c="dimmed" fz="sm" mt={read_posts > 0 ? 'sm' : 0}>
            {t(read_posts > 0 ? 'metrics.partly_read' : 'metrics.not_read', {
              count: unread_posts,
              ago: format.ago(new Date(Math.max(Date.now(), Date.parse(next_read_at)))),
            })}
          </Text>
        )}
      </Card>
    </Stack>
  )
}

function useCount(count: number) {
  const format = useFormat()
  return { count, number: format.number(count) }
}

function Followers({ days }: Pick<Metrics, 'days'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isTable, setTable] = useState(false)
  const points = days.flatMap(({ day, followers }) => (followers === null ? [] : [{ day, value: followers }]))
  const change = (points.at(-1)?.value ?? 0) - (points[0]?.value ?? 0)
  const metric = t('metrics.name.followers')
  const hasLine = points.length > 1
  return (
    <Card component="section" aria-labelledby="by-day">
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} size="h4" c="dimmed" id="by-day">
            {metric}
          </Title>
          {hasLine && (
            <Text c="dimmed" fz="sm">
              {t('metrics.change', { change: `${change > 0 ? '+' : ''}${format.number(change)}` })}
            </Text>
          )}
        </div>
        {hasLine && (
          <Button variant="default" size="compact-md" onClick={() => setTable(!isTable)}>
            {t(isTable ? 'metrics.as_chart' : 'metrics.as_table')}
          </Button>
        )}
      </Group>
      {!hasLine && <Text c="dimmed">{t('metrics.one_day')}</Text>}
      {hasLine && !isTable && <LineChart metric={metric} points={points} />}
      {hasLine && isTable && <DayTable metric={metric} points={points} />}
    </Card>
  )
}
