import { Avatar, Button, Menu, Text } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { answered, api, queryClient, type Workspace } from '../../api'
import { currentLocale } from '../../ui/format'
import { useTell } from '../../ui/useTell'
import { meQuery } from '../auth/queries'
import { isAtLeast, useCurrentWorkspace, workspacesQuery } from './queries'

/** Goes to a workspace, which is then the one that signing in leads to. */
export function useSwitchWorkspace() {
  const navigate = useNavigate()
  const remember = useMutation({
    mutationFn: (workspace_id: string) => answered(api.PATCH('/api/v1/me', { body: { workspace_id } })),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
    onError: useTell(),
  })
  return ({ id, slug }: Workspace) => {
    remember.mutate(id)
    void navigate({ to: '/w/$workspace', params: { workspace: slug } })
  }
}

const Sign = ({ name }: { name: string }) => (
  <Avatar size={28} radius="md" color="iznik" variant="filled" aria-hidden="true">
    {[...name.trim()][0]?.toLocaleUpperCase(currentLocale())}
  </Avatar>
)

export function WorkspaceSwitcher() {
  const { t } = useTranslation()
  const workspaces = useSuspenseQuery(workspacesQuery).data
  const current = useCurrentWorkspace()
  const switchTo = useSwitchWorkspace()
  return (
    <Menu width="target" position="bottom-start" shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          px={6}
          h={44}
          flex={1}
          miw={0}
          justify="flex-start"
          leftSection={<Sign name={current?.name ?? 'M'} />}
          rightSection={<ChevronsUpDown size={16} />}
          styles={{ label: { flex: 1 } }}
        >
          <Text fw={650} truncate>
            {current?.name ?? t('workspace.none')}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('workspace.yours')}</Menu.Label>
        {workspaces.map((workspace) => (
          <Menu.Item
            key={workspace.id}
            leftSection={<Sign name={workspace.name} />}
            rightSection={workspace.id === current?.id && <Check size={16} aria-label={t('workspace.current')} />}
            onClick={() => switchTo(workspace)}
          >
            {workspace.name}
            {!isAtLeast(workspace, 'editor') && (
              <Text c="dimmed" fz="xs">
                {t(`workspace.role.${workspace.role as 'author' | 'viewer'}`)}
              </Text>
            )}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Plus size={18} />} renderRoot={(props) => <Link to="/new-workspace" {...props} />}>
          {t('workspace.new')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
