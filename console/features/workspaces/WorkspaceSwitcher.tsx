import { Box, Button, type ButtonProps, Combobox, Group, Menu, Stack, Text, useCombobox } from '@mantine/core'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArchiveRestore, Check, ChevronsUpDown, LayoutGrid, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, type Workspace } from '../../api'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { useShortcut } from '../../ui/focus/shortcuts'
import { Logo } from '../../ui/layout/Logo'
import { MenuItemLink } from '../../ui/navigation/MenuItemLink'
import { NavItemLink } from '../../ui/navigation/NavItemLink'
import { foldCase } from '../../ui/navigation/search-params'
import { changeMe, meQuery } from '../auth/queries'
import { deletedWorkspacesQuery, isAtLeast, useCurrentWorkspace, workspacesQuery } from './queries'
import { WorkspacePicture } from './WorkspacePicture'

/** Opens a workspace and remembers it as the one to open after signing in. */
export function useSwitchWorkspace() {
  const navigate = useNavigate()
  const remember = useMutation({
    mutationFn: (workspace_id: string) => changeMe({ workspace_id }),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
    onError: useErrorNotification(),
  })
  return ({ id, slug }: Workspace) => {
    remember.mutate(id)
    void navigate({ to: '/w/$workspace', params: { workspace: slug } })
  }
}

/** Single digits, so that they can be pressed. */
const MAX_SHORTCUTS = 9

/** Registers a digit for each of the first workspaces of the list. */
export function WorkspaceShortcuts() {
  const workspaces = useSuspenseQuery(workspacesQuery).data
  if (workspaces.length < 2) return null
  return workspaces
    .slice(0, MAX_SHORTCUTS)
    .map((workspace, index) => <WorkspaceShortcut key={workspace.id} workspace={workspace} digit={index + 1} />)
}

function WorkspaceShortcut({ workspace, digit }: { workspace: Workspace; digit: number }) {
  const { t } = useTranslation()
  const switchTo = useSwitchWorkspace()
  // Pages outside of workspaces name none.
  const isOpen = useParams({ strict: false }).workspace === workspace.slug
  useShortcut(
    String(digit),
    t('workspace.open', { name: workspace.name }),
    isOpen ? undefined : () => switchTo(workspace),
  )
  return null
}

/** Above this number, the list has a search field. */
const SEARCH_ABOVE = 7

export function WorkspaceSwitcher() {
  const workspaces = useSuspenseQuery(workspacesQuery).data
  return workspaces.length > SEARCH_ABOVE ? (
    <SearchedWorkspaces workspaces={workspaces} />
  ) : (
    <FewWorkspaces workspaces={workspaces} />
  )
}

const switcherButton = {
  variant: 'subtle',
  color: 'gray',
  c: 'var(--mantine-color-text)',
  px: 6,
  h: 44,
  flex: 1,
  miw: 0,
  justify: 'flex-start',
  rightSection: <ChevronsUpDown size={16} />,
  styles: { label: { flex: 1 } },
} as const satisfies ButtonProps

function CurrentName() {
  const { t } = useTranslation()
  return (
    <Text fw={650} truncate>
      {useCurrentWorkspace()?.name ?? t('workspace.none')}
    </Text>
  )
}

