import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../api'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { useWorkspace } from '../workspaces/queries'
import { reloadAccounts } from './queries'

/** Asks the network of an account whether it still accepts the credentials. */
export function useCheckAccount({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).POST('/api/v1/accounts/{id}/check', { params: { path: { id } } })),
    onSuccess: ({ status }) =>
      notifications.show({
        message: status === 'connected' ? t('accounts.healthy', { name }) : t('accounts.lost'),
        color: status === 'connected' ? 'success' : 'coral',
      }),
    onError: useErrorNotification(),
    onSettled: () => reloadAccounts(slug),
  })
}
