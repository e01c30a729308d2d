import { Anchor, Badge, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../api'
import { useFormat } from '../../ui/format'
import { NotFoundScreen, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { useWorkspace } from '../workspaces/queries'
import { Deliveries } from './Deliveries'
import { DeliveryDialog } from './DeliveryDetail'
import classes from './deliveries.module.css'
import { EnableWebhook } from './EnableWebhook'
import { HealthBadge } from './Health'
import { noFilters, periods, timeOf, type WebhookSearch } from './log'
import { OutcomeBars } from './OutcomeBars'
import { counted, nameOf, statsQuery, type Webhook, type WebhookStats, webhookQuery } from './queries'
import { Recover } from './Recover'
import { Rotation, StillHeld, Trouble } from './Trouble'
import { WebhookActs } from './WebhookActs'

const route = getRouteApi('/inside/shell/w/$workspace/webhooks/$webhook')

/** One webhook: how it stands and stood, and everything that was, is and was not delivered. */
export function WebhookPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.webhooks'))
  const { slug } = useWorkspace()
  const { webhook: id } = route.useParams()
  const webhook = useQuery({ ...webhookQuery(slug, id), refetchInterval: 4000 })
  if (isStatus(webhook.error, 404) || isStatus(webhook.error, 400)) return <NotFoundScreen />
  if (webhook.error && !webhook.data) return <Problem error={webhook.error} onRetry={() => webhook.refetch()} />
  if (!webhook.data) return <Waiting lines={4} height={110} />
  return <OneWebhook webhook={webhook.data.record} />
}

function OneWebhook({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { period = '24h', delivery, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const stats = useQuery({
    ...statsQuery(workspace.slug, webhook.id, period),
    // As often as the log below them.
    refetchInterval: 3000,
    placeholderData: (before) => before,
  })
  const [recovering, recover] = useDisclosure(false)
  const [enabling, enable] = useDisclosure(false)
  useTitle(nameOf(webhook))
  const show = (changed: { [Key in keyof WebhookSearch]: WebhookSearch[Key] | undefined }, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace, resetScroll: false })
  const pick = (span: Pick<WebhookSearch, 'since' | 'until'>) =>
    void navigate({ search: (before) => ({ ...before, ...noFilters, ...span }), hash: 'log', resetScroll: false })
  return (
    <>
      <Anchor
        fz="sm"
        mb={6}
        display="inline-block"
        renderRoot={(props) => <Link to="/w/$workspace/webhooks" params={{ workspace: workspace.slug }} {...props} />}
      >
        ‹ {t('deliveries.back')}
      </Anchor>
      <Head webhook={webhook} stats={stats.data}>
        <WebhookActs
          webhook={webhook}
          buttons
          onDeleted={() => navigate({ to: '/w/$workspace/webhooks', params: { workspace: workspace.slug } })}
        />
      </Head>
      <Stack gap="lg">
        <Trouble webhook={webhook} stats={stats.data} onEnable={enable.open} />
        <StillHeld webhook={webhook} stats={stats.data} onRecover={recover.open} />
        <Rotation webhook={webhook} />
        <Card component="section" aria-labelledby="outcomes">
          <Group justify="space-between" mb="md" gap="sm">
            <Title order={2} size="h3" id="outcomes">
              {t('deliveries.outcomes')}
            </Title>
            <SegmentedControl
              aria-label={t('deliveries.period')}
              value={period}
              onChange={(name) => show({ period: periods.find((known) => known === name) })}
              data={periods.map((value) => ({ value, label: t(`deliveries.periods.${value}`) }))}
            />
          </Group>
          {stats.error && !stats.data && (
            <Text c="dimmed" fz="sm" role="status">
              {t('deliveries.stats_failed')}{' '}
              <Anchor component="button" type="button" inherit onClick={() => stats.refetch()}>
                {t('ui.again')}
              </Anchor>
            </Text>
          )}
          {stats.isPending && <Waiting lines={2} height={110} />}
          {stats.data && (
            <Stack gap="lg">
              <Numbers stats={stats.data} />
              <OutcomeBars stats={stats.data} zone={workspace.timezone} onPick={pick} />
            </Stack>
          )}
        </Card>
        <Deliveries webhook={webhook} filters={filters} onFilter={show} onRecover={recover.open} />
      </Stack>
      <DeliveryDialog webhook={webhook} id={delivery} onClose={() => show({ delivery: undefined }, false)} />
      <EnableWebhook webhook={webhook} opened={enabling} onClose={enable.close} />
      <Recover webhook={webhook} opened={recovering} onClose={recover.close} />
    </>
  )
}

function Head({
  webhook,
  stats,
  children,
}: {
  webhook: Webhook
  stats: WebhookStats | undefined
  children: ReactNode
}) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const { url, events } = webhook
  const all = events.includes('*')
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <div className={classes.head}>
        <Group gap="sm" align="center">
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {nameOf(webhook)}
          </Title>
          <HealthBadge webhook={webhook} stats={stats} />
        </Group>
        <Text className={`text ${classes.name}`} c="dimmed" mt={6}>
          {url}
        </Text>
        <ul className={classes.plain} aria-label={t('deliveries.events')} style={{ marginTop: '0.7rem' }}>
          {(all ? [t('webhooks.all_events')] : events).map((name) => (
            <li key={name}>
              <Badge color="gray" variant="light" fw={500}>
                {name}
              </Badge>
            </li>
          ))}
        </ul>
        <Text c="dimmed" fz="sm" mt={8}>
          {t('deliveries.zone', { zone: timezone })}
        </Text>
      </div>
      <Group gap="sm">{children}</Group>
    </Group>
  )
}

