import { Alert, Button, Card, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Sparkles, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ApiProblem, queryClient, unwrap, workspaceApi } from '../../../api'
import type { components } from '../../../api.gen'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { accountsQuery } from '../../accounts/queries'
import { TextCredits } from '../../ai/generate/TextCredits'
import { textModelsQuery } from '../../ai/generate/text-models'
import { useNetworks } from '../../networks/queries'
import { usageQuery } from '../../plans/queries'
import { AccountPreview } from '../../posts/previews/PostPreview'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../agents.module.css'
import { isUsedUp, useBudgetText } from '../budget/EstimateText'
import { Findings } from '../Findings'
import { type Agent, agentQuery, invalidateAgents } from '../queries'
import { AskedParts } from './AskedParts'

type PreviewedAgent = components['schemas']['PreviewedAgent']
type Preview = components['schemas']['AgentPreview']

/** Whether the budget of the agent, and not a limit of the plan, refused a text. */
const isOverBudget = (error: unknown) =>
  error instanceof ApiProblem &&
  error.problem.code === 'limit_exceeded' &&
  ['agent_credits', 'agent_spend'].includes(error.problem.meter ?? '')

type Props = {
  /** The saved agent, whose budget pays. Absent while it is new. */
  agent: Agent | undefined
  /** The agent to write as, as it is in the form now. */
  fields: PreviewedAgent
  about: string
}

/** Has an agent write its next post, which is not kept. What it costs is shown before. */
export function NextPost({ agent, fields, about }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const budgetText = useBudgetText()
  const once = useIdempotencyKey()
  // A model may just have been set up.
  const models = useQuery({ ...textModelsQuery(slug), staleTime: 0 }).data?.filter(
    ({ api_type }) => api_type === 'chat',
  )
  const asked = JSON.stringify(fields)
  const preview = useMutation({
    mutationFn: async (body: PreviewedAgent) => ({
      asked: JSON.stringify(body),
      written: await once(body, (headers) =>
        unwrap(workspaceApi(slug).POST('/api/v1/agents/preview', { body, headers })),
      ),
    }),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: usageQuery(slug).queryKey }), invalidateAgents(slug)]),
  })
  const { data } = preview
  // The record of a form stays that of its version, and a preview takes credits without a new version.
  const now = useQuery({ ...agentQuery(slug, agent?.id ?? ''), enabled: agent !== undefined }).data?.record ?? agent
  const isSpent = now != null && isUsedUp(now)
  return (
    <Card component="section" aria-labelledby="next-post">
      <Title order={2} size="h3" id="next-post">
        {t('agents.preview')}
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        {about}
      </Text>
      {models?.length === 0 ? (
        <Alert color="yellow" icon={<TriangleAlert size={20} />}>
          {t('agents.missing.model')}
        </Alert>
      ) : (
        <Stack gap="xs" align="flex-start">
          <TextCredits />
          {now && (
            <Text fz="sm" c="dimmed">
              {t('agents.preview_budget', { spent: budgetText(now) })}
            </Text>
          )}
          {(isSpent || isOverBudget(preview.error)) && (
            <Alert color="yellow" icon={<TriangleAlert size={20} />}>
              {t('agents.preview_over_budget')}
            </Alert>
          )}
          <Button
            variant="default"
            leftSection={<Sparkles size={17} />}
            disabled={isSpent || models === undefined}
            loading={preview.isPending}
            onClick={() => preview.mutate(fields)}
          >
            {t(data ? 'agents.preview_again' : 'agents.preview_write')}
          </Button>
        </Stack>
      )}
      <div aria-live="polite">
        {preview.isPending && <LoadingSkeleton lines={1} height={90} />}
        {preview.error && !isOverBudget(preview.error) && <ProblemAlert error={preview.error} />}
        {data && !preview.isPending && (
          <Stack gap="sm" mt="sm">
            {data.asked !== asked && (
              <Text fz="sm" c="dimmed">
                {t('agents.preview_outdated')}
              </Text>
            )}
            <WrittenPost written={data.written} />
          </Stack>
        )}
      </div>
    </Card>
  )
}

/** The draft as each account would post it, the rules that it breaks, and what it is based on. */
function WrittenPost({ written }: { written: Preview }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const networks = useNetworks().data ?? []
  const { content, skip_reason, targets, findings, asked, source_ids } = written
  return (
    <>
      {skip_reason && (
        <Text>
          {t('agents.skipped')} {skip_reason}
        </Text>
      )}
      {content && !skip_reason && targets.length === 0 && (
        <Text className={`${classes.item} ${classes.text}`} dir="auto">
          {content}
        </Text>
      )}
      {targets.map((target) => {
        const account = accounts.find(({ id }) => id === target.account_id)
        if (!account) return null
        const texts = { content: target.content, media_ids: [], thread: [], first_comment: '' }
        return <AccountPreview key={account.id} account={account} texts={texts} networks={networks} />
      })}
      <Findings findings={findings} />
      <AskedParts asked={asked} used={source_ids} />
    </>
  )
}
