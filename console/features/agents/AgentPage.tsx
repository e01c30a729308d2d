import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../api'
import { NotFoundPage } from '../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { Fact, FactList } from '../../ui/layout/FactList'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { BackLink } from '../../ui/navigation/BackLink'
import { useFormat } from '../../ui/text/format'
import { accountsQuery } from '../accounts/queries'
import { InstalledFrom } from '../catalog/updates/InstalledFrom'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { AgentActions } from './AgentActions'
import { AgentBadge } from './AgentStatus'
import classes from './agents.module.css'
import { EstimateText, useBudgetText } from './budget/EstimateText'
import { RunTimeline } from './history/RunTimeline'
import { NextPost } from './preview/NextPost'
import { type Agent, agentQuery } from './queries'
import { RulesCard } from './rules/RulesCard'
import { useScheduleText } from './schedule-text'
import { SourcesCard } from './sources/SourcesCard'

const route = getRouteApi('/signed-in/shell/w/$workspace/agents/$agent')

/** One agent: its set-up, a preview, and its runs. */
export function AgentPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.agents'))
  const { slug } = useWorkspace()
  const { agent: id } = route.useParams()
  const agent = useQuery(agentQuery(slug, id))
  if (isStatus(agent.error, 404) || isStatus(agent.error, 400)) return <NotFoundPage />
  if (agent.error && !agent.data) return <ProblemAlert error={agent.error} onRetry={() => agent.refetch()} />
  if (!agent.data) return <LoadingSkeleton lines={4} height={110} />
  return <AgentDetails agent={agent.data.record} />
}

function AgentDetails({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  useDocumentTitle(agent.name)
  return (
    <>
      <BackLink to="/w/$workspace/agents" params={{ workspace: workspace.slug }}>
        {t('agents.back')}
      </BackLink>
      <Group gap="sm" align="center" mb={4}>
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {agent.name}
        </Title>
        <AgentBadge agent={agent} />
      </Group>
      {agent.description && (
        <Text className={classes.text} c="dimmed" mb="md" maw={640}>
          {agent.description}
        </Text>
      )}
      <InstalledFrom agent={agent} />
      {isAtLeast(workspace, 'editor') && <AgentActions agent={agent} />}
      <div className={classes.columns}>
        <Card component="section" aria-labelledby="runs">
          <Title order={2} size="h3" id="runs" mb="md">
            {t('agents.runs')}
          </Title>
          <RunTimeline agent={agent} />
        </Card>
        <Stack gap="lg">
          <SetUp agent={agent} />
          <SourcesCard agent={agent} />
          <RulesCard agent={agent} />
          {isAtLeast(workspace, 'editor') && (
            <NextPost agent={agent} fields={{ agent_id: agent.id }} about={t('agents.preview_about')} />
          )}
        </Stack>
      </div>
    </>
  )
}

/** Kinds of pictures that the posts of an agent get, the best first. */
const picturesOf = ({ video, generate_image, design }: Agent) => [
  ...(video ? (['video'] as const) : []),
  ...(generate_image ? (['image'] as const) : []),
  ...(design ? (['card'] as const) : []),
]

/** The facts about an agent, and its instructions. */
function SetUp({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat(agent.timezone)
  const scheduleText = useScheduleText()
  const budgetText = useBudgetText()
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const names = accounts.filter(({ id }) => agent.account_ids.includes(id)).map(({ name }) => name)
  return (
    <Card component="section" aria-labelledby="set-up">
      <Title order={2} size="h3" id="set-up" mb="sm">
        {t('agents.set_up')}
      </Title>
      <FactList>
        <Fact name={t('agents.schedule')}>{scheduleText(agent.schedule_cron)}</Fact>
        <Fact name={t('agents.zone')}>{agent.timezone}</Fact>
        <Fact name={t('agents.next')}>{agent.next_run_at ? format.dateTime(agent.next_run_at) : '–'}</Fact>
        <Fact name={t('agents.accounts')}>{names.length > 0 ? format.list(names) : t('agents.no_accounts')}</Fact>
        <Fact name={t('agents.autonomy')}>{t(`agents.levels.${agent.autonomy_level}`)}</Fact>
        <Fact name={t('agents.pictures.title')}>
          {picturesOf(agent)
            .map((kind) => t(`agents.pictures.kinds.${kind}`))
            .join(t('agents.pictures.or_else')) || t('agents.pictures.kinds.none')}
        </Fact>
        <Fact name={t('agents.posts_per_run')}>{format.number(agent.posts_per_run)}</Fact>
        <Fact name={t('agents.daily_limit')}>{format.number(agent.daily_limit)}</Fact>
        <Fact name={t('agents.budget')}>{budgetText(agent)}</Fact>
        <Fact name={t('agents.expected')}>
          <EstimateText estimate={agent.estimate} limit={agent.monthly_spend_limit_usd} />
        </Fact>
        <Fact name={t('agents.acts_for')}>{agent.acts_for?.name ?? '–'}</Fact>
      </FactList>
      {agent.system_prompt && (
        <details style={{ marginTop: '0.75rem' }}>
          <summary>{t('agents.instructions')}</summary>
          <Text className={classes.text} fz="sm" mt="xs">
            {agent.system_prompt}
          </Text>
        </details>
      )}
    </Card>
  )
}
