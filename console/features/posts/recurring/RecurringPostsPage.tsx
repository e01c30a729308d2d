import { Alert, Button, Card, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleStop, Pause, Pencil, Play, Plus, Repeat, Trash2, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { StatusBadge } from '../../../ui/feedback/StatusBadge'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { WithGuide } from '../../../ui/navigation/WithGuide'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { usePermissions } from '../PostActions'
import { NextOccurrences, Skipped } from './occurrences'
import { invalidateRecurring, type RecurringPost, recurringPostsQuery } from './queries'
import { Repetition } from './Repetition'
import classes from './recurring.module.css'

const styles = {
  active: { color: 'success', icon: CircleCheck },
  paused: { color: 'gray', icon: Pause },
  ended: { color: 'gray', icon: CircleStop },
}

/** The recurring posts of the workspace, with their next times. */
export function RecurringPostsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('recurring.title'))
  const workspace = useWorkspace()
  const recurring = useQuery(recurringPostsQuery(workspace.slug))
  const create = isAtLeast(workspace, 'author') && (
    <ButtonLink
      to="/w/$workspace/recurring-posts/new"
      params={{ workspace: workspace.slug }}
      leftSection={<Plus size={17} />}
    >
      {t('recurring.new')}
    </ButtonLink>
  )
  return (
    <>
      <BackLink to="/w/$workspace/posts" params={{ workspace: workspace.slug }}>
        {t('post.back')}
      </BackLink>
      <PageHeader
        title={t('recurring.title')}
        about={<WithGuide name="recurring-posts">{t('recurring.about')}</WithGuide>}
      >
        {recurring.data && recurring.data.length > 0 && create}
      </PageHeader>
      {recurring.error && <ProblemAlert error={recurring.error} onRetry={() => recurring.refetch()} />}
      {recurring.isPending && <LoadingSkeleton lines={3} height={120} />}
      {recurring.data?.length === 0 && (
        <Card padding={0}>
          <EmptyState icon={<Repeat size={26} />} title={t('recurring.none')} action={create}>
            {t('recurring.none_detail')}
          </EmptyState>
        </Card>
      )}
      {recurring.data && recurring.data.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list} aria-label={t('recurring.title')}>
            {recurring.data.map((one) => (
              <RecurringRow key={one.id} recurring={one} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

function RecurringRow({ recurring }: { recurring: RecurringPost }) {
  const { t } = useTranslation()
  const permissions = usePermissions()
  const { variants, status, waiting_reason, pause_reason, next_occurrences } = recurring
  const name = variants[0]?.content.trim().slice(0, 120) || t('posts.empty')
  const may = permissions({ ...recurring, status: 'draft' }).own
  return (
    <li className={classes.row} aria-label={name}>
      <div className={classes.head}>
        <Text component="h2" fw={650} fz="md" className={classes.name} dir="auto">
          {name}
        </Text>
        <StatusBadge {...styles[status]}>{t(`recurring.status.${status}`)}</StatusBadge>
      </div>
      <Text fz="sm" c="dimmed">
        <Repetition recurring={recurring} />
        {variants.length > 1 && ` · ${t('recurring.variants', { count: variants.length })}`}
      </Text>
      {waiting_reason && (
        <Alert color="yellow" icon={<TriangleAlert size={18} />} title={t('recurring.waiting')} mt="xs">
          {t(`recurring.reasons.${waiting_reason}`)}
        </Alert>
      )}
      {pause_reason === 'author_gone' && (
        <Alert color="yellow" icon={<TriangleAlert size={18} />} mt="xs">
          {t('recurring.author_gone')}
        </Alert>
      )}
      {next_occurrences.length > 0 && <NextOccurrences recurring={recurring} mayChange={may} />}
      <Skipped recurring={recurring} mayUndo={may} />
      {may && <RecurringActions recurring={recurring} name={name} />}
    </li>
  )
}

/** The latest occurrences without a post, loaded when they are opened. */
function RecurringActions({ recurring: { id, status }, name }: { recurring: RecurringPost; name: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const onError = useErrorNotification()
  const [opened, { open, close }] = useDisclosure(false)
  const params = { params: { path: { id } } }
  const isPaused = status === 'paused'
  const pause = useMutation({
    mutationFn: () =>
      isPaused
        ? unwrap(workspaceApi(slug).POST('/api/v1/recurring-posts/{id}/resume', params))
        : unwrap(workspaceApi(slug).POST('/api/v1/recurring-posts/{id}/pause', params)),
    onSuccess: () => notifications.show({ message: t(isPaused ? 'recurring.resumed' : 'recurring.paused') }),
    onError,
    onSettled: () => invalidateRecurring(slug),
  })
  const remove = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).DELETE('/api/v1/recurring-posts/{id}', params)),
    onSuccess: () => {
      close()
      return invalidateRecurring(slug)
    },
  })
  return (
    <Group gap="xs" mt="xs">
      {status !== 'ended' && (
        <Button
          variant="default"
          size="xs"
          leftSection={isPaused ? <Play size={15} /> : <Pause size={15} />}
          aria-label={t(isPaused ? 'recurring.resume_of' : 'recurring.pause_of', { name })}
          loading={pause.isPending}
          onClick={() => pause.mutate()}
        >
          {t(isPaused ? 'recurring.resume' : 'recurring.pause')}
        </Button>
      )}
      <ButtonLink
        to="/w/$workspace/recurring-posts/$recurring/edit"
        params={{ workspace: slug, recurring: id }}
        variant="default"
        size="xs"
        leftSection={<Pencil size={15} />}
        aria-label={t('recurring.edit_of', { name })}
      >
        {t('posts.edit')}
      </ButtonLink>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<Trash2 size={15} />}
        aria-label={t('recurring.delete_of', { name })}
        onClick={open}
      >
        {t('ui.delete')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={t('recurring.delete_ask')}
        confirm={t('ui.delete')}
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        {t('recurring.delete_detail')}
      </ConfirmDialog>
    </Group>
  )
}
