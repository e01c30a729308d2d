import { Alert, Button, Card, Checkbox, Code, Group, Radio, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArchiveRestore, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../api'
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { Fact, FactList } from '../../ui/layout/FactList'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import classes from './installation.module.css'
import { type DuePost, duePostsQuery, type Hold, holdQuery } from './queries'

/** Shows what a restored installation would send, and releases it. */
export function HoldPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.hold'))
  const hold = useQuery(holdQuery)
  return (
    <>
      <PageHeader title={t('pages.hold')} about={t('admin.hold.about')} />
      {hold.error && !hold.data && <ProblemAlert error={hold.error} onRetry={() => hold.refetch()} />}
      {hold.isPending && <LoadingSkeleton lines={5} />}
      {hold.data?.held === false && (
        <Card>
          <EmptyState icon={<CircleCheck size={26} />} title={t('admin.hold.none')}>
            {t('admin.hold.none_detail')} <Code>npm run meydan -- backup meydan.backup</Code>
          </EmptyState>
        </Card>
      )}
      {hold.data?.held && <Held hold={hold.data} />}
    </>
  )
}

function Held({ hold }: { hold: Hold }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const format = useFormat(useMe().timezone)
  const [posts, setPosts] = useState<'publish' | 'unschedule'>('unschedule')
  const [deliveries, setDeliveries] = useState<'send' | 'drop'>('drop')
  const [mails, setMails] = useState<'send' | 'keep'>('keep')
  const [wanted, setWanted] = useState<string[]>([])
  const [isAsking, setAsking] = useState(false)
  const release = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/v1/admin/hold/release', {
          body: { posts, deliveries, mails, ...(posts === 'unschedule' && { publish_post_ids: wanted }) },
        }),
      ),
    onSuccess: async () => {
      setAsking(false)
      notifications.show({ message: t('admin.hold.released') })
      await queryClient.invalidateQueries({ queryKey: holdQuery.queryKey })
    },
    // A chosen post may have left the list, or another admin released the installation.
    onError: () => {
      setWanted([])
      return queryClient.invalidateQueries({ queryKey: holdQuery.queryKey })
    },
  })
  return (
    <Stack gap="lg">
      <Alert icon={<ArchiveRestore size={18} />} title={t('hold.title')}>
        {t('hold.about', { time: hold.data_until ? format.full(hold.data_until) : '' })} {t('admin.hold.may_repeat')}
      </Alert>
      <Card component="section" aria-labelledby="hold-posts">
        <Title order={2} size="h3" id="hold-posts" mb="sm">
          {t('admin.hold.posts', { count: hold.due_posts })}
        </Title>
        {hold.due_posts > 0 && (
          <>
            <Radio.Group
              label={t('admin.hold.posts_choice')}
              value={posts}
              onChange={(value) => setPosts(value === 'publish' ? 'publish' : 'unschedule')}
            >
              <Stack gap="xs" mt="xs" mb="md">
                <Radio value="unschedule" label={t('admin.hold.unschedule')} />
                <Radio value="publish" label={t('admin.hold.publish')} />
              </Stack>
            </Radio.Group>
            <DuePosts isChoosing={posts === 'unschedule'} wanted={wanted} setWanted={setWanted} />
          </>
        )}
      </Card>
      <Card component="section" aria-labelledby="hold-rest">
        <Title order={2} size="h3" id="hold-rest" mb="sm">
          {t('admin.hold.rest')}
        </Title>
        <Stack gap="md">
          {hold.waiting_deliveries > 0 && (
            <Radio.Group
              label={t('admin.hold.deliveries', { count: hold.waiting_deliveries })}
              value={deliveries}
              onChange={(value) => setDeliveries(value === 'send' ? 'send' : 'drop')}
            >
              <Group mt="xs">
                <Radio value="drop" label={t('admin.hold.drop')} />
                <Radio value="send" label={t('admin.hold.send')} />
              </Group>
            </Radio.Group>
          )}
          {hold.queued_mails > 0 && (
            <Radio.Group
              label={t('admin.hold.mails', { count: hold.queued_mails })}
              value={mails}
              onChange={(value) => setMails(value === 'send' ? 'send' : 'keep')}
            >
              <Group mt="xs">
                <Radio value="keep" label={t('admin.hold.keep')} />
                <Radio value="send" label={t('admin.hold.send')} />
              </Group>
            </Radio.Group>
          )}
          <FactList>
            <Fact name={t('admin.hold.agents')}>{hold.due_agents}</Fact>
            <Fact name={t('admin.hold.subscriptions')}>{hold.due_subscriptions}</Fact>
          </FactList>
        </Stack>
      </Card>
      <Group>
        <Button onClick={() => setAsking(true)}>{t('admin.hold.release')}</Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('admin.hold.release_title')}
        confirm={t('admin.hold.release')}
        mutation={release}
        onConfirm={() => release.mutate()}
      >
        {t('admin.hold.release_about')}
      </ConfirmDialog>
    </Stack>
  )
}

type Choice = { isChoosing: boolean; wanted: string[]; setWanted: (ids: string[]) => void }

function DuePosts({ isChoosing, wanted, setWanted }: Choice) {
  const { t } = useTranslation()
  const list = useInfiniteQuery(duePostsQuery)
  const posts = list.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      {list.error && !posts && <ProblemAlert error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <LoadingSkeleton lines={3} />}
      {posts && (
        <ul className={classes.list} aria-label={t('admin.hold.posts_list')}>
          {posts.map((post) => (
            <li key={post.id} className={classes.row}>
              <DuePostRow post={post}>
                {isChoosing && (
                  <Checkbox
                    label={t('admin.hold.publish_this')}
                    aria-label={t('admin.hold.publish_named', { text: post.excerpt || t('admin.hold.no_text') })}
                    checked={wanted.includes(post.id)}
                    onChange={({ currentTarget: { checked } }) =>
                      setWanted(checked ? [...wanted, post.id] : wanted.filter((id) => id !== post.id))
                    }
                  />
                )}
              </DuePostRow>
            </li>
          ))}
        </ul>
      )}
      <LoadMore of={list} />
    </>
  )
}

function DuePostRow({ post, children }: { post: DuePost; children: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  return (
    <>
      <div className={classes.what}>
        <Text className="text" lineClamp={2}>
          {post.excerpt || t('admin.hold.no_text')}
        </Text>
        <Text c="dimmed" fz="sm">
          {post.workspace_name} · {format.full(post.scheduled_at)} · {format.list(post.networks)}
        </Text>
      </div>
      {children}
    </>
  )
}
