import { Alert, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { ListChecks, Pause, Pencil, Play, Power, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api'
import { translateDynamic } from '../../i18n'
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { PublishAgent } from '../catalog/sharing/PublishAgent'
import { useWorkspace } from '../workspaces/queries'
import { EnableDialog } from './budget/EnableDialog'
import { useDeleteAgent, useRunAgent, useSetAgentActive } from './mutations'
import { type Agent, isInProgress } from './queries'

/** Enables, disables, runs, changes and deletes an agent. */
export function AgentActions({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const set = useSetAgentActive(agent.id)
  const [isAsked, enabling] = useDisclosure(false)
  const run = useRunAgent(agent.id)
  const onError = useErrorNotification()
  const isRunning = agent.last_run !== null && isInProgress(agent.last_run)
  return (
    <>
      <Group gap="sm" mb="lg">
        <Button
          variant={agent.is_active ? 'default' : 'filled'}
          leftSection={agent.is_active ? <Pause size={17} /> : <Power size={17} />}
          loading={set.isPending}
          onClick={agent.is_active ? () => set.mutate(false) : enabling.open}
        >
          {t(agent.is_active ? 'agents.disable' : 'agents.enable')}
        </Button>
        <Button
          variant="default"
          leftSection={<Play size={17} />}
          loading={run.isPending}
          disabled={isRunning}
          onClick={() =>
            run.mutate(undefined, { onSuccess: () => notifications.show({ message: t('agents.started') }), onError })
          }
        >
          {t('agents.run')}
        </Button>
        <ButtonLink
          to="/w/$workspace/agents/$agent/edit"
          params={{ workspace: slug, agent: agent.id }}
          variant="default"
          leftSection={<Pencil size={17} />}
        >
          {t('agents.edit')}
        </ButtonLink>
        <PublishAgent agent={agent} />
        <DeleteButton agent={agent} />
      </Group>
      <EnableDialog
        agent={agent}
        opened={isAsked}
        onClose={enabling.close}
        isPending={set.isPending}
        onConfirm={() => set.mutate(true, { onSettled: enabling.close })}
      />
      {set.error && <EnableProblem error={set.error} />}
    </>
  )
}

/** Lists what an agent lacks before it can be enabled. */
function EnableProblem({ error }: { error: Error }) {
  const { t } = useTranslation()
  if (!(error instanceof ApiProblem && error.problem.code === 'agent_not_ready')) return <ProblemAlert error={error} />
  return (
    <Alert color="yellow" icon={<ListChecks size={20} />} title={t('agents.not_ready')} role="alert" mb="lg">
      <ul style={{ margin: 0, paddingInlineStart: '1.1rem' }}>
        {error.problem.missing?.map((name) => (
          <li key={name}>{translateDynamic(t, `agents.missing.${name}`, error.problem.detail)}</li>
        ))}
      </ul>
    </Alert>
  )
}

function DeleteButton({ agent: { id, name } }: { agent: Agent }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const [opened, { open, close }] = useDisclosure(false)
  const remove = useDeleteAgent(id, () => void navigate({ to: '/w/$workspace/agents', params: { workspace: slug } }))
  return (
    <>
      <Button variant="subtle" color="gray" leftSection={<Trash2 size={17} />} onClick={open}>
        {t('ui.delete')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={t('agents.delete_ask', { name })}
        confirm={t('ui.delete')}
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        {t('agents.delete_detail')}
      </ConfirmDialog>
    </>
  )
}
