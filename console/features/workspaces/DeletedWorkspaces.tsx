import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ArchiveRestore } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, queryClient, unwrap } from '../../api'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useFormat } from '../../ui/text/format'
import { deletedWorkspacesQuery, workspacesQuery } from './queries'
import { useSwitchWorkspace } from './WorkspaceSwitcher'

/** The user's deleted workspaces, as long as they can be restored. */
export function DeletedWorkspaces() {
  const { t } = useTranslation()
  const format = useFormat()
  const deleted = useQuery(deletedWorkspacesQuery)
  const switchTo = useSwitchWorkspace()
  const restore = useMutation({
    mutationFn: (id: string) => unwrap(api.POST('/api/v1/workspaces/{id}/restore', { params: { path: { id } } })),
    onSuccess: async (workspace) => {
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey })
      switchTo(workspace)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: deletedWorkspacesQuery.queryKey }),
  })
  if (deleted.error) return <ProblemAlert error={deleted.error} onRetry={() => deleted.refetch()} />
  if (!deleted.data?.length) return null
  return (
    <section aria-labelledby="deleted">
      <Title order={2} size="h3" id="deleted" mb="sm">
        {t('settings.deleted_title')}
      </Title>
      {restore.error && <ProblemAlert error={restore.error} />}
      <Card py="xs">
        <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {deleted.data.map(({ id, name, deleted_at, restorable_until }) => (
            <Group key={id} component="li" justify="space-between" py="sm" wrap="nowrap">
              <div style={{ minWidth: 0 }}>
                <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
                <Text c="dimmed" fz="sm">
                  {t('settings.deleted_when', { ago: format.ago(deleted_at), date: format.date(restorable_until) })}
                </Text>
              </div>
              <Button
                variant="default"
                flex="none"
                leftSection={<ArchiveRestore size={16} />}
                loading={restore.isPending && restore.variables === id}
                onClick={() => restore.mutate(id)}
                aria-label={t('settings.restore_named', { name })}
              >
                {t('settings.restore')}
              </Button>
            </Group>
          ))}
        </Stack>
      </Card>
    </section>
  )
}
