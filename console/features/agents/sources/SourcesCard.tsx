import { ActionIcon, Button, Card, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { Dialog } from '../../../ui/dialog/Dialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import rows from '../../../ui/layout/LinkedRow.module.css'
import { useFormat } from '../../../ui/text/format'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import classes from '../agents.module.css'
import type { Agent } from '../queries'
import { SourceForm } from './SourceForm'
import { type AgentSource, MAX_SOURCES, sourcesQuery, useRemoveSource } from './source-queries'

/** The feeds, pages and texts that an agent writes about. */
export function SourcesCard({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const mayChange = isAtLeast(workspace, 'editor')
  const sources = useQuery(sourcesQuery(workspace.slug, agent.id))
  const [isAdding, { open, close }] = useDisclosure(false)
  return (
    <Card component="section" aria-labelledby="sources">
      <Title order={2} size="h3" id="sources">
        {t('sources.title')}
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        {t('sources.about')}
      </Text>
      {sources.error && <ProblemAlert error={sources.error} onRetry={() => sources.refetch()} />}
      {sources.isPending && <LoadingSkeleton lines={1} height={60} />}
      {sources.data && sources.data.length > 0 && (
        <ul className={rows.list} aria-label={t('sources.title')}>
          {sources.data.map((source) => (
            <Source key={source.id} agent={agent.id} source={source} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {sources.data && mayChange && sources.data.length < MAX_SOURCES && (
        <Button variant="default" mt="sm" leftSection={<Plus size={17} />} onClick={open}>
          {t('sources.add')}
        </Button>
      )}
      <Dialog opened={isAdding} onClose={close} title={t('sources.add')}>
        <SourceForm agent={agent.id} onClose={close} />
      </Dialog>
    </Card>
  )
}

type SourceProps = { agent: string; source: AgentSource; mayChange: boolean }

function Source({ agent, source, mayChange }: SourceProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isEditing, edit] = useDisclosure(false)
  const [isRemoving, remove] = useDisclosure(false)
  const removal = useRemoveSource(agent, source.id, remove.close)
  const { kind, label, url, is_complete, is_trusted, last_error, last_fetched_at } = source
  return (
    <li className={classes.item} aria-label={label}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <div style={{ minWidth: 0 }}>
          <Text fw={600}>{label}</Text>
          <Text fz="sm" c="dimmed" className={classes.text}>
            {t(`sources.kinds.${kind}`)}
            {url && ` · ${url}`}
          </Text>
          <Text fz="sm" c={!is_complete || last_error ? 'var(--mantine-color-error)' : 'dimmed'}>
            {!is_complete
              ? t('sources.incomplete')
              : last_error
                ? t(`sources.errors.${last_error}`)
                : last_fetched_at && t('sources.read', { ago: format.ago(last_fetched_at) })}
          </Text>
          {kind !== 'text' && is_trusted && (
            <Text fz="sm" c="dimmed">
              {t('sources.trusted')}
            </Text>
          )}
        </div>
        {mayChange && (
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={t('sources.edit', { label })}
              onClick={edit.open}
            >
              <Pencil size={17} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={t('sources.remove_of', { label })}
              onClick={remove.open}
            >
              <Trash2 size={17} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      <Dialog opened={isEditing} onClose={edit.close} title={label}>
        <SourceForm agent={agent} source={source} onClose={edit.close} />
      </Dialog>
      <ConfirmDialog
        opened={isRemoving}
        onClose={remove.close}
        title={t('sources.remove_ask', { label })}
        confirm={t('sources.remove')}
        mutation={removal}
        onConfirm={() => removal.mutate()}
      >
        {t('sources.remove_detail')}
      </ConfirmDialog>
    </li>
  )
}
