import { ActionIcon, Button, Card, Group, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { PenLine, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, unwrap, workspaceApi } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { Dialog } from '../../../ui/dialog/Dialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { AccountAvatar } from '../AccountAvatar'
import classes from './AccountGroups.module.css'
import { GroupForm } from './GroupForm'
import { type AccountGroup, accountGroupsQuery, reloadAccountGroups } from './queries'

/** Faces that a group shows; the others are counted. */
const MAX_FACES = 8

/** The groups of the workspace, each with its accounts. Editors change them. */
export function AccountGroups({ accounts }: { accounts: Account[] }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const groups = useQuery(accountGroupsQuery(workspace.slug))
  const mayChange = isAtLeast(workspace, 'editor')
  const [changing, setChanging] = useState<{ group?: AccountGroup; opened: boolean }>({ opened: false })
  const [deleting, setDeleting] = useState<{ group?: AccountGroup; opened: boolean }>({ opened: false })
  const close = () => setChanging((before) => ({ ...before, opened: false }))
  const remove = useMutation({
    mutationFn: (id: string) =>
      unwrap(workspaceApi(workspace.slug).DELETE('/api/v1/account-groups/{id}', { params: { path: { id } } })),
    onSuccess: () => setDeleting((before) => ({ ...before, opened: false })),
    onSettled: () => reloadAccountGroups(workspace.slug),
  })
  if (!mayChange && !groups.data?.length) return null
  return (
    <section aria-labelledby="account-groups" className={classes.section}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id="account-groups">
          {t('account_groups.title')}
        </Title>
        {mayChange && (
          <Button
            variant="default"
            leftSection={<Plus size={17} />}
            disabled={!groups.data}
            onClick={() => setChanging({ opened: true })}
          >
            {t('account_groups.add')}
          </Button>
        )}
      </Group>
      {groups.error && <ProblemAlert error={groups.error} onRetry={() => groups.refetch()} />}
      {groups.isPending && <LoadingSkeleton lines={1} height={56} />}
      {groups.data?.length === 0 && <Text c="dimmed">{t('account_groups.none')}</Text>}
      {groups.data && groups.data.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list}>
            {groups.data.map((group) => (
              <li key={group.id} className={classes.row}>
                <div className={classes.name}>
                  <Text fw={600} dir="auto">
                    {group.name}
                  </Text>
                  <Text c="dimmed" fz="sm">
                    {t('account_groups.count', { count: group.account_ids.length })}
                  </Text>
                </div>
                <Faces group={group} accounts={accounts} />
                {mayChange && (
                  <Group gap={4} wrap="nowrap">
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size="lg"
                      aria-label={t('account_groups.edit', { name: group.name })}
                      onClick={() => setChanging({ group, opened: true })}
                    >
                      <PenLine size={17} />
                    </ActionIcon>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size="lg"
                      aria-label={t('account_groups.delete', { name: group.name })}
                      onClick={() => setDeleting({ group, opened: true })}
                    >
                      <Trash2 size={17} />
                    </ActionIcon>
                  </Group>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Dialog
        opened={changing.opened}
        onClose={close}
        title={changing.group ? t('account_groups.edit', { name: changing.group.name }) : t('account_groups.add')}
      >
        <GroupForm key={changing.group?.version} group={changing.group} accounts={accounts} onClose={close} />
      </Dialog>
      <ConfirmDialog
        opened={deleting.opened}
        onClose={() => setDeleting((before) => ({ ...before, opened: false }))}
        title={t('account_groups.delete_ask', { name: deleting.group?.name })}
        confirm={t('ui.delete')}
        mutation={remove}
        onConfirm={() => deleting.group && remove.mutate(deleting.group.id)}
      >
        {t('account_groups.delete_detail')}
      </ConfirmDialog>
    </section>
  )
}

function Faces({ group, accounts }: { group: AccountGroup; accounts: Account[] }) {
  const shown = group.account_ids.flatMap((id) => accounts.find((account) => account.id === id) ?? [])
  return (
    <div className={classes.faces} aria-hidden="true">
      {shown.slice(0, MAX_FACES).map(({ id, name, network }) => (
        <AccountAvatar key={id} id={id} name={name} network={network} size={28} />
      ))}
      {shown.length > MAX_FACES && <Text fz="sm">+{shown.length - MAX_FACES}</Text>}
    </div>
  )
}
