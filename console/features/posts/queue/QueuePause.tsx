import { Alert, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { useFormat } from '../../../ui/text/format'
import { reloadAccounts } from '../../accounts/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'

type Props = { account: string }

/** The button that was pressed is gone afterwards: `at` keeps the focus near its place. */
function useQueuePause(account: string) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { gone, at } = useFocusAfterRemoval<HTMLButtonElement>()
  const change = useMutation({
    mutationFn: (action: 'pause' | 'resume') => {
      const call = { params: { path: { id: account } } }
      const api = workspaceApi(slug)
      return unwrap(
        action === 'pause'
          ? api.POST('/api/v1/accounts/{id}/queue/pause', call)
          : api.POST('/api/v1/accounts/{id}/queue/resume', call),
      )
    },
    onSuccess: ({ paused_at, waiting }) => {
      gone.current = true
      notifications.show({
        message: paused_at ? t('queue.now_paused', { count: waiting }) : t('queue.now_resumed'),
      })
    },
    onError: useErrorNotification(),
    onSettled: () => reloadAccounts(slug),
  })
  return { change, at }
}

/** Pauses a queue that is not paused. */
export function PauseQueueButton({ account }: Props) {
  const { t } = useTranslation()
  const { change, at } = useQueuePause(account)
  if (!isAtLeast(useWorkspace(), 'editor')) return null
  return (
    <Button
      ref={at}
      variant="default"
      leftSection={<Pause size={17} />}
      loading={change.isPending}
      onClick={() => change.mutate('pause')}
    >
      {t('queue.pause')}
    </Button>
  )
}

/** Says that a queue is paused and how many posts wait, and resumes it. */
export function QueuePausedAlert({ account, paused_at, waiting }: Props & { paused_at: string; waiting: number }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const { change, at } = useQueuePause(account)
  return (
    <Alert color="yellow" icon={<Pause size={20} />} mb="lg" title={t('queue.paused', { count: waiting })}>
      <Text>{t('queue.paused_about', { time: format.dateTime(paused_at) })}</Text>
      {isAtLeast(workspace, 'editor') && (
        <Group mt="sm">
          <Button
            ref={at}
            leftSection={<Play size={17} />}
            loading={change.isPending}
            onClick={() => change.mutate('resume')}
          >
            {t('queue.resume')}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
