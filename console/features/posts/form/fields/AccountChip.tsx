import { Checkbox, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AccountAvatar } from '../../../accounts/AccountAvatar'
import { accountsQuery } from '../../../accounts/queries'
import { handleOn, useNetwork } from '../../../networks/queries'
import { useWorkspace } from '../../../workspaces/queries'
import classes from '../../posts.module.css'
import type { PostDestination } from '../form-values'

/** An account to publish to, selected or not. A disconnected account can only be deselected. */
export function AccountChip({ account, checked }: { account: PostDestination; checked: boolean }) {
  const { t } = useTranslation()
  const network = useNetwork(account.network)
  const handle = handleOn(network, account.handle)
  const others = useQuery(accountsQuery(useWorkspace().slug)).data ?? []
  const hasNamesake = others.some(({ id, name }) => id !== account.id && name === account.name)
  const lost = account.status === 'disconnected'
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its checkbox is inside
    <label className={classes.account} data-checked={checked || undefined} data-disabled={lost || undefined}>
      <Checkbox
        value={account.id}
        size="xs"
        aria-label={`${account.name} (${network?.name ?? account.network}, ${handle}${lost ? `, ${t('accounts.status_lost')}` : ''})`}
        disabled={lost && !checked}
      />
      <AccountAvatar id={account.id} name={account.name} network={account.network} size={26} />
      <span>
        <Text fw={550} dir="auto">
          {account.name}
        </Text>
        {hasNamesake && (
          <Text fz="xs" c="dimmed" className={classes.handle} aria-hidden="true">
            {handle}
          </Text>
        )}
      </span>
      {lost && (
        <Text fz="sm" c="var(--mantine-color-error)">
          {t('accounts.status_lost')}
        </Text>
      )}
    </label>
  )
}
