import {
  Alert,
  Anchor,
  Button,
  Group,
  MultiSelect,
  Skeleton,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { CopyText } from '../../../ui/text/CopyText'
import { useFormat } from '../../../ui/text/format'
import { accountsQuery } from '../../accounts/queries'
import { useWorkspace } from '../../workspaces/queries'

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
              <Group component="li" key={id} justify="space-between" wrap="nowrap">
                <div>
                  <Text fw={600} className="text">
                    {name}
                  </Text>
                  <Text fz="sm" c="dimmed">
                    {last_read_at
                      ? t('calendar_feeds.read', { date: format.dateTime(last_read_at) })
                      : t('calendar_feeds.never_read')}
                  </Text>
                </div>
                <Button
                  variant="default"
                  size="xs"
                  style={{ flexShrink: 0 }}
                  aria-label={t('calendar_feeds.delete_of', { name })}
                  loading={remove.isPending && remove.variables === id}
                  onClick={() => remove.mutate(id)}
                >
                  {t('calendar_feeds.delete')}
                </Button>
              </Group>
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
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const [name, setName] = useState(workspace)
  const [account_ids, setAccounts] = useState<string[]>([])
  const [labels, setLabels] = useState<string[]>([])
  const [shows_unapproved, setShowsUnapproved] = useState(true)
  const [shows_text, setShowsText] = useState(true)
  const create = useMutation({
    mutationFn: () => {
      const body = { name, account_ids, labels, shows_unapproved, shows_text }
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
        <MultiSelect
          label={t('calendar_feeds.accounts')}
          description={t('calendar_feeds.accounts_about')}
          data={accounts.map(({ id, name, handle }) => ({ value: id, label: `${name} (${handle})` }))}
          value={account_ids}
          onChange={setAccounts}
          maxValues={50}
        />
        <TagsInput
          label={t('calendar_feeds.labels')}
          description={t('calendar_feeds.labels_about')}
          value={labels}
          onChange={setLabels}
          maxTags={20}
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
