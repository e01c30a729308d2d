import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import { MoreHorizontal, Pencil, Power, PowerOff, RefreshCw, Send, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../ui/Confirm'
import { useGone } from '../../ui/useGone'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { useDelete, useSetActive } from './acts'
import { EnableWebhook } from './EnableWebhook'
import { nameOf, type Webhook } from './queries'
import { RotateSecret } from './RotateSecret'
import { TestWebhook } from './TestWebhook'
import classes from './webhooks.module.css'

/**
 * What admins and owners do with a webhook. `buttons`: what is done most has buttons of its own beside the menu, where
 * there is one webhook only. `onDeleted`: where to go from a page that is about nothing then.
 */
export function WebhookActs({
  webhook,
  buttons,
  onDeleted,
}: {
  webhook: Webhook
  buttons?: boolean
  onDeleted?: () => void | Promise<void>
}) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const [doing, setDoing] = useState<'test' | 'rotate' | 'disable' | 'enable' | 'delete'>()
  const more = useRef<HTMLButtonElement>(null)
  const { gone, at } = useGone<HTMLSpanElement>()
  const close = () => setDoing(undefined)
  const { id, active, url } = webhook
  const name = nameOf(webhook)
  const disable = useSetActive(id, () => {
    close()
    notifications.show({ message: t('webhooks.disabled_done') })
  })
  const remove = useDelete(id, async () => {
    gone.current = onDeleted === undefined
    close()
    notifications.show({ message: t('webhooks.deleted') })
    await onDeleted?.()
  })
  if (!isAtLeast(workspace, 'admin')) return null
  const edit = {
    to: '/w/$workspace/webhooks/$webhook/edit',
    params: { workspace: workspace.slug, webhook: id },
  } as const
  const test = () => setDoing('test')
  /** What is chosen is gone with the menu: keys come back to what opened it. */
  const choose = (act: typeof doing) => {
    more.current?.focus()
    setDoing(act)
  }
  return (
    <>
      <span ref={at} hidden />
      {buttons && (
        <>
          <Button variant="default" leftSection={<Send size={16} />} onClick={test}>
            {t('webhooks.test')}
          </Button>
          <Button
            variant="default"
            leftSection={<Pencil size={16} />}
            renderRoot={(props) => <Link {...edit} {...props} />}
          >
            {t('webhooks.edit')}
          </Button>
        </>
      )}
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon
            ref={more}
            variant={buttons ? 'default' : 'subtle'}
            color="gray"
            size={buttons ? 36 : 34}
            className={classes.acts}
            aria-label={t('webhooks.more', { name })}
          >
            <MoreHorizontal size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!buttons && (
            <>
              <Menu.Item leftSection={<Send size={16} />} onClick={() => choose('test')}>
                {t('webhooks.test')}
              </Menu.Item>
              <Menu.Item leftSection={<Pencil size={16} />} renderRoot={(props) => <Link {...edit} {...props} />}>
                {t('webhooks.edit')}
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<RefreshCw size={16} />} onClick={() => choose('rotate')}>
            {t('webhooks.rotate')}
          </Menu.Item>
          {active ? (
            <Menu.Item leftSection={<PowerOff size={16} />} onClick={() => choose('disable')}>
              {t('webhooks.disable')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<Power size={16} />} onClick={() => choose('enable')}>
              {t('webhooks.enable')}
            </Menu.Item>
          )}
          <Menu.Item c="var(--mantine-color-error)" leftSection={<Trash2 size={16} />} onClick={() => choose('delete')}>
            {t('ui.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TestWebhook webhook={webhook} opened={doing === 'test'} onClose={close} />
      <RotateSecret webhook={webhook} opened={doing === 'rotate'} onClose={close} />
      <EnableWebhook webhook={webhook} opened={doing === 'enable'} onClose={close} />
      <Confirm
        opened={doing === 'disable'}
        onClose={close}
        title={t('webhooks.disable_ask')}
        confirm={t('webhooks.disable')}
        act={disable}
        onConfirm={() => disable.mutate(false)}
      >
        <Text mb="xs">{t('webhooks.disable_detail')}</Text>
        <Text className={classes.url}>{url}</Text>
      </Confirm>
      <Confirm
        opened={doing === 'delete'}
        onClose={close}
        title={t('webhooks.delete_ask')}
        confirm={t('ui.delete')}
        act={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text mb="xs">{t('webhooks.delete_detail')}</Text>
        <Text className={classes.url}>{url}</Text>
      </Confirm>
    </>
  )
}
