import { Card, Group } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Images, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { NoMatches } from '../../../ui/feedback/NoMatches'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { FilterSelect, LabelFilter, useShownLabels } from '../../../ui/fields/filters'
import { SearchField } from '../../../ui/fields/SearchField'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { usageQuery } from '../../plans/queries'
import { UsageMeter } from '../../plans/usage/UsageMeter'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { MediaGrid } from '../MediaGrid'
import classes from '../media.module.css'
import { type Media, mediaQuery } from '../queries'
import { kinds, type MediaSearch } from '../search-params'
import { ChooseFilesButton, FileDrop } from '../upload/FileDrop'
import { UploadList } from '../upload/UploadList'
import { useUploads } from '../upload/useUploads'
import { MediaDetails } from './MediaDetails'

const route = getRouteApi('/signed-in/shell/w/$workspace/media')

/** The files of a workspace, newest first, with filters and the opened file kept in the URL. */
export function MediaPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.media'))
  const workspace = useWorkspace()
  const { file, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const media = useInfiniteQuery(mediaQuery(workspace.slug, filters))
  const shown = media.data?.pages.flatMap(({ data }) => data) ?? []
  const mayUpload = isAtLeast(workspace, 'author')
  const { uploads, add, cancel, retry } = useUploads(workspace.slug, () => undefined)
  const filtered = Object.values(filters).some((value) => value !== undefined)
  const search = (changed: { [Key in keyof MediaSearch]: MediaSearch[Key] | undefined }) =>
    void navigate({
      search: (before) => {
        const { kind, label, search, file } = { ...before, ...changed }
        return { ...(kind && { kind }), ...(label && { label }), ...(search && { search }), ...(file && { file }) }
      },
      replace: true,
      resetScroll: false,
    })
  const content = (
    <>
      <UploadList uploads={uploads} onCancel={cancel} onRetry={retry} />
      {media.error && <ProblemAlert error={media.error} onRetry={() => media.refetch()} />}
      {media.isPending && <LoadingSkeleton lines={3} height={150} />}
      {media.data && shown.length === 0 && !media.hasNextPage && (
        <Card padding={0}>
          {filtered ? (
            <NoMatches title={t('media.none_found')} onClear={() => void navigate({ search: {}, replace: true })}>
              {t('posts.none_found_detail')}
            </NoMatches>
          ) : (
            <EmptyState
              icon={<Images size={26} />}
              title={t('media.none')}
              action={mayUpload && <ChooseFilesButton onFiles={add} />}
            >
              {t('media.none_detail')}
            </EmptyState>
          )}
        </Card>
      )}
      <MediaGrid files={shown} onOpen={({ id }) => search({ file: id })} />
      <LoadMore of={media} />
    </>
  )
  return (
    <>
      <PageHeader title={t('pages.media')} about={t('media.about')}>
        <ButtonLink
          to="/w/$workspace/media/deleted"
          params={{ workspace: workspace.slug }}
          variant="subtle"
          color="gray"
          leftSection={<Trash2 size={16} />}
        >
          {t('trash.title')}
        </ButtonLink>
        {mayUpload && shown.length > 0 && <ChooseFilesButton onFiles={add} />}
      </PageHeader>
      <MediaFilters filters={filters} files={shown} onChange={search} />
      {mayUpload ? <FileDrop onFiles={add}>{content}</FileDrop> : content}
      <StorageMeter />
      <MediaDetails id={file} onClose={() => search({ file: undefined })} onCropped={(id) => search({ file: id })} />
    </>
  )
}

type FilterProps = {
  filters: MediaSearch
  files: Media[]
  onChange: (changed: { [Key in keyof MediaSearch]: MediaSearch[Key] | undefined }) => void
}

function MediaFilters({ filters, files, onChange }: FilterProps) {
  const { t } = useTranslation()
  const labels = useShownLabels(files)
  return (
    <Group mb="md" gap="sm" role="search" aria-label={t('media.filters')}>
      <SearchField label={t('media.search')} value={filters.search ?? ''} onChange={(search) => onChange({ search })} />
      <FilterSelect
        aria-label={t('media.by_kind')}
        placeholder={t('media.any_kind')}
        data={kinds.map((value) => ({ value, label: t(`media.kinds.${value}`) }))}
        value={filters.kind ?? null}
        onChange={(kind) => onChange({ kind: kinds.find((name) => name === kind) })}
      />
      <LabelFilter value={filters.label ?? ''} labels={labels} onChange={(label) => onChange({ label })} />
    </Group>
  )
}

/** The storage used, and how much the plan includes. */
function StorageMeter() {
  const { slug } = useWorkspace()
  const usage = useQuery(usageQuery(slug)).data
  const use = usage?.meters.find(({ meter }) => meter === 'storage_mb')
  if (!usage || !use) return null
  return (
    <Card mt="lg">
      <ul className={classes.meter} style={{ margin: 0 }}>
        <UsageMeter use={use} usage={usage} />
      </ul>
    </Card>
  )
}