/** The sums of the period, and what is still to be done now, which leads to where it stands in the log. */
function Numbers({ stats }: { stats: WebhookStats }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { delivered, failed, mean_duration_ms, waiting, held, exhausted } = stats
  const attempts = delivered + failed
  // Rounded down: 100 % is said of nothing that failed.
  const rate = Math.floor((delivered / attempts) * 1000) / 1000
  const percent = new Intl.NumberFormat(format.locale, { style: 'percent', maximumFractionDigits: 1 })
  const now = [
    ['waiting', waiting],
    ['held', held],
    ['failed', exhausted],
  ] as const
  const since = stats.buckets[0] && timeOf(new Date(stats.buckets[0].at))
  const inLog = (shown: string, filters: Partial<WebhookSearch>) => (
    <Link
      from="/w/$workspace/webhooks/$webhook"
      search={(before) => ({ ...before, ...noFilters, ...filters })}
      hash="log"
      resetScroll={false}
      className={classes.count}
    >
      {shown}
    </Link>
  )
  const numbers: [label: string, value: ReactNode][] = [
    [
      t('deliveries.number.delivered'),
      delivered > 0 ? inLog(format.number(delivered), { state: 'delivered', ...(since && { since }) }) : '0',
    ],
    // Of what failed, that which has not got through since.
    [
      t('deliveries.number.failed'),
      failed > 0 ? inLog(format.number(failed), { state: 'undelivered', ...(since && { since }) }) : '0',
    ],
    [t('deliveries.number.rate'), attempts > 0 ? percent.format(rate) : '–'],
    [
      t('deliveries.number.duration'),
      mean_duration_ms === null ? '–' : t('deliveries.ms', { ms: format.number(mean_duration_ms) }),
    ],
  ]
  return (
    <div className={`tabular ${classes.numbers}`}>
      <dl>
        {numbers.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <dl>
        {now.map(([state, count]) => (
          <div key={state}>
            <dt>{t(`deliveries.number.${state === 'failed' ? 'exhausted' : state}`)}</dt>
            <dd>{count > 0 ? inLog(counted(format, count), { state }) : '0'}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
