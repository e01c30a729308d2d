import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { linkOptions, useNavigate, useRouterState } from '@tanstack/react-router'
import { Copy, PenLine, Plug, RotateCw, Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { BackLink } from '../../../ui/navigation/BackLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useFormat } from '../../../ui/text/format'
import { accountsQuery } from '../../accounts/queries'
import { useWorkspace } from '../../workspaces/queries'
import { PostMenu, usePostActions, usePostPermissions } from '../PostActions'
import { PostStatusBadge, shownStatus, statusWithReview } from '../PostStatusBadge'
import type { CalendarSearch } from '../search-params'
import { UnpublishButton } from './UnpublishButton'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The view of the calendar from which the page was opened. */
    calendar?: CalendarSearch
  }
}

/** The head of the page of a post: its state and time, the way back, and what can be done with it. */
export function PostHeader({ post }: { post: Post }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const params = { workspace: useWorkspace().slug }
  const calendar = useCalendarOfOrigin()
  const back = calendar
    ? linkOptions({ to: '/w/$workspace/calendar', params, search: calendar })
    : linkOptions({ to: '/w/$workspace/posts', params })
  const may = usePostPermissions(post)
  const { publish, retry } = usePostActions(post)
  const isStarting = shownStatus(post) !== post.status
  const { lost, onlyCopy, retryFirst } = useRemedies(post)
  return (
    <>
      <BackLink {...back}>{t(calendar ? 'pages.calendar' : 'post.back')}</BackLink>
      <PageHeader title={t('post.title')} about={<PostState post={post} />}>
        {may.copy && onlyCopy.length > 0 && (
          <ButtonLink
            to="/w/$workspace/posts/new"
            params={params}
            search={{ copy: post.id, only: onlyCopy.join(' ') }}
            variant={retryFirst ? 'default' : 'filled'}
            leftSection={<Copy size={17} />}
          >
            {t('post.copy_as_new')}
          </ButtonLink>
        )}
        {lost && (
          <ButtonLink
            to="/w/$workspace/accounts"
            params={params}
            search={{ connect: lost.network, account: lost.account_id }}
            leftSection={<Plug size={17} />}
          >
            {t('accounts.reconnect')}
          </ButtonLink>
        )}
        {may.retry && (
          <Button
            variant={retryFirst ? 'filled' : 'default'}
            leftSection={<RotateCw size={17} />}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {t('posts.retry')}
          </Button>
        )}
        {may.publish && !isStarting && !post.held && (
          <Button
            variant="default"
            leftSection={<Send size={17} />}
            loading={publish.isPending}
            onClick={() => publish.mutate()}
          >
            {t('posts.publish_now')}
          </Button>
        )}
        {may.edit && !isStarting && (
          <ButtonLink
            {...(calendar
              ? linkOptions({ to: '/w/$workspace/calendar', params, search: { ...calendar, compose: post.id } })
              : linkOptions({ to: '/w/$workspace/posts/$post/edit', params: { ...params, post: post.id } }))}
            variant={lost || post.held || (may.retry && retryFirst) ? 'default' : 'filled'}
            leftSection={<PenLine size={17} />}
          >
            {t('posts.edit')}
          </ButtonLink>
        )}
        <UnpublishButton post={post} />
        <PostMenu post={post} onRemoved={() => void navigate(back)} />
      </PageHeader>
    </>
  )
}

/** The view of the calendar from which the page was opened; undefined if it was opened from elsewhere. */
const useCalendarOfOrigin = () => useRouterState({ select: ({ location }) => location.state.calendar })

function PostState({ post }: { post: Post }) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const format = useFormat(timezone)
  return (
    <Group gap="sm" component="span">
      <PostStatusBadge status={statusWithReview(post)} />
      {post.published_at ? (
        <time dateTime={post.published_at}>{t('post.published_at', { time: format.full(post.published_at) })}</time>
      ) : (
        post.scheduled_at && (
          <time dateTime={post.scheduled_at}>
            {t('post.scheduled_at', { time: format.full(post.scheduled_at), zone: timezone })}
          </time>
        )
      )}
    </Group>
  )
}

/** The remedies for targets that failed. */
function useRemedies(post: Post) {
  const failed = post.targets.filter(({ status }) => status === 'failed')
  const rejected = failed.filter(({ error_code }) => error_code === 'rejected_by_network')
  const lost = useLostTarget(failed)
  return {
    lost,
    /** The accounts for which only a copy can still be published. */
    onlyCopy: post.status === 'partially_published' ? rejected.map(({ account_id }) => account_id) : [],
    /** Whether a retry can succeed. */
    retryFirst: failed.length > rejected.length && !lost,
  }
}

/** A failed target whose account must be connected again before a retry can succeed. */
function useLostTarget(failed: Post['targets']) {
  const { slug } = useWorkspace()
  const ofAccount = failed.filter(({ error_code }) => error_code === 'account_disconnected')
  const accounts = useQuery({ ...accountsQuery(slug), enabled: ofAccount.length > 0 }).data ?? []
  return ofAccount.find(({ account_id }) =>
    accounts.some(({ id, status }) => id === account_id && status === 'disconnected'),
  )
}
