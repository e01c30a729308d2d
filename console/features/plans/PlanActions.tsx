import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { Archive, ArchiveRestore, ArrowDown, ArrowUp, Copy, MoreHorizontal, Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../api'
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog'
import { Dialog } from '../../ui/dialog/Dialog'
import { DialogActions } from '../../ui/dialog/DialogActions'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../ui/focus/useFocusAfterRemoval'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { MenuItemLink } from '../../ui/navigation/MenuItemLink'
import { invalidatePlans, type Plan } from './queries'

type PlanActionsProps = { plan: Plan; isDefault?: boolean; onUp?: () => void; onDown?: () => void }

/** The actions on a plan. Moving by one step is an alternative to dragging. */
export function PlanActions({ plan: { code, name, is_active }, isDefault, onUp, onDown }: PlanActionsProps) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const { gone, at } = useFocusAfterRemoval<HTMLSpanElement>()
  const path = { params: { path: { code } } }
  const close = () => setAsking(false)
  /** The row moves to the other list. */
  const left = (message: string) => {
    gone.current = true
    close()
    notifications.show({ message })
    return invalidatePlans()
  }
  const archive = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/admin/plans/{code}/archive', path)),
    onSuccess: () => left(t('admin.plans.archive_done', { name })),
  })
  const bringBack = useMutation({
    mutationFn: () => unwrap(api.PATCH('/api/v1/admin/plans/{code}', { ...path, body: { is_active: true } })),
    onSuccess: () => left(t('admin.plans.back_done', { name })),
    onError: useErrorNotification(),
  })
  const move = (by: () => void) => {
    more.current?.focus()
    by()
  }
  const ask = () => {
    more.current?.focus()
    setAsking(true)
  }
  return (
    <>
      <span ref={at} hidden />
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon ref={more} variant="subtle" color="gray" size={34} aria-label={t('admin.plans.more', { name })}>
            <MoreHorizontal size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItemLink to="/admin/plans/$plan" params={{ plan: code }} leftSection={<Pencil size={16} />}>
            {t('admin.plans.edit')}
          </MenuItemLink>
          <MenuItemLink to="/admin/plans/new" search={{ from: code }} leftSection={<Copy size={16} />}>
            {t('admin.plans.duplicate')}
          </MenuItemLink>
          {onUp && (
            <Menu.Item leftSection={<ArrowUp size={16} />} onClick={() => move(onUp)}>
              {t('admin.plans.up')}
            </Menu.Item>
          )}
          {onDown && (
            <Menu.Item leftSection={<ArrowDown size={16} />} onClick={() => move(onDown)}>
              {t('admin.plans.down')}
            </Menu.Item>
          )}
          {is_active ? (
            <Menu.Item c="var(--mantine-color-error)" leftSection={<Archive size={16} />} onClick={ask}>
              {t('admin.plans.archive')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<ArchiveRestore size={16} />} onClick={() => bringBack.mutate()}>
              {t('admin.plans.restore')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDefault ? (
        <Dialog opened={asking} onClose={close} title={t('admin.plans.archive_not', { name })}>
          <Text>
            {t('admin.plans.archive_default')}{' '}
            <AnchorLink to="/admin/options">{t('admin.plans.to_options')}</AnchorLink>
          </Text>
          <DialogActions>
            <Button variant="default" onClick={close}>
              {t('ui.close')}
            </Button>
          </DialogActions>
        </Dialog>
      ) : (
        <ConfirmDialog
          opened={asking}
          onClose={close}
          title={t('admin.plans.archive_ask', { name })}
          confirm={t('admin.plans.archive')}
          mutation={archive}
          onConfirm={() => archive.mutate()}
        >
          <Text>{t('admin.plans.archive_detail')}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}
