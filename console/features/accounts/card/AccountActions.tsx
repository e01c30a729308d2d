import { ActionIcon, Menu } from '@mantine/core'
import { ExternalLink, HeartPulse, MoreHorizontal, Pause, Pencil, Play, Unplug } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Account } from '../../../api'
import { usePauseAccount } from '../PausedNotice'
import { useCheckAccount } from '../useCheckAccount'

type Props = { account: Account; onEdit: () => void; onDisconnect: () => void }

/** The actions of editors on an account. */
export function AccountActions({ account, onEdit, onDisconnect }: Props) {
  const { t } = useTranslation()
  const check = useCheckAccount(account)
  const pause = usePauseAccount(account)
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('accounts.more', { name: account.name })}>
          <MoreHorizontal size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<HeartPulse size={16} />} onClick={() => check.mutate()}>
          {t('accounts.check')}
        </Menu.Item>
        <Menu.Item
          leftSection={account.paused ? <Play size={16} /> : <Pause size={16} />}
          onClick={() => pause.mutate(!account.paused)}
        >
          {t(account.paused ? 'accounts.resume' : 'accounts.pause')}
        </Menu.Item>
        <Menu.Item leftSection={<Pencil size={16} />} onClick={onEdit}>
          {t('accounts.edit')}
        </Menu.Item>
        {account.url && (
          <Menu.Item
            component="a"
            href={account.url}
            target="_blank"
            rel="noreferrer"
            leftSection={<ExternalLink size={16} />}
          >
            {t('accounts.profile')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item c="var(--mantine-color-error)" leftSection={<Unplug size={16} />} onClick={onDisconnect}>
          {t('accounts.disconnect')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
