import { Card } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { List, PenLine, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { NoMatches } from '../../../ui/feedback/NoMatches'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useShownLabels } from '../../../ui/fields/filters'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { PostMenu, usePermissions } from '../PostActions'
import classes from '../posts.module.css'
import { postsQuery, summaryOf } from '../queries'
import { BulkBar } from './BulkBar'
import { ExportButton } from './ExportButton'
import { type ChangedFilters, PostFilters } from './PostFilters'
import { PostRow } from './PostRow'
import { useSelection } from './selection'
import { useBulkActions } from './useBulkActions'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts')

/** All posts, newest first, with filters kept in the URL. */
export function PostsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.posts'))
  const workspace = useWorkspace()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const posts = useInfiniteQuery(postsQuery(workspace.slug, filters))
  const shown = posts.data?.pages.flatMap(({ data }) => data) ?? []
  const labels = useShownLabels(shown)
  const may = usePermissions()
  const selectable = shown.filter((post) => may(post).own).map(summaryOf)
  const selection = useSelection(selectable)
  const actions = useBulkActions(selection.select)
  const filtered = Object.values(filters).some((value) => value !== undefined)
  const filter = (changed: ChangedFilters) =>
    void navigate({
      search: (before) => {
        const { status, held, account, group, author, label, search } = { ...before, ...changed }
        return {
          ...(status && { status }),
          ...(held && { held }),
          ...(account && { account }),
          ...(group && { group }),
          ...(author && { author }),
          ...(label && { label }),
          ...(search && { search }),
        }
      },
      replace: true,
      resetScroll: false,
    })
  const compose = isAtLeast(workspace, 'author') && (
    <ButtonLink to="/w/$workspace/posts/new" params={{ workspace: workspace.slug }} leftSection={<PenLine size={17} />}>
      {t('shell.new_post')}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title={t('pages.posts')} about={t('posts.order')}>
        <ExportButton />
        <ButtonLink
          to="/w/$workspace/posts/deleted"
          params={{ workspace: workspace.slug }}
          variant="subtle"
          color="gray"
          leftSection={<Trash2 size={16} />}
        >
          {t('trash.title')}
        </ButtonLink>
      </PageHeader>
      <PostFilters filters={filters} labels={labels} onChange={filter} />
      {posts.error && <ProblemAlert error={posts.error} onRetry={() => posts.refetch()} />}
      {posts.isPending && <LoadingSkeleton lines={6} height={52} />}
      {posts.data && shown.length === 0 && !posts.hasNextPage && (
        <Card padding={0}>
          {filtered ? (
            <NoMatches
              title={t('posts.none_found')}
              onClear={() => void navigate({ search: {}, replace: true, resetScroll: false })}
            >
              {t('posts.none_found_detail')}
            </NoMatches>
          ) : (
            <EmptyState icon={<List size={26} />} title={t('posts.none')} action={compose}>
              {t('posts.none_detail')}
            </EmptyState>
          )}
        </Card>
      )}
      {shown.length > 0 && (
        <Card className={classes.list} padding={0}>
          {selectable.length > 0 && (
            <BulkBar
              selectable={selectable}
              selected={selection.selected}
              onSelect={selection.select}
              actions={actions}
              labels={labels}
            />
          )}
          <ul>
            {shown.map((post) => (
              <li key={post.id} className={classes.item} data-selectable={selectable.length > 0 || undefined}>
                {may(post).own && (
                  <input
                    type="checkbox"
                    aria-label={t('bulk.select', {
                      text: withMentionNames(post.content).slice(0, 60) || t('posts.empty'),
                    })}
                    checked={selection.has(post.id)}
                    // A click as well when Space was pressed.
                    onChange={({ nativeEvent }) =>
                      selection.toggle(summaryOf(post), {
                        range: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
                      })
                    }
                  />
                )}
                <PostRow post={summaryOf(post)} />
                <PostMenu post={post} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <LoadMore of={posts} />
    </>
  )
}
