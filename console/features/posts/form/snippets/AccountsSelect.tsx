import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountsQuery } from '../../../accounts/queries'
import { useAccountLabel } from '../../../networks/queries'
import { useWorkspace } from '../../../workspaces/queries'

/** Chooses the accounts of a template. */
export function AccountsSelect(props: MultiSelectProps) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const labelOf = useAccountLabel()
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  return (
    <MultiSelect
      label={t('snippets.accounts')}
      description={t('snippets.accounts_about')}
      data={accounts.map((account) => ({ value: account.id, label: labelOf(account) }))}
      maxValues={50}
      {...props}
    />
  )
}
