import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../api'
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog'
import { useFocusAfterRemoval } from '../../ui/focus/useFocusAfterRemoval'
import { useFormat } from '../../ui/text/format'
import { useWorkspace } from '../workspaces/queries'
import { type ApiToken, tokensQuery } from './queries'

export function RevokeToken({ token, opened, onClose }: { token: ApiToken; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const { gone, at } = useFocusAfterRemoval<HTMLSpanElement>()
  const { id, name, last_used_at } = token
  const revoke = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).DELETE('/api/v1/api-tokens/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      gone.current = true
      onClose()
      notifications.show({ message: t('tokens.revoked_done', { name }) })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: tokensQuery(slug).queryKey }),
  })
  return (
    <>
      <span ref={at} hidden />
      <ConfirmDialog
        opened={opened}
        onClose={onClose}
        title={t('tokens.revoke_ask', { name })}
        confirm={t('tokens.revoke')}
        mutation={revoke}
        onConfirm={() => revoke.mutate()}
      >
        <Text mb="xs">{t('tokens.revoke_detail')}</Text>
        <Text c="dimmed">
          {last_used_at ? t('tokens.used', { ago: format.ago(last_used_at) }) : t('tokens.never_used')}
        </Text>
      </ConfirmDialog>
    </>
  )
}
