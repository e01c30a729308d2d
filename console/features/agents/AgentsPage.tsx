import { Button, Card, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen, Bot, OctagonX, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import rows from '../../ui/layout/LinkedRow.module.css'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { WithGuide } from '../../ui/navigation/WithGuide'
import { useFormat } from '../../ui/text/format'
import { StoppedPosts } from '../posts/StoppedPosts'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { AgentBadge, RunBadge, useReasonText } from './AgentStatus'
import classes from './agents.module.css'
import { EnableDialog } from './budget/EnableDialog'
import { useDisableAllAgents, useSetAgentActive } from './mutations'
import { type Agent, agentsQuery } from './queries'
import { useScheduleText } from './schedule-text'

/** The agents of the workspace, with their next runs and last results. */
export function AgentsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.agents'))
  const workspace = useWorkspace()
  const mayChange = isAtLeast(workspace, 'editor')
  const agents = useQuery(agentsQuery(workspace.slug))
  const actions = (
    <>
      <ButtonLink
        to="/w/$workspace/catalog"
        params={{ workspace: workspace.slug }}
        variant="default"
        leftSection={<BookOpen size={17} />}
      >
        {t('catalog.browse')}
      </ButtonLink>
      {mayChange && (
        <ButtonLink
          to="/w/$workspace/agents/new"
          params={{ workspace: workspace.slug }}
          leftSection={<Plus size={17} />}
        >
          {t('agents.new')}
        </ButtonLink>
      )}
    </>
  )
  const isAnyActive = agents.data?.some(({ is_active }) => is_active)
  return (
    <>
      <PageHeader title={t('pages.agents')} about={<WithGuide name="agents">{t('agents.about')}</WithGuide>}>
        {mayChange && isAnyActive && <DisableAll />}
        {agents.data && agents.data.length > 0 && actions}
      </PageHeader>
      <StoppedPosts mb="lg" />
      {agents.error && <ProblemAlert error={agents.error} onRetry={() => agents.refetch()} />}
      {agents.isPending && <LoadingSkeleton lines={3} height={90} />}
      {agents.data?.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<Bot size={26} />} title={t('agents.none')} action={actions}>
            {t(mayChange ? 'agents.none_detail' : 'agents.none_viewer')}
          </EmptyState>
        </Card>
      )}
      {agents.data && agents.data.length > 0 && (
        <Card padding={0}>
          <ul className={rows.list} aria-label={t('pages.agents')}>
            {agents.data.map((agent) => (
              <AgentRow key={agent.id} agent={agent} mayChange={mayChange} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function AgentRow({ agent, mayChange }: { agent: Agent; mayChange: boolean }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const scheduleText = useScheduleText()
  const format = useFormat(agent.timezone)
  const reasonText = useReasonText()
  const { id, name, schedule_cron, next_run_at, last_run, is_active } = agent
  const set = useSetAgentActive(id)
  const [isAsked, enabling] = useDisclosure(false)
  const onError = useErrorNotification()
  return (
    <li className={`${rows.row} ${classes.row}`} aria-label={name}>
      <div>
        <div className={rows.head}>
          <Link to="/w/$workspace/agents/$agent" params={{ workspace: slug, agent: id }} className={rows.name}>
            {name}
          </Link>
          <AgentBadge agent={agent} />
        </div>
        <Text fz="sm" c="dimmed">
          {scheduleText(schedule_cron)}
        </Text>
        <Text fz="sm" c="dimmed">
          {next_run_at ? t('agents.next_run', { time: format.dateTime(next_run_at) }) : t('agents.no_next_run')}
        </Text>
      </div>
      <div className={classes.result}>
        {last_run ? (
          <>
            <RunBadge status={last_run.status} />
            <Text fz="xs" c="dimmed" mt={4}>
              {last_run.reason ? `${reasonText(last_run.reason)} · ` : ''}
              <time dateTime={last_run.created_at}>{format.ago(last_run.created_at)}</time>
            </Text>
          </>
        ) : (
          <Text fz="sm" c="dimmed">
            {t('agents.no_runs')}
          </Text>
        )}
      </div>
      {mayChange && (
        <Switch
          className={rows.actions}
          aria-label={t('agents.active_of', { name })}
          checked={set.isPending ? set.variables : is_active}
          onChange={({ currentTarget }) => (currentTarget.checked ? enabling.open() : set.mutate(false, { onError }))}
        />
      )}
      <EnableDialog
        agent={agent}
        opened={isAsked}
        onClose={enabling.close}
        isPending={set.isPending}
        onConfirm={() => set.mutate(true, { onError, onSettled: enabling.close })}
      />
    </li>
  )
}

/** Stops all agents of the workspace. */
function DisableAll() {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure(false)
  const disable = useDisableAllAgents((count) => {
    close()
    notifications.show({ message: t('agents.all_disabled', { count }) })
  })
  return (
    <>
      <Button variant="default" leftSection={<OctagonX size={17} />} onClick={open}>
        {t('agents.disable_all')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={t('agents.disable_all_ask')}
        confirm={t('agents.disable_all')}
        mutation={disable}
        onConfirm={() => disable.mutate()}
      >
        {t('agents.disable_all_detail')}
      </ConfirmDialog>
    </>
  )
}
