import { Button, Card, Group, Select } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { List, PenLine, Search, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { SearchField } from '../../ui/fields/SearchField'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { accountsQuery } from '../accounts/queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { PostMenu } from './PostActions'
import { PostRow } from './PostRow'
import classes from './posts.module.css'
import { postsQuery, summaryOf } from './queries'
import { type PostsSearch, statuses } from './search-params'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts')

/** All posts, newest first, with filters kept in the URL. */
export function PostsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.posts'))
  const workspace = useWorkspace()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const posts = useInfiniteQuery(postsQuery(workspace.slug, filters))
  const accounts = useQuery(accountsQuery(workspace.slug)).data ?? []
  const shown = posts.data?.pages.flatMap(({ data }) => data) ?? []
  const filtered = Boolean(filters.status || filters.account || filters.search)
  const filter = (changed: { [Key in keyof PostsSearch]: PostsSearch[Key] | undefined }) =>
    void navigate({
      search: (before) => {
        const { status, account, search } = { ...before, ...changed }
        return { ...(status && { status }), ...(account && { account }), ...(search && { search }) }
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
      <Group mb="md" gap="sm" role="search" aria-label={t('posts.filters')}>
        <SearchField label={t('posts.search')} value={filters.search ?? ''} onChange={(search) => filter({ search })} />
        <Select
          aria-label={t('posts.by_status')}
          placeholder={t('posts.any_status')}
          clearable
          w={{ base: '100%', xs: 190 }}
          data={statuses.map((value) => ({ value, label: t(`status.${value}`) }))}
          value={filters.status ?? null}
          onChange={(status) => filter({ status: statuses.find((name) => name === status) })}
        />
        <Select
          aria-label={t('posts.by_account')}
          placeholder={t('posts.any_account')}
          clearable
          w={{ base: '100%', xs: 210 }}
          data={accounts.map(({ id, name, handle }) => ({ value: id, label: `${name} (@${handle})` }))}
          value={filters.account ?? null}
          onChange={(account) => filter({ account: account ?? undefined })}
        />
      </Group>
      {posts.error && <ProblemAlert error={posts.error} onRetry={() => posts.refetch()} />}
      {posts.isPending && <LoadingSkeleton lines={6} height={52} />}
      {posts.data && shown.length === 0 && !posts.hasNextPage && (
        <Card padding={0}>
          {filtered ? (
            <EmptyState
              icon={<Search size={26} />}
              title={t('posts.none_found')}
              action={
                <Button
                  variant="default"
                  onClick={() => filter({ status: undefined, account: undefined, search: undefined })}
                >
                  {t('posts.clear')}
                </Button>
              }
            >
              {t('posts.none_found_detail')}
            </EmptyState>
          ) : (
            <EmptyState icon={<List size={26} />} title={t('posts.none')} action={compose}>
              {t('posts.none_detail')}
            </EmptyState>
          )}
        </Card>
      )}
      {shown.length > 0 && (
        <Card className={classes.list} padding={0}>
          <ul>
            {shown.map((post) => (
              <li key={post.id} className={classes.item}>
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
