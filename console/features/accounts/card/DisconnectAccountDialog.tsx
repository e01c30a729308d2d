import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Account, unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useWorkspace } from '../../workspaces/queries'
import { reloadAccounts, scheduledCountQuery } from '../queries'

type Props = {
  account: Account
  opened: boolean
  onClose: () => void
  /** Called before the account leaves the list. */
  onDisconnected: () => void
}

/** Asks before an account is disconnected, with the number of posts that wait for it. */
export function DisconnectAccountDialog({ account: { id, name }, opened, onClose, onDisconnected }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const waiting = useQuery({ ...scheduledCountQuery(slug, id), enabled: opened }).data
  const disconnect = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).DELETE('/api/v1/accounts/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      onDisconnected()
      onClose()
      notifications.show({ message: t('accounts.gone', { name }) })
    },
    onSettled: () => reloadAccounts(slug),
  })
  return (
    <Dialog opened={opened} onClose={onClose} title={t('accounts.disconnect_ask', { name })}>
      <Text mb="md">{t('accounts.disconnect_detail')}</Text>
      <Text mb="md" fw={600} role="status">
        {waiting?.count ? t('accounts.waiting', waiting) : null}
      </Text>
      {disconnect.error && <ProblemAlert error={disconnect.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button color="coral" loading={disconnect.isPending} onClick={() => disconnect.mutate()}>
          {t('accounts.disconnect')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
