import { Anchor, Group, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { useWorkspace } from '../workspaces/queries'
import { RunBadge, useReasonText } from './AgentStatus'
import classes from './agents.module.css'
import { Findings } from './Findings'
import { type Agent, type AgentRun, isInProgress, type RunItem, runQuery, runsQuery } from './queries'

/** The runs of an agent, the newest first. */
export function RunTimeline({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const runs = useInfiniteQuery({
    ...runsQuery(slug, agent.id),
    // While a run goes on, its texts appear one by one.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.data.some(isInProgress) ? 2000 : false),
  })
  const all = runs.data?.pages.flatMap(({ data }) => data) ?? []
  if (runs.error && !runs.data) return <ProblemAlert error={runs.error} onRetry={() => runs.refetch()} />
  if (runs.isPending) return <LoadingSkeleton lines={3} height={60} />
  if (all.length === 0) return <Text c="dimmed">{t('agents.no_runs_detail')}</Text>
  return (
    <>
      <ol className={classes.timeline} aria-label={t('agents.runs')}>
        {all.map((run, index) => (
          <Run key={run.id} run={run} agent={agent} isFirst={index === 0} />
        ))}
      </ol>
      <LoadMore of={runs} />
    </>
  )
}

/** One run; the newest shows its posts at once. */
function Run({ run, agent, isFirst }: { run: AgentRun; agent: Agent; isFirst: boolean }) {
  const { t } = useTranslation()
  const format = useFormat(agent.timezone)
  const reasonText = useReasonText()
  const [isOpen, setOpen] = useState(isFirst)
  const { status, reason, made, wanted, credits, missed, trigger, created_at } = run
  const hasItems = run.started_at !== null
  return (
    <li className={classes.run}>
      <Group gap="sm">
        <Text component="time" dateTime={created_at} fw={600} fz="sm">
          {format.dateTime(created_at)}
        </Text>
        <RunBadge status={status} />
        {trigger === 'manual' && (
          <Text fz="sm" c="dimmed">
            {t('agents.manual')}
          </Text>
        )}
      </Group>
      {reason && <Text fz="sm">{reasonText(reason)}</Text>}
      {hasItems && (
        <Text fz="sm" c="dimmed">
          {t('agents.made', { made: format.number(made), wanted: format.number(wanted) })} ·{' '}
          {t('agents.credits', { count: credits })}
        </Text>
      )}
      {missed > 0 && (
        <Text fz="sm" c="dimmed">
          {t('agents.missed', { count: missed })}
        </Text>
      )}
      {hasItems && (
        <Anchor component="button" type="button" fz="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'agents.hide_posts' : 'agents.show_posts')}
        </Anchor>
      )}
      {hasItems && isOpen && <Items run={run} />}
    </li>
  )
}

function Items({ run }: { run: AgentRun }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const items = useQuery({
    ...runQuery(slug, run),
    // Uses the state that came with the items: the list of runs may show the end before the items do.
    refetchInterval: ({ state }) => (state.data && !isInProgress(state.data) ? false : 2000),
  })
  if (items.error && !items.data) return <ProblemAlert error={items.error} onRetry={() => items.refetch()} />
  if (!items.data) return <LoadingSkeleton lines={1} height={80} />
  if (items.data.items.length === 0)
    return (
      <Text fz="sm" c="dimmed">
        {t('agents.no_texts')}
      </Text>
    )
  return items.data.items.map((item) => <Item key={item.position} item={item} />)
}

function Item({ item }: { item: RunItem }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const reasonText = useReasonText()
  const { status, reason, topic, content, findings, post_id } = item
  return (
    <div className={classes.item}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text fw={600}>{topic ?? t('agents.writing')}</Text>
        <Text fz="sm" c="dimmed">
          {t(`agents.item_status.${status}`)}
        </Text>
      </Group>
      {content && <Text className={classes.text}>{content}</Text>}
      {reason && (
        <Text fz="sm" mt={4}>
          {reasonText(reason)}
        </Text>
      )}
      <Picture item={item} />
      <Findings findings={findings} />
      {post_id && (
        <Group gap="md" mt="xs">
          {status === 'pending' && (
            <AnchorLink to="/w/$workspace/review" params={{ workspace: slug }} fz="sm">
              {t('agents.to_review')}
            </AnchorLink>
          )}
          <AnchorLink to="/w/$workspace/posts/$post" params={{ workspace: slug, post: post_id }} fz="sm">
            {t('agents.to_post')}
          </AnchorLink>
        </Group>
      )}
    </div>
  )
}

/** Whether a post has a picture, or why it has none. */
function Picture({ item: { picture, picture_reason } }: { item: RunItem }) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  if (picture === null) return null
  const status = picture === 'added' && picture_reason ? 'replaced' : picture
  return (
    <Text fz="sm" c="dimmed" mt={4}>
      {t(`agents.picture_status.${status}`)} {picture_reason && reasonText(picture_reason)}
    </Text>
  )
}
