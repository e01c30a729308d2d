import { Anchor, Group, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { RunBadge, useReasonText } from '../AgentStatus'
import classes from '../agents.module.css'
import { type Agent, type AgentRun, isInProgress, runQuery, runsQuery } from '../queries'
import { WrittenItem } from './WrittenItem'

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
  const { status, reason, made, wanted, credits, cost_usd, is_cost_estimated, trigger, created_at } = run
  const time = run.due_at ?? created_at
  const hasItems = run.started_at !== null
  return (
    <li className={classes.run}>
      <Group gap="sm">
        <Text component="time" dateTime={time} fw={600} fz="sm">
          {format.dateTime(time)}
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
          {cost_usd > 0 &&
            ` · ${t(is_cost_estimated ? 'agents.cost_about' : 'agents.cost', { cost: format.dollars(cost_usd) })}`}
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
  return (
    <>
      {items.data.items.map((item) => (
        <WrittenItem key={item.position} item={item} />
      ))}
      {items.data.setup && <Instructions setup={items.data.setup} />}
    </>
  )
}

const setupFields = ['system_prompt', 'role', 'persona', 'voice'] as const
const setupLabels = {
  system_prompt: 'agents.instructions',
  role: 'agents.role',
  persona: 'agents.persona',
  voice: 'agents.voice',
} as const

/** The instructions of the agent when the run began. */
function Instructions({ setup }: { setup: Pick<Agent, (typeof setupFields)[number]> }) {
  const { t } = useTranslation()
  const given = setupFields.filter((field) => setup[field] !== '')
  if (given.length === 0) return null
  return (
    <details className={classes.part}>
      <summary>{t('agents.asked.setup')}</summary>
      {given.map((field) => (
        <Text key={field} fz="sm" className={classes.text} dir="auto">
          <b>{t(setupLabels[field])}</b>: {setup[field]}
        </Text>
      ))}
    </details>
  )
}
