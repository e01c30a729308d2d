import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorNotification } from '../../../../ui/feedback/useErrorNotification'

type Props = { title: string; send: () => Promise<unknown>; onDone: () => unknown }

/** Shows again what was taken down. */
export function RestoreButton({ title, send, onDone }: Props) {
  const { t } = useTranslation()
  const restore = useMutation({
    mutationFn: send,
    onSuccess: () => notifications.show({ message: t('admin.marketplace.restored', { title }) }),
    onSettled: onDone,
    onError: useErrorNotification(),
  })
  return (
    <Button
      variant="default"
      onClick={() => restore.mutate()}
      loading={restore.isPending}
      aria-label={t('admin.marketplace.restore_one', { title })}
    >
      {t('admin.marketplace.restore')}
    </Button>
  )
}
