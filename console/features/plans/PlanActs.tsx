import { ActionIcon, Anchor, Button, Group, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore, ArrowDown, ArrowUp, Copy, MoreHorizontal, Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api } from '../../api'
import { Confirm } from '../../ui/Confirm'
import { Dialog } from '../../ui/Dialog'
import { useGone } from '../../ui/useGone'
import { useTell } from '../../ui/useTell'
import { type Plan, readAnew } from './queries'

type Row = { plan: Plan; isDefault?: boolean; onUp?: () => void; onDown?: () => void }

/** What is done with a plan; moving it by a step is for who does not drag. */
export function PlanActs({ plan: { code, name, is_active }, isDefault, onUp, onDown }: Row) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const { gone, at } = useGone<HTMLSpanElement>()
  const path = { params: { path: { code } } }
  const close = () => setAsking(false)
  /** The row goes into the other list. */
  const left = (message: string) => {
    gone.current = true
    close()
    notifications.show({ message })
    return readAnew()
  }
  const archive = useMutation({
    mutationFn: () => answered(api.POST('/api/v1/admin/plans/{code}/archive', path)),
    onSuccess: () => left(t('desk.plans.archive_done', { name })),
  })
  const bringBack = useMutation({
    mutationFn: () => answered(api.PATCH('/api/v1/admin/plans/{code}', { ...path, body: { is_active: true } })),
    onSuccess: () => left(t('desk.plans.back_done', { name })),
    onError: useTell(),
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
          <ActionIcon ref={more} variant="subtle" color="gray" size={34} aria-label={t('desk.plans.more', { name })}>
            <MoreHorizontal size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Pencil size={16} />}
            renderRoot={(props) => <Link to="/admin/plans/$plan" params={{ plan: code }} {...props} />}
          >
            {t('desk.plans.edit')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Copy size={16} />}
            renderRoot={(props) => <Link to="/admin/plans/new" search={{ from: code }} {...props} />}
          >
            {t('desk.plans.duplicate')}
          </Menu.Item>
          {onUp && (
            <Menu.Item leftSection={<ArrowUp size={16} />} onClick={() => move(onUp)}>
              {t('desk.plans.up')}
            </Menu.Item>
          )}
          {onDown && (
            <Menu.Item leftSection={<ArrowDown size={16} />} onClick={() => move(onDown)}>
              {t('desk.plans.down')}
            </Menu.Item>
          )}
          {is_active ? (
            <Menu.Item c="var(--mantine-color-error)" leftSection={<Archive size={16} />} onClick={ask}>
              {t('desk.plans.archive')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<ArchiveRestore size={16} />} onClick={() => bringBack.mutate()}>
              {t('desk.plans.bring_back')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDefault ? (
        <Dialog opened={asking} onClose={close} title={t('desk.plans.archive_not', { name })}>
          <Text>
            {t('desk.plans.archive_default')}{' '}
            <Anchor renderRoot={(props) => <Link to="/admin/options" {...props} />}>
              {t('desk.plans.to_options')}
            </Anchor>
          </Text>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={close}>
              {t('ui.close')}
            </Button>
          </Group>
        </Dialog>
      ) : (
        <Confirm
          opened={asking}
          onClose={close}
          title={t('desk.plans.archive_ask', { name })}
          confirm={t('desk.plans.archive')}
          act={archive}
          onConfirm={() => archive.mutate()}
        >
          <Text>{t('desk.plans.archive_detail')}</Text>
        </Confirm>
      )}
    </>
  )
}
