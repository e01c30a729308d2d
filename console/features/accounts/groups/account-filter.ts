import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAccountLabel } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { accountsQuery } from '../queries'
import { accountGroupsQuery } from './queries'

/** A filter by one account, or by a group of accounts. Both are ids. */
type Filter = { account?: string | undefined; group?: string | undefined }

const GROUP = 'group '

/** The properties of a select that filters by an account or a group. `withGroups`: false offers accounts only. */
export function useAccountFilter(
  { account, group }: Filter,
  onChange: (filter: { account: string | undefined; group: string | undefined }) => void,
  { withGroups = true } = {},
) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const groups = useQuery({ ...accountGroupsQuery(slug), enabled: withGroups }).data ?? []
  const labelOf = useAccountLabel()
  const items = accounts.map((account) => ({ value: account.id, label: labelOf(account) }))
  return {
    'aria-label': t(groups.length > 0 ? 'account_groups.filter' : 'posts.by_account'),
    placeholder: t('posts.any_account'),
    comboboxProps: { width: 'max-content', position: 'bottom-start' } as const,
    data:
      withGroups && groups.length > 0
        ? [
            {
              group: t('account_groups.title'),
              items: groups.map(({ id, name }) => ({ value: GROUP + id, label: name })),
            },
            { group: t('account_groups.accounts'), items },
          ]
        : items,
    value: withGroups && group ? GROUP + group : (account ?? null),
    onChange: (value: string | null) =>
      onChange({
        account: value && !value.startsWith(GROUP) ? value : undefined,
        group: value?.startsWith(GROUP) ? value.slice(GROUP.length) : undefined,
      }),
  }
}
