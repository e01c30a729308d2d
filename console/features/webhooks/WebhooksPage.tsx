import { Button, Card, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Empty, PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { HealthBadge, HealthText, HeldBadge } from './Health'
import { SmallOutcomes, useOutcomesText } from './OutcomeBars'
import { nameOf, statsQuery, troubleFirst, type Webhook, webhooksQuery } from './queries'
import { WebhookActs } from './WebhookActs'
import classes from './webhooks.module.css'

/** The endpoints that are told what happens, and how each of them does. */
export function WebhooksPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.webhooks'))
  const workspace = useWorkspace()
  const mayChange = isAtLeast(workspace, 'admin')
  const webhooks = useQuery({ ...webhooksQuery(workspace.slug), refetchInterval: 5000 })
  const add = mayChange && (
    <Button
      leftSection={<Plus size={17} />}
      renderRoot={(props) => <Link to="/w/$workspace/webhooks/new" params={{ workspace: workspace.slug }} {...props} />}
    >
      {t('webhooks.add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('rooms.webhooks')} about={t('webhooks.about')}>
        {webhooks.data && webhooks.data.length > 0 && add}
      </PageHead>
      {webhooks.error && <Problem error={webhooks.error} onRetry={() => webhooks.refetch()} />}
      {webhooks.isPending && <Waiting lines={3} height={110} />}
      {webhooks.data?.length === 0 && (
        <Card padding={0}>
          <Empty icon={<WebhookIcon size={26} />} title={t('webhooks.none')} action={add}>
            {mayChange ? t('webhooks.none_detail') : t('webhooks.none_viewer')}
          </Empty>
        </Card>
      )}
      {webhooks.data && webhooks.data.length > 0 && (
        <Card padding={0} style={{ overflow: 'visible' }}>
          <ul className={classes.list} aria-label={t('rooms.webhooks')}>
            {troubleFirst(webhooks.data).map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} many={webhooks.data.length > 10} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

/** Where there are many, their counts are read less often. */
function WebhookRow({ webhook, many }: { webhook: Webhook; many: boolean }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const { id, url, events, active } = webhook
  const name = nameOf(webhook)
  const stats = useQuery({ ...statsQuery(slug, id, '24h'), refetchInterval: many ? 60_000 : 5000 })
  const textOf = useOutcomesText(timezone)
  return (
    <li className={classes.row} aria-label={name} data-active={active}>
      <div>
        <div className={classes.head}>
          <Link to="/w/$workspace/webhooks/$webhook" params={{ workspace: slug, webhook: id }} className={classes.name}>
            {name}
          </Link>
          <HealthBadge webhook={webhook} stats={stats.data} />
          <HeldBadge webhook={webhook} stats={stats.data} />
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
      <WebhookActs webhook={webhook} />
    </li>
  )
}
