import { Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Account, unwrap, workspaceApi } from '../../api'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { reloadAccounts } from './queries'

/** Pauses or resumes an account. */
export function usePauseAccount({ id, name }: Pick<Account, 'id' | 'name'>) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (paused: boolean) =>
      unwrap(workspaceApi(slug).PATCH('/api/v1/accounts/{id}', { params: { path: { id } }, body: { paused } })),
    onSuccess: ({ paused }) =>
      notifications.show({ message: t(paused ? 'accounts.now_paused' : 'accounts.now_resumed', { name }) }),
    onError: useErrorNotification(),
    onSettled: () => reloadAccounts(slug),
  })
}

/** The cause of a pause, and how it ends. */
export function PausedNotice({ account }: { account: Account }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const pause = usePauseAccount(account)
  const isByPlan = account.paused_by === 'plan'
  return (
    <Stack gap="xs" mt="sm" align="flex-start">
      <Text fz="sm">{t(isByPlan ? 'accounts.paused_by_plan' : 'accounts.paused_by_member')}</Text>
      {isByPlan
        ? isAtLeast(workspace, 'admin') && (
            <ButtonLink size="compact-md" to="/w/$workspace/billing/plans" params={{ workspace: workspace.slug }}>
              {t('accounts.larger_plan')}
            </ButtonLink>
          )
        : isAtLeast(workspace, 'editor') && (
            <Button size="compact-md" loading={pause.isPending} onClick={() => pause.mutate(false)}>
              {t('accounts.resume')}
            </Button>
          )}
    </Stack>
  )
}
