import { Alert, Badge, Button, Card, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, Send, Trash2, TriangleAlert, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, queryClient, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { inEnglish } from '../../i18n'
import { CopyText } from '../../ui/CopyText'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { Empty, PageHead, Problem } from '../../ui/screens'
import { useGone } from '../../ui/useGone'
import { useOnce } from '../../ui/useOnce'
import { useSubmit } from '../../ui/useSubmit'
import { useTell } from '../../ui/useTell'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { checklistQuery, isAtLeast, useWorkspace } from '../workspaces/queries'
import { eventTypesQuery, webhooksQuery } from './queries'

type Webhook = components['schemas']['Webhook']

export function WebhooksPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.webhooks'))
  const workspace = useWorkspace()
  const mayChange = isAtLeast(workspace, 'admin')
  const webhooks = useQuery({ ...webhooksQuery(workspace.slug), refetchInterval: 10_000 })
  const [adding, form] = useDisclosure(false)
  const add = mayChange && (
    <Button leftSection={<Plus size={17} />} onClick={form.open}>
      {t('webhooks.add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('rooms.webhooks')} about={t('webhooks.about')}>
        {webhooks.data && webhooks.data.length > 0 && add}
      </PageHead>
      {webhooks.error && <Problem error={webhooks.error} onRetry={() => webhooks.refetch()} />}
      {webhooks.isPending && <Waiting lines={2} height={110} />}
      {webhooks.data?.length === 0 && (
        <Card padding={0}>
          <Empty icon={<WebhookIcon size={26} />} title={t('webhooks.none')} action={add}>
            {mayChange ? t('webhooks.none_detail') : t('webhooks.none_viewer')}
          </Empty>
        </Card>
      )}
      <Stack>
        {webhooks.data?.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} mayChange={mayChange} />
        ))}
      </Stack>
      <AddWebhook opened={adding} onClose={form.close} />
    </>
  )
}

function WebhookCard({ webhook, mayChange }: { webhook: Webhook; mayChange: boolean }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const [asking, ask] = useDisclosure(false)
  const { gone, at } = useGone<HTMLDivElement>()
  const path = { params: { path: { id: webhook.id } } }
  const reload = () => queryClient.invalidateQueries({ queryKey: webhooksQuery(workspace.slug).queryKey })
  const test = useMutation({
    mutationFn: () => answered(workspaceApi(workspace.slug).POST('/api/v1/webhooks/{id}/test', path)),
    onSuccess: ({ ok, status, duration_ms, error }) =>
      notifications.show({
        color: ok ? 'iznik' : 'coral',
        message: ok ? (
          t('webhooks.test_ok', { status, ms: duration_ms })
        ) : (
          <>
            {t('webhooks.test_failed')} <span lang={inEnglish()}>{error ?? `HTTP ${status}`}</span>
          </>
        ),
      }),
    onError: useTell(),
    onSettled: reload,
  })
  const remove = useMutation({
    mutationFn: () => answered(workspaceApi(workspace.slug).DELETE('/api/v1/webhooks/{id}', path)),
    onSuccess: () => {
      gone.current = true
    },
    onSettled: reload,
  })
  const { url, events, active, failure_count, last_dispatched_at, last_failure_at } = webhook
  // A failed test is not counted, and a webhook that never succeeded is not fine.
  const tried = last_dispatched_at !== null && test.data?.ok !== false
  const failed = failure_count > 0 || last_failure_at !== null
  return (
    <Card ref={at} component="article" aria-label={url}>
      <Group justify="space-between" align="flex-start">
        {/* Where there is no room for both, the buttons go below. */}
        <div style={{ minWidth: 'min(100%, 16rem)', flex: 1 }}>
          <Text fw={600} className="text">
            {url}
          </Text>
          <Text c="dimmed" fz="sm" mt={2}>
            {events.includes('*') ? t('webhooks.all_events') : events.join(', ')}
          </Text>
        </div>
        {mayChange && (
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<Send size={16} />}
              loading={test.isPending}
              onClick={() => test.mutate()}
            >
              {t('webhooks.test')}
            </Button>
            <Button
              variant="default"
              leftSection={<Trash2 size={16} />}
              onClick={ask.open}
              aria-label={t('webhooks.delete_one', { url })}
            >
              {t('ui.delete')}
            </Button>
          </Group>
        )}
      </Group>
      <Group mt="sm" gap="xs">
        <Badge variant="light" color={!active || failure_count > 0 ? 'coral' : tried ? 'iznik' : 'gray'}>
          {!active
            ? t('webhooks.disabled')
            : failure_count > 0
              ? t('webhooks.failing', { count: failure_count })
              : tried
                ? t('webhooks.fine')
                : t('webhooks.untested')}
        </Badge>
        <Text c="dimmed" fz="sm">
          {last_dispatched_at
            ? t('webhooks.last_success', { time: format.dateTime(last_dispatched_at) })
            : t(failed ? 'webhooks.never_delivered' : 'webhooks.never')}
          {last_failure_at && ` ${t('webhooks.last_failure', { time: format.dateTime(last_failure_at) })}`}
        </Text>
      </Group>
      <Dialog opened={asking} onClose={ask.close} title={t('webhooks.delete_ask')}>
        <Text mb="md">{t('webhooks.delete_detail', { url })}</Text>
        {remove.error && <Problem error={remove.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={ask.close}>
            {t('ui.cancel')}
          </Button>
          <Button color="coral" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('ui.delete')}
          </Button>
        </Group>
      </Dialog>
    </Card>
  )
}

