import { Box, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CirclePlay } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { BackLink } from '../../ui/navigation/BackLink'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { LinkifiedText } from '../../ui/text/LinkifiedText'
import { AccountAvatar } from '../accounts/AccountAvatar'
import { PreviewGrid } from '../media/attachments/PreviewGrid'
import { useWorkspace } from '../workspaces/queries'
import classes from './Playground.module.css'
import { playgroundQuery } from './playground-queries'

const route = getRouteApi('/signed-in/shell/w/$workspace/playground')

type PlaygroundPost = components['schemas']['PlaygroundPost']

/** The timeline as readers would see it. If the address names a post, that post is first. */
export function PlaygroundPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.playground'))
  const workspace = useWorkspace()
  const { post: wanted } = route.useSearch()
  const timeline = useInfiniteQuery(playgroundQuery(workspace.slug))
  const posts = timeline.data?.pages.flatMap(({ data }) => data) ?? []
  const single = useQuery({
    queryKey: ['playground', workspace.slug, 'one', wanted],
    queryFn: () =>
      unwrap(workspaceApi(workspace.slug).GET('/api/v1/playground/{id}', { params: { path: { id: wanted ?? '' } } })),
    enabled: wanted !== undefined,
  })
  return (
    <Box maw={640} mx="auto">
      <BackLink to="/w/$workspace/accounts" params={{ workspace: workspace.slug }}>
        {t('pages.accounts')}
      </BackLink>
      <PageHeader title={t('pages.playground')} about={t('playground.about')} />
      {timeline.error && <ProblemAlert error={timeline.error} onRetry={() => timeline.refetch()} />}
      {single.error && <ProblemAlert error={single.error} />}
      {timeline.isPending && <LoadingSkeleton lines={3} height={140} />}
      {timeline.data && posts.length === 0 && (
        <Card padding={0}>
          <EmptyState
            icon={<CirclePlay size={26} />}
            title={t('playground.none')}
            action={
              <ButtonLink to="/w/$workspace/posts/new" params={{ workspace: workspace.slug }}>
                {t('shell.new_post')}
              </ButtonLink>
            }
          >
            {t('playground.none_detail')}
          </EmptyState>
        </Card>
      )}
      <Stack component="section" aria-label={t('playground.timeline')}>
        {single.data && <PlaygroundEntry post={single.data} wanted />}
        {posts
          .filter(({ id }) => id !== single.data?.id)
          .map((post) => (
            <PlaygroundEntry key={post.id} post={post} />
          ))}
      </Stack>
      <LoadMore of={timeline} />
    </Box>
  )
}

function PlaygroundEntry({ post, wanted = false }: { post: PlaygroundPost; wanted?: boolean }) {
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const id = `playground-${post.id}`
  useEffect(() => {
    if (wanted) document.getElementById(id)?.scrollIntoView({ block: 'center' })
  }, [wanted, id])
  return (
    <Card component="article" id={id} className={classes.entry} data-wanted={wanted || undefined}>
      <Group wrap="nowrap" align="flex-start">
        <AccountAvatar id={post.account_id} name={post.account_name} />
        <div style={{ minWidth: 0, flex: 1 }}>
          <Group gap={6} align="baseline">
            <Title order={2} size="h4">
              {post.account_name}
            </Title>
            <Text c="dimmed" fz="sm">
              @{post.handle} ·{' '}
              <time dateTime={post.created_at} title={format.full(post.created_at)}>
                {format.ago(post.created_at)}
              </time>
            </Text>
          </Group>
          <Text className="text" dir="auto" mt={4} fz="lg">
            <LinkifiedText text={post.content} />
          </Text>
          <PreviewGrid ids={post.media_ids} />
        </div>
      </Group>
    </Card>
  )
}
