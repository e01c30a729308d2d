import { ActionIcon, Menu, Switch, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { KeyRound, MoreHorizontal, Pencil, Send, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { MenuItemLink } from '../../../ui/navigation/MenuItemLink'
import classes from '../ai.module.css'
import { KeyDialog } from '../KeyDialog'
import { useDeleteModel, useSetModelActive } from '../mutations'
import type { AiModel } from '../queries'
import { TestModel } from './TestModel'

/** Shows whether the model is active, and switches it on and off. */
export function ActiveSwitch({ model, labelled }: { model: AiModel; labelled?: boolean }) {
  const { t } = useTranslation()
  const set = useSetModelActive(model)
  const { name, is_active } = model
  return (
    <Switch
      aria-label={labelled ? undefined : t('admin.models.active_of', { name })}
      label={labelled && t('admin.models.active')}
      checked={set.isPending ? set.variables : is_active}
      onChange={({ currentTarget }) => set.mutate(currentTarget.checked)}
    />
  )
}

export function ModelActions({ model }: { model: AiModel }) {
  const { t } = useTranslation()
  const [doing, setDoing] = useState<'test' | 'key' | 'delete'>()
  const more = useRef<HTMLButtonElement>(null)
  const close = () => setDoing(undefined)
  const { id_secure, name } = model
  /** The menu item disappears with the menu, so the focus returns to the menu button. */
  const choose = (act: typeof doing) => {
    more.current?.focus()
    setDoing(act)
  }
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon ref={more} variant="subtle" color="gray" size={34} aria-label={t('admin.models.more', { name })}>
            <MoreHorizontal size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Send size={16} />} onClick={() => choose('test')}>
            {t('admin.models.test')}
          </Menu.Item>
          <MenuItemLink to="/admin/ai-models/$model" params={{ model: id_secure }} leftSection={<Pencil size={16} />}>
            {t('admin.models.edit')}
          </MenuItemLink>
          <Menu.Item leftSection={<KeyRound size={16} />} onClick={() => choose('key')}>
            {t(model.api_key.set ? 'admin.models.key_replace' : 'admin.models.key_set')}
          </Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" leftSection={<Trash2 size={16} />} onClick={() => choose('delete')}>
            {t('ui.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TestModel model={model} opened={doing === 'test'} onClose={close} />
      <KeyDialog model={model} opened={doing === 'key'} onClose={close} />
      <DeleteModel model={model} opened={doing === 'delete'} onClose={close} />
    </>
  )
}

/** `onDeleted`: leaves a page whose model no longer exists. */
export function DeleteModel({
  model,
  opened,
  onClose,
  onDeleted,
}: {
  model: AiModel
  opened: boolean
  onClose: () => void
  onDeleted?: () => void | Promise<void>
}) {
  const { t } = useTranslation()
  const { gone, at } = useFocusAfterRemoval<HTMLSpanElement>()
  const { name, model_key } = model
  const remove = useDeleteModel(model, async () => {
    gone.current = onDeleted === undefined
    onClose()
    notifications.show({ message: t('admin.models.deleted', { name }) })
    await onDeleted?.()
  })
  return (
    <>
      <span ref={at} hidden />
      <ConfirmDialog
        opened={opened}
        onClose={onClose}
        title={t('admin.models.delete_ask', { name })}
        confirm={t('ui.delete')}
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text mb="xs">{t('admin.models.delete_detail')}</Text>
        <Text className={classes.modelKey}>{model_key}</Text>
      </ConfirmDialog>
    </>
  )
}
