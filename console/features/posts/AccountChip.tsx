import { Checkbox, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NetworkIcon } from '../accounts/NetworkIcon'
import classes from './posts.module.css'
import type { Outlet } from './writing'

/** An account to publish to, ticked or not. One that is disconnected can only be taken away. */
export function AccountChip({ account, checked }: { account: Outlet; checked: boolean }) {
  const { t } = useTranslation()
  const lost = account.status === 'disconnected'
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its checkbox is inside
    <label className={classes.account} data-checked={checked || undefined} data-disabled={lost || undefined}>
      <Checkbox
        value={account.id}
        size="xs"
        aria-label={`${account.name} (@${account.handle}${lost ? `, ${t('accounts.status_lost')}` : ''})`}
        disabled={lost && !checked}
      />
      <NetworkIcon network={account.network} size={18} />
      <Text fw={550}>{account.name}</Text>
      {lost && (
        <Text fz="sm" c="var(--mantine-color-error)">
          {t('accounts.status_lost')}
        </Text>
      )}
    </label>
  )
}
