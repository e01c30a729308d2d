import { Alert, Badge, Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, linkOptions } from '@tanstack/react-router'
import { Copy, PenLine, Plug, RotateCw, Send, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isStatus, type Post } from '../../../api'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useFormat } from '../../../ui/text/format'
import { accountsQuery } from '../../accounts/queries'
import { PostMetricsCard } from '../../metrics/PostMetricsCard'
import { useWorkspace } from '../../workspaces/queries'
import { useCalendarOfOrigin } from '../calendar/calendar-state'
import { PostMenu, usePostActions, usePostPermissions } from '../PostActions'
import { PostStatusBadge, shownStatus, statusWithReview } from '../PostStatusBadge'
import { postQuery } from '../queries'
import { DecisionHistory } from '../review/DecisionHistory'
import { ReviewAlert } from '../review/ReviewAlert'
import { useWarningTexts } from '../text-problems'
import { HeldAlert } from './HeldAlert'
import { PostContent } from './PostContent'
import { TargetRow } from './TargetRow'
import { UnpublishButton } from './UnpublishButton'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts/$post')

export function PostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('post.title'))
  const workspace = useWorkspace()
  const { post: id } = route.useParams()
  const post = useQuery(postQuery(workspace.slug, id))
  if (isStatus(post.error, 404) || isStatus(post.error, 400)) return <NotFoundPage />
  if (post.error && !post.data) return <ProblemAlert error={post.error} onRetry={() => post.refetch()} />
  if (!post.data) return <LoadingSkeleton lines={3} height={120} />
  return <PostDetails post={post.data} />
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

function PostDetails({ post }: { post: Post }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const navigate = route.useNavigate()
  const format = useFormat(workspace.timezone)
  const params = { workspace: workspace.slug }
  const calendar = useCalendarOfOrigin()
  const back = calendar
    ? linkOptions({ to: '/w/$workspace/calendar', params, search: calendar })
    : linkOptions({ to: '/w/$workspace/posts', params })
  const may = usePostPermissions(post)
  const { publish, retry } = usePostActions(post)
  const status = shownStatus(post)
  const isStarting = status !== post.status
  const failed = post.targets.filter(({ status }) => status === 'failed')
  const blocked = isStarting ? [] : post.targets.filter(({ warning }) => warning)
  const rejected = failed.filter(({ error_code }) => error_code === 'rejected_by_network')
  /** The accounts for which only a copy can still be published. */
  const onlyCopy = post.status === 'partially_published' ? rejected.map(({ account_id }) => account_id) : []
  const lost = useLostTarget(failed)
  const retryFirst = failed.length > rejected.length && !lost
  const textOf = useWarningTexts(post)
  useDocumentTitle(post.content.trim().slice(0, 50) || t('post.title'))
  return (
    <Box maw={820}>
      <BackLink {...back}>{t(calendar ? 'pages.calendar' : 'post.back')}</BackLink>
      <PageHeader
        title={t('post.title')}
        about={
          <Group gap="sm" component="span">
            <PostStatusBadge status={statusWithReview(post)} />
            {post.published_at ? (
              <time dateTime={post.published_at}>
                {t('post.published_at', { time: format.full(post.published_at) })}
              </time>
            ) : (
              post.scheduled_at && (
                <time dateTime={post.scheduled_at}>
                  {t('post.scheduled_at', { time: format.full(post.scheduled_at), zone: workspace.timezone })}
                </time>
              )
            )}
          </Group>
        }
      >
        {may.copy && onlyCopy.length > 0 && (
          <ButtonLink
            to="/w/$workspace/posts/new"
            params={{ workspace: workspace.slug }}
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
      <Stack gap="lg">
        <ReviewAlert post={post} />
        <HeldAlert post={post} />
        {failed.length > 0 && (
          <Alert color="coral" icon={<TriangleAlert size={20} />} title={t('post.failed', { count: failed.length })}>
            {t('post.failed_detail')}
          </Alert>
        )}
        {blocked.length > 0 && (
          <Alert color="orange" icon={<TriangleAlert size={20} />} title={t('post.blocked', { count: blocked.length })}>
            {t('post.blocked_detail')}
          </Alert>
        )}
        {post.warnings.length > 0 && post.status === 'draft' && (
          <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('post.warnings')}>
            <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
              {[...new Set(post.warnings.map(textOf))].map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </Alert>
        )}
        <Card component="section" aria-labelledby="text">
          <Title order={2} size="h4" c="dimmed" id="text" mb="xs">
            {t('post.text')}
          </Title>
          <PostContent texts={post} isMain />
          {post.labels.length > 0 && (
            <Group gap="xs" mt="md" aria-label={t('post.labels')}>
              {post.labels.map((label) => (
                <Badge key={label} variant="default" tt="none" fw={500}>
                  {label}
                </Badge>
              ))}
            </Group>
          )}
        </Card>
        <Card component="section" aria-labelledby="targets">
          <Title order={2} size="h4" c="dimmed" id="targets" mb={4}>
            {t(post.status === 'published' ? 'post.published_to' : 'post.where')}
          </Title>
          {post.targets.length === 0 && <Text c="dimmed">{t('post.no_accounts')}</Text>}
          <div aria-live="polite">
            {post.targets.map((target) => (
              <TargetRow key={target.id} target={target} post={post} />
            ))}
          </div>
        </Card>
        <DecisionHistory post={post} />
        {post.published_at && <PostMetricsCard post={post} />}
      </Stack>
    </Box>
  )
}
