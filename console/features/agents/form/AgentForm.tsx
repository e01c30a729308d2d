import { Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { unwrap, unwrapWithEtag, workspaceApi } from '../../../api'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { type Loaded, useRecordForm } from '../../../ui/forms/useRecordForm'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import type { PostDestination } from '../../posts/form/form-values'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../agents.module.css'
import { BudgetFields } from '../budget/BudgetFields'
import { NextPost } from '../preview/NextPost'
import { type Agent, agentQuery, invalidateAgents } from '../queries'
import {
  type AgentFormState,
  type AgentValues,
  changedFields,
  isChanged,
  toBody,
  toFormValues,
  validateAgent,
} from './form-values'
import { PictureFields } from './PictureFields'
import { AutonomyFields, TextRuleFields } from './PublishingFields'
import { ScheduleFields } from './ScheduleFields'
import { AccountFields, NameFields, WritingFields } from './WritingFields'

/** The fields as they are now. A name is not needed to write. */
function previewed({ form, base }: AgentFormState) {
  const { name, ...fields } = toBody(form.values)
  return { ...fields, ...(name && { name }), ...(base && { agent_id: base.record.id }) }
}

type Props = { start: Loaded<Agent> | { values: AgentValues }; accounts: PostDestination[] }

/** Creates an agent or changes the given one. */
export function AgentForm({ start, accounts }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  const client = workspaceApi(slug)
  const leave = (agent: string, message: string) => {
    void invalidateAgents(slug)
    notifications.show({ message })
    return navigate({ to: '/w/$workspace/agents/$agent', params: { workspace: slug, agent }, ignoreBlocker: true })
  }
  const state = useRecordForm({
    start,
    query: ({ id }: Agent) => agentQuery(slug, id),
    toValues: toFormValues,
    toPatch: changedFields,
    isChanged,
    validate: (values) => validateAgent(t, values),
    at: { agent_not_trusted: 'autonomy_level' },
    update: (body, { record: { id }, etag }) =>
      unwrapWithEtag(
        client.PATCH('/api/v1/agents/{id}', { params: { path: { id } }, body, headers: { 'if-match': etag } }),
      ),
    onUpdated: ({ record }) => leave(record.id, t('agents.saved')),
    create: (values) => {
      const body = toBody(values)
      return once(body, (headers) => unwrap(client.POST('/api/v1/agents', { body, headers })))
    },
    onCreated: ({ id }) => leave(id, t('agents.created')),
  })
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <div className={classes.editor}>
        <Stack gap="lg">
          <NameFields form={state.form} />
          <WritingFields form={state.form} />
          <PictureFields form={state.form} />
          <AccountFields form={state.form} accounts={accounts} />
          <ScheduleFields form={state.form} />
          <BudgetFields form={state.form} />
          <AutonomyFields form={state.form} base={state.base} />
          <TextRuleFields form={state.form} />
        </Stack>
        <div className={classes.beside}>
          <NextPost agent={state.base?.record} fields={previewed(state)} about={t('agents.preview_about_unsaved')} />
        </div>
        <Stack>
          <RecordFormActions
            state={state}
            save={t(state.base ? 'agents.save' : 'agents.create')}
            conflict={{ detail: t('agents.conflict_detail') }}
            cancel={<CancelButton agent={state.base?.record} />}
          />
        </Stack>
      </div>
    </form>
  )
}

function CancelButton({ agent }: { agent: Agent | undefined }) {
  const { t } = useTranslation()
  const { slug: workspace } = useWorkspace()
  if (agent)
    return (
      <ButtonLink variant="default" to="/w/$workspace/agents/$agent" params={{ workspace, agent: agent.id }}>
        {t('ui.cancel')}
      </ButtonLink>
    )
  return (
    <ButtonLink variant="default" to="/w/$workspace/agents" params={{ workspace }}>
      {t('ui.cancel')}
    </ButtonLink>
  )
}
