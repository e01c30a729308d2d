import { Button, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { HeartPulse } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { reloadAccounts } from '../queries'
import { accountCheckQuery } from './queries'

/** Starts to check all accounts. */
export function CheckAllButton() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const query = accountCheckQuery(slug)
  const isRunning = useQuery(query).data?.status === 'running'
  const start = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).POST('/api/v1/accounts/check')),
    onSuccess: (check) => queryClient.setQueryData(query.queryKey, check),
    onError: useErrorNotification(),
  })
  return (
    <Button
      leftSection={<HeartPulse size={17} aria-hidden="true" />}
      loading={start.isPending || isRunning}
      onClick={() => start.mutate()}
    >
      {t('accounts.health.check_all')}
    </Button>
  )
}

/** The progress of the check of all accounts, or what the last one found. */
export function CheckProgress() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const check = useQuery(accountCheckQuery(slug)).data
  const checked = check?.status === 'running' ? check.checked : undefined
  const isFollowed = useRef(false)
  useEffect(() => {
    // Shows what each step found, and the end.
    if (isFollowed.current) void reloadAccounts(slug)
    isFollowed.current = checked !== undefined
  }, [checked, slug])
  if (!check || check.status === 'none' || check.total === 0) return null
  const { total, disconnected, unreachable, completed_at } = check
  return (
    <Stack gap={6} mb="md">
      {checked !== undefined && (
        <Progress value={(checked / total) * 100} size="sm" aria-label={t('accounts.health.check_all')} />
      )}
      <Text fz="sm" c="dimmed" role="status">
        {checked === undefined
          ? t('accounts.health.checked', { count: total, ago: completed_at ? format.ago(completed_at) : '' })
          : t('accounts.health.checking', { checked: format.number(checked), count: total })}{' '}
        {disconnected > 0 && t('accounts.health.found_disconnected', { count: disconnected })}{' '}
        {unreachable > 0 && t('accounts.health.found_unreachable', { count: unreachable })}
      </Text>
    </Stack>
  )
}