/** Names the user's role where it allows little. */
function LimitedRole({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation()
  if (isAtLeast(workspace, 'editor')) return null
  return (
    <Text c="dimmed" fz="xs">
      {t(`workspace.role.${workspace.role as 'author' | 'viewer'}`)}
    </Text>
  )
}

function FewWorkspaces({ workspaces }: { workspaces: Workspace[] }) {
  const { t } = useTranslation()
  const current = useCurrentWorkspace()
  const switchTo = useSwitchWorkspace()
  const [opened, setOpened] = useState(false)
  const anyDeleted = useAnyDeleted(opened)
  return (
    <Menu width="target" position="bottom-start" shadow="md" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button
          {...switcherButton}
          leftSection={current ? <WorkspacePicture workspace={current} /> : <Logo size={28} />}
        >
          <CurrentName />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('workspace.yours')}</Menu.Label>
        {workspaces.map((workspace) => (
          <Menu.Item
            key={workspace.id}
            leftSection={<WorkspacePicture workspace={workspace} />}
            rightSection={workspace.id === current?.id && <Check size={16} aria-label={t('workspace.current')} />}
            onClick={() => switchTo(workspace)}
          >
            {workspace.name}
            <LimitedRole workspace={workspace} />
          </Menu.Item>
        ))}
        <Menu.Divider />
        {workspaces.length > 1 && (
          <MenuItemLink to="/workspaces" leftSection={<LayoutGrid size={18} />}>
            {t('pages.all_workspaces')}
          </MenuItemLink>
        )}
        <MenuItemLink to="/new-workspace" leftSection={<Plus size={18} />}>
          {t('workspace.new')}
        </MenuItemLink>
        {anyDeleted && (
          <MenuItemLink to="/new-workspace" hash="deleted" leftSection={<ArchiveRestore size={18} />}>
            {t('workspace.restore')}
          </MenuItemLink>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Whether a deleted workspace can be restored. `enabled`: the list is open; until then nothing is requested. */
const useAnyDeleted = (enabled: boolean) => Boolean(useQuery({ ...deletedWorkspacesQuery, enabled }).data?.length)

/** A combobox, because a menu may not hold a search field. */
function SearchedWorkspaces({ workspaces }: { workspaces: Workspace[] }) {
  const { t } = useTranslation()
  const current = useCurrentWorkspace()
  const switchTo = useSwitchWorkspace()
  const [sought, setSought] = useState('')
  const list = useCombobox({
    onDropdownOpen: () => list.focusSearchInput(),
    onDropdownClose: () => {
      list.focusTarget()
      list.resetSelectedOption()
      setSought('')
    },
  })
  const anyDeleted = useAnyDeleted(list.dropdownOpened)
  const found = workspaces.filter(({ name, slug }) => foldCase(`${name} ${slug}`).includes(foldCase(sought.trim())))
  return (
    <Combobox
      store={list}
      shadow="md"
      position="bottom-start"
      onOptionSubmit={(id) => {
        const chosen = workspaces.find((workspace) => workspace.id === id)
        list.closeDropdown()
        if (chosen) switchTo(chosen)
      }}
    >
      <Combobox.Target targetType="button">
        <Button
          {...switcherButton}
          leftSection={current ? <WorkspacePicture workspace={current} /> : <Logo size={28} />}
          onClick={() => list.toggleDropdown()}
        >
          <CurrentName />
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={sought}
          onChange={({ currentTarget }) => {
            setSought(currentTarget.value)
            list.selectFirstOption()
          }}
          leftSection={<Search size={16} />}
          aria-label={t('workspace.search')}
          placeholder={t('workspace.search')}
        />
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label={t('workspace.yours')}>
          {found.map((workspace) => (
            <Combobox.Option key={workspace.id} value={workspace.id} active={workspace.id === current?.id}>
              <Group gap="sm" wrap="nowrap">
                <WorkspacePicture workspace={workspace} />
                <Box flex={1} miw={0}>
                  <Text fz="sm" truncate>
                    {workspace.name}
                  </Text>
                  <LimitedRole workspace={workspace} />
                </Box>
                {workspace.id === current?.id && <Check size={16} aria-label={t('workspace.current')} />}
              </Group>
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{t('ui.nothing_found')}</Combobox.Empty>}
        </Combobox.Options>
        <Combobox.Footer>
          <Stack gap={2}>
            <NavItemLink to="/workspaces" label={t('pages.all_workspaces')} leftSection={<LayoutGrid size={18} />} />
            <NavItemLink to="/new-workspace" label={t('workspace.new')} leftSection={<Plus size={18} />} />
            {anyDeleted && (
              <NavItemLink
                to="/new-workspace"
                hash="deleted"
                label={t('workspace.restore')}
                leftSection={<ArchiveRestore size={18} />}
              />
            )}
          </Stack>
        </Combobox.Footer>
      </Combobox.Dropdown>
    </Combobox>
  )
}
