import { Alert, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFormat } from '../../../ui/text/format'
import { reloadAccounts } from '../../accounts/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import type { Queue } from './queries'

type Props = { account: string; queue: Queue }

function useQueuePause(account: string) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (action: 'pause' | 'resume') => {
      const call = { params: { path: { id: account } } }
      const api = workspaceApi(slug)
      return unwrap(
        action === 'pause'
          ? api.POST('/api/v1/accounts/{id}/queue/pause', call)
          : api.POST('/api/v1/accounts/{id}/queue/resume', call),
      )
    },
    onSuccess: ({ paused_at, waiting }) =>
      notifications.show({
        message: paused_at ? t('queue.now_paused', { count: waiting }) : t('queue.now_resumed'),
      }),
    onError: useErrorNotification(),
    onSettled: () => reloadAccounts(slug),
  })
}

/** Pauses a queue that is not paused. */
export function PauseQueueButton({ account, queue }: Props) {
  const { t } = useTranslation()
  const pause = useQueuePause(account)
  if (!isAtLeast(useWorkspace(), 'editor') || queue.paused_at) return null
  return (
    <Button
      variant="default"
      leftSection={<Pause size={17} />}
      loading={pause.isPending}
      onClick={() => pause.mutate('pause')}
    >
      {t('queue.pause')}
    </Button>
  )
}

/** Says that a queue is paused and how many posts wait, and resumes it. */
export function QueuePausedAlert({ account, queue: { paused_at, waiting } }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const resume = useQueuePause(account)
  if (!paused_at) return null
  return (
    <Alert color="yellow" icon={<Pause size={20} />} mb="lg" title={t('queue.paused', { count: waiting })}>
      <Text>{t('queue.paused_about', { time: format.dateTime(paused_at) })}</Text>
      {isAtLeast(workspace, 'editor') && (
        <Group mt="sm">
          <Button leftSection={<Play size={17} />} loading={resume.isPending} onClick={() => resume.mutate('resume')}>
            {t('queue.resume')}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