/** The form that had the focus has gone. */
const focusButton = (shown: HTMLElement | null) => {
  shown?.querySelector('button')?.focus()
}

/** First the address and events, then the secret. It is never shown again, so nothing but its button closes it. */
function AddWebhook({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  /** null: the answer that had it got lost, and the one that repeats it does not hold it. */
  const [secret, setSecret] = useState<string | null>()
  const shown = secret !== undefined
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setSecret(undefined)}
      title={shown ? t('webhooks.secret') : t('webhooks.add')}
      withCloseButton={!shown}
      closeOnEscape={!shown}
      closeOnClickOutside={!shown}
    >
      {secret === null ? (
        <Stack ref={focusButton}>
          <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('webhooks.lost')}>
            {t('webhooks.lost_detail')}
          </Alert>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('ui.close')}</Button>
          </Group>
        </Stack>
      ) : shown ? (
        <Stack ref={focusButton}>
          <Text>{t('webhooks.secret_detail')}</Text>
          <CopyText text={secret}>
            <Button onClick={onClose}>{t('webhooks.secret_kept')}</Button>
          </CopyText>
        </Stack>
      ) : (
        <NewWebhook onMade={setSecret} />
      )}
    </Dialog>
  )
}

function NewWebhook({ onMade }: { onMade: (secret: string | null) => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const types = useQuery(eventTypesQuery(slug)).data ?? []
  const form = useForm({ initialValues: { url: '', events: ['*'] } })
  const once = useOnce()
  const create = useSubmit(form, {
    mutationFn: (body) =>
      once(body, (headers) => answered(workspaceApi(slug).POST('/api/v1/webhooks', { body, headers }))),
    onSuccess: ({ secret }) => {
      onMade(secret)
      void queryClient.invalidateQueries({ queryKey: webhooksQuery(slug).queryKey })
      void queryClient.invalidateQueries({ queryKey: checklistQuery(slug).queryKey })
    },
  })
  return (
    <form onSubmit={create.onSubmit} noValidate>
      <Stack>
        {create.problem && <Problem error={create.problem} />}
        <TextInput
          label={t('webhooks.url')}
          description={t('webhooks.url_about')}
          placeholder="https://example.com/meydan"
          inputMode="url"
          required
          data-autofocus
          {...form.getInputProps('url')}
        />
        <MultiSelect
          label={t('webhooks.events')}
          required
          data={[
            { value: '*', label: t('webhooks.all_events') },
            ...types.map(({ type }) => ({ value: type, label: type })),
          ]}
          searchable
          {...form.getInputProps('events')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {t('webhooks.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
