import { Avatar, Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CirclePlay } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, workspaceApi } from '../../api'
import type { components } from '../../api.gen'
import { useFormat } from '../../ui/format'
import { Linked } from '../../ui/Linked'
import { More } from '../../ui/More'
import { Empty, PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { useWorkspace } from '../workspaces/queries'
import classes from './Playground.module.css'
import { playgroundQuery } from './playground'

const route = getRouteApi('/inside/shell/w/$workspace/playground')

type PlaygroundPost = components['schemas']['PlaygroundPost']

/** The timeline as its readers would see it. An address that names a post shows that one first. */
export function PlaygroundPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.playground'))
  const workspace = useWorkspace()
  const { post: wanted } = route.useSearch()
  const timeline = useInfiniteQuery(playgroundQuery(workspace.slug))
  const posts = timeline.data?.pages.flatMap(({ data }) => data) ?? []
  const single = useQuery({
    queryKey: ['playground', workspace.slug, 'one', wanted],
    queryFn: () =>
      answered(workspaceApi(workspace.slug).GET('/api/v1/playground/{id}', { params: { path: { id: wanted ?? '' } } })),
    enabled: wanted !== undefined,
  })
  return (
    <Box maw={640} mx="auto">
      <PageHead title={t('rooms.playground')} about={t('playground.about')} />
      {timeline.error && <Problem error={timeline.error} onRetry={() => timeline.refetch()} />}
      {single.error && <Problem error={single.error} />}
      {timeline.isPending && <Waiting lines={3} height={140} />}
      {timeline.data && posts.length === 0 && (
        <Card padding={0}>
          <Empty
            icon={<CirclePlay size={26} />}
            title={t('playground.none')}
            action={
              <Button
                renderRoot={(props) => (
                  <Link to="/w/$workspace/posts/new" params={{ workspace: workspace.slug }} {...props} />
                )}
              >
                {t('shell.new_post')}
              </Button>
            }
          >
            {t('playground.none_detail')}
          </Empty>
        </Card>
      )}
      <Stack component="section" aria-label={t('playground.timeline')}>
        {single.data && <Entry post={single.data} wanted />}
        {posts
          .filter(({ id }) => id !== single.data?.id)
          .map((post) => (
            <Entry key={post.id} post={post} />
          ))}
      </Stack>
      <More of={timeline} />
    </Box>
  )
}

function Entry({ post, wanted = false }: { post: PlaygroundPost; wanted?: boolean }) {
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const id = `playground-${post.id}`
  useEffect(() => {
    if (wanted) document.getElementById(id)?.scrollIntoView({ block: 'center' })
  }, [wanted, id])
  return (
    <Card component="article" id={id} className={classes.entry} data-wanted={wanted || undefined}>
      <Group wrap="nowrap" align="flex-start">
        <Avatar name={post.account_name} aria-hidden="true" />
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
          <Text className="text" mt={4} fz="lg">
            <Linked text={post.content} />
          </Text>
        </div>
      </Group>
    </Card>
  )
}
