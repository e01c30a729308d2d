import { MultiSelect, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { accountsQuery } from '../../accounts/queries'
import { useAccountLabel } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'

export type PostScope = { account_ids: string[]; labels: string[] }

type Texts = { accounts: string; accountsAbout: string; labels: string; labelsAbout?: string }

/** Chooses the posts that a link shows, by their accounts and labels. */
export function PostScopeFields({
  scope,
  onChange,
  texts,
}: {
  scope: PostScope
  onChange: (scope: PostScope) => void
  texts: Texts
}) {
  const { slug } = useWorkspace()
  const labelOf = useAccountLabel()
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  return (
    <>
      <MultiSelect
        label={texts.accounts}
        description={texts.accountsAbout}
        data={accounts.map((account) => ({ value: account.id, label: labelOf(account) }))}
        value={scope.account_ids}
        onChange={(account_ids) => onChange({ ...scope, account_ids })}
        maxValues={50}
      />
      <TagsInput
        label={texts.labels}
        description={texts.labelsAbout}
        value={scope.labels}
        onChange={(labels) => onChange({ ...scope, labels })}
        maxTags={20}
      />
    </>
  )
}
