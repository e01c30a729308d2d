import { Alert, Anchor, Button, Group, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { CopyText } from '../../../ui/copy/CopyText'
import { Dialog } from '../../../ui/dialog/Dialog'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { type PostScope, PostScopeFields } from './PostScopeFields'
import { SharedLinkRow } from './SharedLinkRow'

const feedsQuery = (workspace: string) => ({
  queryKey: ['calendar-feeds', workspace],
  queryFn: () =>
    unwrap(workspaceApi(workspace).GET('/api/v1/calendar-feeds', { params: { query: { limit: 100 } } })).then(
      ({ data }) => data,
    ),
})

/** The member's own calendar feeds, and the form for a new one. */
export function CalendarFeedsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const feeds = useQuery({ ...feedsQuery(slug), enabled: opened })
  const reload = () => void queryClient.invalidateQueries({ queryKey: feedsQuery(slug).queryKey })
  const remove = useMutation({
    mutationFn: (id: string) =>
      unwrap(workspaceApi(slug).DELETE('/api/v1/calendar-feeds/{id}', { params: { path: { id } } })),
    onSuccess: reload,
  })
  return (
    <Dialog opened={opened} onClose={onClose} title={t('calendar_feeds.title')}>
      <Stack gap="md">
        <Text c="dimmed" fz="sm">
          {t('calendar_feeds.about')}
        </Text>
        {feeds.isPending && <Skeleton height={44} role="status" aria-label={t('ui.loading')} />}
        {feeds.error && <ProblemAlert error={feeds.error} onRetry={() => feeds.refetch()} />}
        {remove.error && <ProblemAlert error={remove.error} />}
        {feeds.data && feeds.data.length > 0 && (
          <Stack
            component="ul"
            gap="sm"
            m={0}
            p={0}
            style={{ listStyle: 'none' }}
            aria-label={t('calendar_feeds.title')}
          >
            {feeds.data.map(({ id, name, last_read_at }) => (
              <SharedLinkRow
                key={id}
                name={name}
                details={[
                  last_read_at
                    ? t('calendar_feeds.read', { date: format.dateTime(last_read_at) })
                    : t('calendar_feeds.never_read'),
                ]}
                end={t('calendar_feeds.delete')}
                endLabel={t('calendar_feeds.delete_of', { name })}
                isEnding={remove.isPending && remove.variables === id}
                onEnd={() => remove.mutate(id)}
              />
            ))}
          </Stack>
        )}
        <NewFeed onCreated={reload} />
      </Stack>
    </Dialog>
  )
}

function NewFeed({ onCreated }: { onCreated: () => void }) {
  const { t } = useTranslation()
  const { slug, name: workspace } = useWorkspace()
  const [name, setName] = useState(workspace)
  const [scope, setScope] = useState<PostScope>({ account_ids: [], labels: [] })
  const [shows_unapproved, setShowsUnapproved] = useState(true)
  const [shows_text, setShowsText] = useState(true)
  const create = useMutation({
    mutationFn: () => {
      const body = { name, ...scope, shows_unapproved, shows_text }
      return unwrap(workspaceApi(slug).POST('/api/v1/calendar-feeds', { body }))
    },
    onSuccess: onCreated,
  })
  if (create.data?.url) {
    return (
      <Alert color="green" title={t('calendar_feeds.once')}>
        <Stack gap="xs">
          <Text fz="sm">{t('calendar_feeds.how')}</Text>
          <CopyText text={create.data.url}>
            <Anchor href={create.data.url.replace(/^https?:/, 'webcal:')} fz="sm">
              {t('calendar_feeds.open')}
            </Anchor>
          </CopyText>
        </Stack>
      </Alert>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t('calendar_feeds.name')}
          description={t('calendar_feeds.name_about')}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={80}
          required
        />
        <PostScopeFields
          scope={scope}
          onChange={setScope}
          texts={{
            accounts: t('calendar_feeds.accounts'),
            accountsAbout: t('calendar_feeds.accounts_about'),
            labels: t('calendar_feeds.labels'),
            labelsAbout: t('calendar_feeds.labels_about'),
          }}
        />
        <Switch
          label={t('calendar_feeds.shows_unapproved')}
          checked={shows_unapproved}
          onChange={({ currentTarget }) => setShowsUnapproved(currentTarget.checked)}
        />
        <Switch
          label={t('calendar_feeds.shows_text')}
          checked={shows_text}
          onChange={({ currentTarget }) => setShowsText(currentTarget.checked)}
        />
        {create.error && <ProblemAlert error={create.error} />}
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t('calendar_feeds.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
