import { Anchor, Badge, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../api'
import { NotFoundPage } from '../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { BackLink } from '../../ui/navigation/BackLink'
import { useFormat } from '../../ui/text/format'
import { useWorkspace } from '../workspaces/queries'
import { EnableWebhook } from './actions/EnableWebhook'
import { RecoverDialog } from './actions/RecoverDialog'
import { WebhookActions } from './actions/WebhookActions'
import { DeliveryDialog } from './deliveries/DeliveryDialog'
import { DeliveryLog } from './deliveries/DeliveryLog'
import classes from './deliveries/deliveries.module.css'
import { noFilters, statsPeriods, timeParam, type WebhookSearch } from './deliveries/delivery-queries'
import { EndpointAlerts, HeldDeliveriesAlert, SecretRotationAlert } from './health/EndpointAlerts'
import { OutcomeBars } from './health/OutcomeBars'
import { HealthBadge } from './health/WebhookHealth'
import { formatCount, statsQuery, type Webhook, type WebhookStats, webhookName, webhookQuery } from './queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/webhooks/$webhook')

/** One webhook: its health, its statistics and its delivery log. */
export function WebhookPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.webhooks'))
  const { slug } = useWorkspace()
  const { webhook: id } = route.useParams()
  const webhook = useQuery(webhookQuery(slug, id))
  if (isStatus(webhook.error, 404) || isStatus(webhook.error, 400)) return <NotFoundPage />
  if (webhook.error && !webhook.data) return <ProblemAlert error={webhook.error} onRetry={() => webhook.refetch()} />
  if (!webhook.data) return <LoadingSkeleton lines={4} height={110} />
  return <WebhookDetails webhook={webhook.data.record} />
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { period = '24h', delivery, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const stats = useQuery({
    ...statsQuery(workspace.slug, webhook.id, period),
    placeholderData: (before) => before,
  })
  const [recovering, recover] = useDisclosure(false)
  const [enabling, enable] = useDisclosure(false)
  useDocumentTitle(webhookName(webhook))
  const show = (changed: { [Key in keyof WebhookSearch]: WebhookSearch[Key] | undefined }, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace, resetScroll: false })
  const pick = (span: Pick<WebhookSearch, 'since' | 'until'>) =>
    void navigate({ search: (before) => ({ ...before, ...noFilters, ...span }), hash: 'log', resetScroll: false })
  return (
    <>
      <BackLink to="/w/$workspace/webhooks" params={{ workspace: workspace.slug }}>
        {t('deliveries.back')}
      </BackLink>
      <WebhookHeader webhook={webhook} stats={stats.data}>
        <WebhookActions
          webhook={webhook}
          buttons
          onDeleted={() => navigate({ to: '/w/$workspace/webhooks', params: { workspace: workspace.slug } })}
        />
      </WebhookHeader>
      <Stack gap="lg">
        <EndpointAlerts webhook={webhook} stats={stats.data} onEnable={enable.open} />
        <HeldDeliveriesAlert webhook={webhook} stats={stats.data} onRecover={recover.open} />
        <SecretRotationAlert webhook={webhook} />
        <Card component="section" aria-labelledby="outcomes">
          <Group justify="space-between" mb="md" gap="sm">
            <Title order={2} size="h3" id="outcomes">
              {t('deliveries.outcomes')}
            </Title>
            <SegmentedControl
              aria-label={t('deliveries.period')}
              value={period}
              onChange={(name) => show({ period: statsPeriods.find((known) => known === name) })}
              data={statsPeriods.map((value) => ({ value, label: t(`deliveries.periods.${value}`) }))}
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
          {stats.isPending && <LoadingSkeleton lines={2} height={110} />}
          {stats.data && (
            <Stack gap="lg">
              <DeliveryNumbers stats={stats.data} />
              <OutcomeBars stats={stats.data} zone={workspace.timezone} onPick={pick} />
            </Stack>
          )}
        </Card>
        <DeliveryLog webhook={webhook} filters={filters} onFilter={show} onRecover={recover.open} />
      </Stack>
      <DeliveryDialog webhook={webhook} id={delivery} onClose={() => show({ delivery: undefined }, false)} />
      <EnableWebhook webhook={webhook} opened={enabling} onClose={enable.close} />
      <RecoverDialog webhook={webhook} opened={recovering} onClose={recover.close} />
    </>
  )
}

function WebhookHeader({
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
            {webhookName(webhook)}
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

/** Totals of the period and the open deliveries now, which link to their rows in the log. */
function DeliveryNumbers({ stats }: { stats: WebhookStats }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { delivered, failed, mean_duration_ms, waiting, held, exhausted } = stats
  const attempts = delivered + failed
  // Rounds down: 100 % means no failure at all.
  const rate = Math.floor((delivered / attempts) * 1000) / 1000
  const percent = new Intl.NumberFormat(format.locale, { style: 'percent', maximumFractionDigits: 1 })
  const now = [
    ['waiting', waiting],
    ['held', held],
    ['failed', exhausted],
  ] as const
  const since = stats.buckets[0] && timeParam(new Date(stats.buckets[0].at))
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
    // Links to the failed deliveries still undelivered.
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
            <dd>{count > 0 ? inLog(formatCount(format, count), { state }) : '0'}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
