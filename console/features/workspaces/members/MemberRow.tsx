import { ActionIcon, Avatar, Badge, Group, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { LogOut, MoreHorizontal, ShieldCheck, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, type Workspace, workspaceApi } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { useWorkspace, workspacesQuery } from '../queries'
import { useOpenNextWorkspace } from '../useOpenNextWorkspace'
import classes from './Members.module.css'
import { assignableRoles, canChangeMember, membersQuery, type Role, type WorkspaceMember } from './member-queries'
import { RoleSelect } from './RoleSelect'

export function MemberRow({ member }: { member: WorkspaceMember }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { gone, at } = useFocusAfterRemoval<HTMLLIElement>()
  const [lowering, setLowering] = useState<Role>()
  const { id, name, role } = member
  const own = id === useMe().id
  const changeable = canChangeMember(workspace, member)
  const change = useChangeRole(member, () => setLowering(undefined))
  return (
    <li ref={at} className={classes.person} aria-label={name}>
      <Avatar size={40} name={name} aria-hidden="true" />
      <MemberSummary member={member} />
      <div className={classes.role}>
        {changeable ? (
          <RoleSelect
            aria-label={t('members.role_of', { name })}
            size="sm"
            allowed={assignableRoles(workspace.role)}
            value={change.isPending ? change.variables : role}
            // Users cannot undo lowering their own role, so it needs confirmation.
            onChange={(wanted) => (own ? setLowering(wanted) : change.mutate(wanted))}
            disabled={change.isPending}
          />
        ) : (
          <Text fz="sm" className={classes.fixed}>
            {t(`roles.${role}.name`)}
          </Text>
        )}
      </div>
      <RemoveMember
        member={member}
        isOffered={changeable || own}
        onRemoved={() => {
          gone.current = true
        }}
      />
      <ConfirmDialog
        opened={lowering !== undefined}
        onClose={() => setLowering(undefined)}
        title={t('members.own_role_ask')}
        confirm={t('members.own_role_do')}
        mutation={change}
        onConfirm={() => lowering && change.mutate(lowering)}
      >
        {lowering && t('members.own_role_detail', { role: t(`roles.${lowering}.name`) })}
      </ConfirmDialog>
    </li>
  )
}

const reloadMembers = (workspace: Workspace) =>
  queryClient.invalidateQueries({ queryKey: membersQuery(workspace.slug).queryKey })

function useChangeRole({ id, name }: WorkspaceMember, onChanged: () => void) {
  const { t } = useTranslation()
  const own = id === useMe().id
  const workspace = useWorkspace()
  const tell = useErrorNotification()
  return useMutation({
    mutationFn: (role: Role) =>
      unwrap(
        workspaceApi(workspace.slug).PATCH('/api/v1/workspace/members/{id}', {
          params: { path: { id } },
          body: { role },
        }),
      ),
    onSuccess: async ({ role }) => {
      onChanged()
      notifications.show({ message: t('members.changed', { name, role: t(`roles.${role}.name`) }) })
      if (own) await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    },
    // The dialog shows the error of a change of one's own role.
    onError: (error) => (own ? undefined : tell(error)),
    onSettled: () => reloadMembers(workspace),
  })
}

function MemberSummary({ member: { id, name, email, two_factor_enabled, created_at } }: { member: WorkspaceMember }) {
  const { t } = useTranslation()
  const own = id === useMe().id
  const format = useFormat(useWorkspace().timezone)
  return (
    <div>
      <Group gap="xs">
        <Text fw={650} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {own && <Badge variant="light">{t('members.you')}</Badge>}
        {two_factor_enabled && (
          <Badge variant="light" color="gray" leftSection={<ShieldCheck size={13} aria-hidden="true" />}>
            {t('members.two_factor')}
          </Badge>
        )}
      </Group>
      <Text c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {email} · <span style={{ whiteSpace: 'nowrap' }}>{t('members.since', { date: format.date(created_at) })}</span>
      </Text>
    </div>
  )
}

type RemoveMemberProps = {
  member: WorkspaceMember
  isOffered: boolean
  /** Called before another member leaves the list. */
  onRemoved: () => void
}

/** The menu of a member, with the dialog that asks before they are removed or leave. */
function RemoveMember({ member: { id, name }, isOffered, onRemoved }: RemoveMemberProps) {
  const { t } = useTranslation()
  const own = id === useMe().id
  const workspace = useWorkspace()
  const openNextWorkspace = useOpenNextWorkspace()
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () =>
      unwrap(workspaceApi(workspace.slug).DELETE('/api/v1/workspace/members/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      setAsking(false)
      notifications.show({
        message: own ? t('members.left', { workspace: workspace.name }) : t('members.removed', { name }),
      })
      if (own) return openNextWorkspace(workspace)
      onRemoved()
      await reloadMembers(workspace)
    },
  })
  return (
    <>
      {isOffered && (
        <Menu position="bottom-end" width={230}>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              className={classes.action}
              aria-label={t('members.more', { name })}
            >
              <MoreHorizontal size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={own ? <LogOut size={16} /> : <UserMinus size={16} />}
              onClick={() => setAsking(true)}
            >
              {own ? t('members.leave') : t('members.remove')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={own ? t('members.leave_ask', { workspace: workspace.name }) : t('members.remove_ask', { name })}
        confirm={own ? t('members.leave') : t('members.remove')}
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        {own ? t('members.leave_detail') : t('members.remove_detail')}
      </ConfirmDialog>
    </>
  )
}
