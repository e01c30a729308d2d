import { ActionIcon, Button, Card, Group, Switch, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { Dialog } from '../../../ui/dialog/Dialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import rows from '../../../ui/layout/LinkedRow.module.css'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../agents.module.css'
import type { Agent } from '../queries'
import { RuleForm } from './RuleForm'
import { type AgentRule, MAX_RULES, rulesQuery, useDeleteRule, useSetRuleEnabled } from './rule-queries'

/** The rules of an agent for its texts: learned from rejections, or written by members. */
export function RulesCard({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const mayChange = isAtLeast(workspace, 'editor')
  const rules = useQuery(rulesQuery(workspace.slug, agent.id))
  const [isAdding, { open, close }] = useDisclosure(false)
  const isFull = rules.data !== undefined && rules.data.length >= MAX_RULES
  return (
    <Card component="section" aria-labelledby="rules">
      <Title order={2} size="h3" id="rules">
        {t('agent_rules.title')}
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        {t('agent_rules.about')}
      </Text>
      {rules.error && <ProblemAlert error={rules.error} onRetry={() => rules.refetch()} />}
      {rules.isPending && <LoadingSkeleton lines={1} height={60} />}
      {rules.data && rules.data.length > 0 && (
        <ul className={rows.list} aria-label={t('agent_rules.title')}>
          {rules.data.map((rule) => (
            <Rule key={rule.id} agent={agent.id} rule={rule} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {isFull && (
        <Text fz="sm" mt="sm">
          {t('agent_rules.full', { max: MAX_RULES })}
        </Text>
      )}
      {rules.data && mayChange && !isFull && (
        <Button variant="default" mt="sm" leftSection={<Plus size={17} />} onClick={open}>
          {t('agent_rules.add')}
        </Button>
      )}
      <Dialog opened={isAdding} onClose={close} title={t('agent_rules.add')}>
        <RuleForm agent={agent.id} onClose={close} />
      </Dialog>
    </Card>
  )
}

type RuleProps = { agent: string; rule: AgentRule; mayChange: boolean }

function Rule({ agent, rule, mayChange }: RuleProps) {
  const { t } = useTranslation()
  const [isEditing, edit] = useDisclosure(false)
  const [isDeleting, ask] = useDisclosure(false)
  const deletion = useDeleteRule(agent, rule, ask.close)
  const { text, is_enabled } = rule
  return (
    <li className={classes.item} aria-label={text}>
      <Text className={classes.text} dir="auto" c={is_enabled ? undefined : 'dimmed'}>
        {text}
      </Text>
      <Origin rule={rule} />
      <Group justify="space-between" wrap="nowrap" gap="xs" mt={6}>
        {mayChange ? (
          <EnabledSwitch agent={agent} rule={rule} />
        ) : (
          <Text fz="sm" c="dimmed">
            {t(is_enabled ? 'agent_rules.on' : 'agent_rules.off')}
          </Text>
        )}
        {mayChange && (
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={t('agent_rules.edit', { text })}
              onClick={edit.open}
            >
              <Pencil size={17} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={t('agent_rules.delete_of', { text })}
              onClick={ask.open}
            >
              <Trash2 size={17} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      <Dialog opened={isEditing} onClose={edit.close} title={t('agent_rules.edit_title')}>
        <RuleForm agent={agent} rule={rule} onClose={edit.close} />
      </Dialog>
      <ConfirmDialog
        opened={isDeleting}
        onClose={ask.close}
        title={t('agent_rules.delete_ask')}
        confirm={t('ui.delete')}
        mutation={deletion}
        onConfirm={() => deletion.mutate()}
      >
        {t('agent_rules.delete_detail', { text })}
      </ConfirmDialog>
    </li>
  )
}

/** Whether the agent follows a rule, to switch on and off. */
function EnabledSwitch({ agent, rule }: Omit<RuleProps, 'mayChange'>) {
  const { t } = useTranslation()
  const set = useSetRuleEnabled(agent, rule)
  const onError = useErrorNotification()
  return (
    <Switch
      label={t('agent_rules.on')}
      aria-label={t('agent_rules.follow', { text: rule.text })}
      checked={set.isPending ? set.variables : rule.is_enabled}
      onChange={({ currentTarget }) => set.mutate(currentTarget.checked, { onError })}
    />
  )
}

/** The rejection that a rule was learned from, or who wrote it. */
function Origin({ rule: { text, is_enabled, learned_from, created_by, version } }: { rule: AgentRule }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const name = created_by?.name ?? t('agent_rules.somebody')
  if (!learned_from)
    return (
      <Text fz="sm" c="dimmed">
        {t('agent_rules.written_by', { name })}
      </Text>
    )
  const { reason, post_id, client_name } = learned_from
  const isNew = client_name !== null && !is_enabled && version === 1
  return (
    <>
      <Text fz="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {client_name
          ? t('agent_rules.learned_from_client', { name: client_name })
          : t('agent_rules.learned_from', { name })}{' '}
        {post_id && (
          <AnchorLink to="/w/$workspace/posts/$post" params={{ workspace: slug, post: post_id }} fz="sm">
            {t('agent_rules.post')}
          </AnchorLink>
        )}
      </Text>
      {reason !== text && (
        <Text fz="sm" c="dimmed" className={classes.text} dir="auto">
          {t('agent_rules.reason', { reason })}
        </Text>
      )}
      {isNew && <Text fz="sm">{t('agent_rules.turn_on')}</Text>}
    </>
  )
}
