import { ActionIcon, Avatar, Badge, Group, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { LogOut, MoreHorizontal, ShieldCheck, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
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
  const me = useMe()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const tell = useErrorNotification()
  const { gone, at } = useFocusAfterRemoval<HTMLLIElement>()
  const goElsewhere = useOpenNextWorkspace()
  const [asking, setAsking] = useState(false)
  const [lowering, setLowering] = useState<Role>()
  const { id, name, email, role, two_factor_enabled, created_at } = member
  const own = id === me.id
  const changeable = canChangeMember(workspace, member)
  const path = { params: { path: { id } } }
  const reload = () => queryClient.invalidateQueries({ queryKey: membersQuery(workspace.slug).queryKey })

  const change = useMutation({
    mutationFn: (wanted: Role) =>
      unwrap(workspaceApi(workspace.slug).PATCH('/api/v1/workspace/members/{id}', { ...path, body: { role: wanted } })),
    onSuccess: async (changed) => {
      setLowering(undefined)
      notifications.show({ message: t('members.changed', { name, role: t(`roles.${changed.role}.name`) }) })
      if (own) await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    },
    onError: (error) => (own ? undefined : tell(error)),
    onSettled: reload,
  })
  const remove = useMutation({
    mutationFn: () => unwrap(workspaceApi(workspace.slug).DELETE('/api/v1/workspace/members/{id}', path)),
    onSuccess: async () => {
      setAsking(false)
      notifications.show({
        message: own ? t('members.left', { workspace: workspace.name }) : t('members.removed', { name }),
      })
      if (own) return goElsewhere(workspace)
      gone.current = true
      await reload()
    },
  })
  // Users cannot undo lowering their own role, so it needs confirmation.
  const choose = (wanted: Role) => (own ? setLowering(wanted) : change.mutate(wanted))
  const shown = change.isPending ? change.variables : role
  return (
    <li ref={at} className={classes.person} aria-label={name}>
      <Avatar size={40} name={name} aria-hidden="true" />
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
          {email} ·{' '}
          <span style={{ whiteSpace: 'nowrap' }}>{t('members.since', { date: format.date(created_at) })}</span>
        </Text>
      </div>
      <div className={classes.role}>
        {changeable ? (
          <RoleSelect
            aria-label={t('members.role_of', { name })}
            size="sm"
            allowed={assignableRoles(workspace.role)}
            value={shown}
            onChange={choose}
            disabled={change.isPending}
          />
        ) : (
          <Text fz="sm" className={classes.fixed}>
            {t(`roles.${role}.name`)}
          </Text>
        )}
      </div>
      {(changeable || own) && (
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
