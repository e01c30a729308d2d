import { Card, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../api'
import type { components } from '../../api.gen'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useFormat } from '../../ui/text/format'
import { AccountSummary } from '../accounts/AccountSummary'
import { accountsQuery } from '../accounts/queries'
import { useNetwork } from '../networks/queries'
import { useWorkspace } from '../workspaces/queries'
import classes from './metrics.module.css'
import { Numbers } from './Numbers'
import { postMetricsQuery } from './queries'
import { ReadingNotice } from './ReadingNotice'

type TargetMetrics = components['schemas']['TargetMetrics']

/** The numbers of a post on its accounts. Nothing while no network reports any. */
export function PostMetricsCard({ post }: { post: Post }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const metrics = useQuery(postMetricsQuery(slug, post.id))
  const shown = metrics.data?.targets.filter(({ state }) => state !== 'unsupported') ?? []
  if (metrics.data && shown.length === 0) return null
  return (
    <Card component="section" aria-labelledby="numbers">
      <Title order={2} size="h4" c="dimmed" id="numbers" mb="xs">
        {t('metrics.of_post')}
      </Title>
      {metrics.error && !metrics.data && <ProblemAlert error={metrics.error} onRetry={() => metrics.refetch()} />}
      {metrics.isPending && <LoadingSkeleton lines={1} height={60} />}
      {metrics.data && shown.filter(({ read_at }) => read_at !== null).length > 1 && (
        <section className={classes.target} aria-label={t('metrics.total')}>
          <Text fw={650}>{t('metrics.total')}</Text>
          <Numbers metrics={metrics.data.total} hasReach={shown.some(({ metrics }) => metrics.reach !== null)} />
        </section>
      )}
      {shown.map((target) => (
        <TargetNumbers key={target.account_id} target={target} post={post} />
      ))}
    </Card>
  )
}

function TargetNumbers({ target, post }: { target: TargetMetrics; post: Post }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const network = useNetwork(target.network)
  const account = useQuery(accountsQuery(slug)).data?.find(({ id }) => id === target.account_id)
  const handle = post.targets.find(({ account_id }) => account_id === target.account_id)?.handle ?? ''
  const { state, next_read_at } = target
  const name = account?.name ?? network?.name ?? target.network
  return (
    <section className={classes.target} aria-label={name}>
      <AccountSummary
        account={account ?? { id: target.account_id, network: target.network, name, handle, avatar_url: null }}
        network={network}
        size={34}
      />
      {state === 'planned' ? (
        !target.error && (
          <Text c="dimmed" fz="sm">
            {next_read_at === null
              ? t('metrics.planned_soon')
              : t('metrics.planned', { ago: format.ago(next_read_at) })}
          </Text>
        )
      ) : (
        <Numbers metrics={target.metrics} />
      )}
      {state === 'absent' && <Text fz="sm">{t('metrics.absent')}</Text>}
      <ReadingNotice {...target} />
    </section>
  )
}
