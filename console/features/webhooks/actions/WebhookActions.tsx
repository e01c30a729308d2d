import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { MoreHorizontal, Pencil, Power, PowerOff, RefreshCw, Send, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import rows from '../../../ui/layout/LinkedRow.module.css'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { MenuItemLink } from '../../../ui/navigation/MenuItemLink'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { useDeleteWebhook, useSetWebhookActive } from '../mutations'
import { type Webhook, webhookName } from '../queries'
import classes from '../webhooks.module.css'
import { EnableWebhook } from './EnableWebhook'
import { RotateSecret } from './RotateSecret'
import { TestWebhook } from './TestWebhook'

type Action = 'test' | 'rotate' | 'disable' | 'enable' | 'delete'

const editLink = ({ slug }: Workspace, { id }: Webhook) =>
  ({ to: '/w/$workspace/webhooks/$webhook/edit', params: { workspace: slug, webhook: id } }) as const

/**
 * The actions of admins and owners. `buttons`: shows the most frequent ones as buttons beside the menu, on the page of
 * one webhook. `onDeleted`: leaves the page of a deleted webhook.
 */
export function WebhookActions({
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
  const [doing, setDoing] = useState<Action>()
  const { gone, at } = useFocusAfterRemoval<HTMLSpanElement>()
  const close = () => setDoing(undefined)
  const { id, url } = webhook
  const disable = useSetWebhookActive(id, () => {
    close()
    notifications.show({ message: t('webhooks.disabled_done') })
  })
  const remove = useDeleteWebhook(id, async () => {
    gone.current = onDeleted === undefined
    close()
    notifications.show({ message: t('webhooks.deleted') })
    await onDeleted?.()
  })
  if (!isAtLeast(workspace, 'admin')) return null
  return (
    <>
      <span ref={at} hidden />
      {buttons && (
        <>
          <Button variant="default" leftSection={<Send size={16} />} onClick={() => setDoing('test')}>
            {t('webhooks.test')}
          </Button>
          <ButtonLink {...editLink(workspace, webhook)} variant="default" leftSection={<Pencil size={16} />}>
            {t('webhooks.edit')}
          </ButtonLink>
        </>
      )}
      <WebhookMenu webhook={webhook} buttons={buttons} onChoose={setDoing} />
      <TestWebhook webhook={webhook} opened={doing === 'test'} onClose={close} />
      <RotateSecret webhook={webhook} opened={doing === 'rotate'} onClose={close} />
      <EnableWebhook webhook={webhook} opened={doing === 'enable'} onClose={close} />
      <ConfirmDialog
        opened={doing === 'disable'}
        onClose={close}
        title={t('webhooks.disable_ask')}
        confirm={t('webhooks.disable')}
        mutation={disable}
        onConfirm={() => disable.mutate(false)}
      >
        <Text mb="xs">{t('webhooks.disable_detail')}</Text>
        <Text className={classes.url}>{url}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={doing === 'delete'}
        onClose={close}
        title={t('webhooks.delete_ask')}
        confirm={t('ui.delete')}
        mutation={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text mb="xs">{t('webhooks.delete_detail')}</Text>
        <Text className={classes.url}>{url}</Text>
      </ConfirmDialog>
    </>
  )
}

type MenuProps = { webhook: Webhook; buttons: boolean | undefined; onChoose: (action: Action) => void }

/** All actions, without those that are buttons beside the menu. */
function WebhookMenu({ webhook, buttons, onChoose }: MenuProps) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const more = useRef<HTMLButtonElement>(null)
  const choose = (action: Action) => {
    // The chosen item closes with the menu, so its button gets the focus.
    more.current?.focus()
    onChoose(action)
  }
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon
          ref={more}
          variant={buttons ? 'default' : 'subtle'}
          color="gray"
          size={buttons ? 36 : 34}
          className={rows.actions}
          aria-label={t('webhooks.more', { name: webhookName(webhook) })}
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
            <MenuItemLink {...editLink(workspace, webhook)} leftSection={<Pencil size={16} />}>
              {t('webhooks.edit')}
            </MenuItemLink>
          </>
        )}
        <Menu.Item leftSection={<RefreshCw size={16} />} onClick={() => choose('rotate')}>
          {t('webhooks.rotate')}
        </Menu.Item>
        {webhook.active ? (
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
  )
}
