import { Card, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import rows from '../../ui/layout/LinkedRow.module.css'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { WithGuide } from '../../ui/navigation/WithGuide'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { WebhookActions } from './actions/WebhookActions'
import { SmallOutcomes, useOutcomesText } from './health/OutcomeBars'
import { HealthBadge, HealthText, HeldDeliveriesBadge } from './health/WebhookHealth'
import { failingFirst, statsQuery, type Webhook, webhookName, webhooksQuery } from './queries'
import classes from './webhooks.module.css'

/** The endpoints that receive events, with the health of each. */
export function WebhooksPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.webhooks'))
  const workspace = useWorkspace()
  const mayChange = isAtLeast(workspace, 'admin')
  const webhooks = useQuery(webhooksQuery(workspace.slug))
  const add = mayChange && (
    <ButtonLink to="/w/$workspace/webhooks/new" params={{ workspace: workspace.slug }} leftSection={<Plus size={17} />}>
      {t('webhooks.add')}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title={t('pages.webhooks')} about={<WithGuide name="webhooks">{t('webhooks.about')}</WithGuide>}>
        {webhooks.data && webhooks.data.length > 0 && add}
      </PageHeader>
      {webhooks.error && <ProblemAlert error={webhooks.error} onRetry={() => webhooks.refetch()} />}
      {webhooks.isPending && <LoadingSkeleton lines={3} height={110} />}
      {webhooks.data?.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<WebhookIcon size={26} />} title={t('webhooks.none')} action={add}>
            {mayChange ? t('webhooks.none_detail') : t('webhooks.none_viewer')}
          </EmptyState>
        </Card>
      )}
      {webhooks.data && webhooks.data.length > 0 && (
        <Card padding={0} style={{ overflow: 'visible' }}>
          <ul className={rows.list} aria-label={t('pages.webhooks')}>
            {failingFirst(webhooks.data).map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} many={webhooks.data.length > 10} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

/** Not with each delivery, which would be a request for each webhook. */
const seldom = { refetchInterval: 60_000, meta: { followsPulse: false } }

/** `many`: refetches the statistics less often. */
function WebhookRow({ webhook, many }: { webhook: Webhook; many: boolean }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const { id, url, events, active } = webhook
  const name = webhookName(webhook)
  const stats = useQuery({ ...statsQuery(slug, id, '24h'), ...(many && seldom) })
  const textOf = useOutcomesText(timezone)
  return (
    <li className={`${rows.row} ${classes.row}`} aria-label={name} data-active={active}>
      <div>
        <div className={rows.head}>
          <Link to="/w/$workspace/webhooks/$webhook" params={{ workspace: slug, webhook: id }} className={rows.name}>
            {name}
          </Link>
          <HealthBadge webhook={webhook} stats={stats.data} />
          <HeldDeliveriesBadge webhook={webhook} stats={stats.data} />
        </div>
        <div className={classes.url}>{url}</div>
        <Text fz="sm" mt={6} className="text">
          {events.includes('*') ? t('webhooks.all_events') : events.join(', ')}
        </Text>
        <HealthText webhook={webhook} stats={stats.data} />
      </div>
      <div className={classes.outcomes}>
        {stats.data ? (
          <>
            <SmallOutcomes stats={stats.data} zone={timezone} />
            <div className={classes.counts} aria-hidden="true">
              <span>{t('webhooks.outcomes_24h')}</span>
              <span>{textOf(stats.data)}</span>
            </div>
          </>
        ) : stats.error ? null : (
          <Skeleton height={56} radius="md" />
        )}
      </div>
      <WebhookActions webhook={webhook} />
    </li>
  )
}
