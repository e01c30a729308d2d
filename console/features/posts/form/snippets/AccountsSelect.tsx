import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountsQuery } from '../../../accounts/queries'
import { useWorkspace } from '../../../workspaces/queries'

/** Chooses the accounts of a template. */
export function AccountsSelect(props: MultiSelectProps) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  return (
    <MultiSelect
      label={t('snippets.accounts')}
      description={t('snippets.accounts_about')}
      data={accounts.map(({ id, name, handle }) => ({ value: id, label: `${name} (${handle})` }))}
      maxValues={50}
      {...props}
    />
  )
}
