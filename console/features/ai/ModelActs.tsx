import { ActionIcon, Menu, Switch, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import { KeyRound, MoreHorizontal, Pencil, Send, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../ui/Confirm'
import { useGone } from '../../ui/useGone'
import { useDelete, useSetActive } from './acts'
import classes from './ai.module.css'
import { KeyDialog } from './KeyDialog'
import type { AiModel } from './queries'
import { TestModel } from './TestModel'

/** Whether the model can be generated with, and the switch that says so. */
export function ActiveSwitch({ model, labelled }: { model: AiModel; labelled?: boolean }) {
  const { t } = useTranslation()
  const set = useSetActive(model)
  const { name, is_active } = model
  return (
    <Switch
      aria-label={labelled ? undefined : t('desk.models.active_of', { name })}
      label={labelled && t('desk.models.active')}
      checked={set.isPending ? set.variables : is_active}
      onChange={({ currentTarget }) => set.mutate(currentTarget.checked)}
    />
  )
}

/** What is done with one of many models. */
export function ModelActs({ model }: { model: AiModel }) {
  const { t } = useTranslation()
  const [doing, setDoing] = useState<'test' | 'key' | 'delete'>()
  const more = useRef<HTMLButtonElement>(null)
  const close = () => setDoing(undefined)
  const { id_secure, name } = model
  /** What is chosen is gone with the menu: keys come back to what opened it. */
  const choose = (act: typeof doing) => {
    more.current?.focus()
    setDoing(act)
  }
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon ref={more} variant="subtle" color="gray" size={34} aria-label={t('desk.models.more', { name })}>
            <MoreHorizontal size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Send size={16} />} onClick={() => choose('test')}>
            {t('desk.models.test')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Pencil size={16} />}
            renderRoot={(props) => <Link to="/admin/ai-models/$model" params={{ model: id_secure }} {...props} />}
          >
            {t('desk.models.edit')}
          </Menu.Item>
          <Menu.Item leftSection={<KeyRound size={16} />} onClick={() => choose('key')}>
            {t(model.api_key.set ? 'desk.models.key_replace' : 'desk.models.key_set')}
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

/** `onDeleted`: where to go from a page that is about nothing then. */
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
  const { gone, at } = useGone<HTMLSpanElement>()
  const { name, model_key } = model
  const remove = useDelete(model, async () => {
    gone.current = onDeleted === undefined
    onClose()
    notifications.show({ message: t('desk.models.deleted', { name }) })
    await onDeleted?.()
  })
  return (
    <>
      <span ref={at} hidden />
      <Confirm
        opened={opened}
        onClose={onClose}
        title={t('desk.models.delete_ask', { name })}
        confirm={t('ui.delete')}
        act={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text mb="xs">{t('desk.models.delete_detail')}</Text>
        <Text className={classes.modelKey}>{model_key}</Text>
      </Confirm>
    </>
  )
}
