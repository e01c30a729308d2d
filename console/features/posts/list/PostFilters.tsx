import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FilterSelect, LabelFilter } from '../../../ui/fields/filters'
import { SearchField } from '../../../ui/fields/SearchField'
import { useAccountFilter } from '../../accounts/groups/account-filter'
import { membersQuery } from '../../workspaces/members/member-queries'
import { useWorkspace } from '../../workspaces/queries'
import { filteredStatuses, holds, type PostsSearch } from '../search-params'

export type ChangedFilters = { [Key in keyof PostsSearch]: PostsSearch[Key] | undefined }

/** `labels`: offered as suggestions. */
export function PostFilters({
  filters,
  labels,
  onChange,
}: {
  filters: PostsSearch
  labels: string[]
  onChange: (changed: ChangedFilters) => void
}) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const members = useQuery(membersQuery(slug)).data
  const { author } = filters
  const authors = (members ?? []).map(({ id, name }) => ({ value: id, label: name }))
  if (members && author && !authors.some(({ value }) => value === author))
    authors.push({ value: author, label: t('posts.former_member') })
  return (
    <Group mb="md" gap="sm" role="search" aria-label={t('posts.filters')}>
      <SearchField label={t('posts.search')} value={filters.search ?? ''} onChange={(search) => onChange({ search })} />
      <FilterSelect
        aria-label={t('posts.by_status')}
        placeholder={t('posts.any_status')}
        data={[...filteredStatuses, ...holds].map((value) => ({ value, label: t(`status.${value}`) }))}
        value={filters.held ?? filters.status ?? null}
        onChange={(value) =>
          onChange({
            status: filteredStatuses.find((name) => name === value),
            held: holds.find((name) => name === value),
          })
        }
      />
      <FilterSelect {...useAccountFilter(filters, onChange)} />
      <FilterSelect
        aria-label={t('posts.by_author')}
        placeholder={t('posts.any_author')}
        data={authors}
        value={author ?? null}
        onChange={(id) => onChange({ author: id ?? undefined })}
      />
      <LabelFilter value={filters.label ?? ''} labels={labels} onChange={(label) => onChange({ label })} />
    </Group>
  )
}
