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
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import classes from './installation.module.css'
import { type DuePost, duePostsQuery, type Hold, holdQuery, type Release } from './queries'

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

type Choices = Required<Release>

/** Lets an instance admin choose what goes out at the release, which cannot be taken back. */
const cautious: Choices = {
  posts: 'unschedule',
  publish_post_ids: [],
  deliveries: 'drop',
  mails: 'keep',
  agents: 'skip',
  subscriptions: 'skip',
}

const bodyOf = ({ publish_post_ids, ...choices }: Choices): Release => ({
  ...choices,
  ...(choices.posts === 'unschedule' && { publish_post_ids }),
})

function Held({ hold }: { hold: Hold }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const format = useFormat(useMe().timezone)
  // A release that has begun goes on with its choices alone.
  const begun = hold.release
  const [chosen, setChosen] = useState<Choices>(cautious)
  const choices: Choices = begun ? { ...cautious, ...begun } : chosen
  const choose = (changed: Partial<Choices>) => setChosen((before) => ({ ...before, ...changed }))
  const [isAsking, setAsking] = useState(false)
  const release = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/admin/hold/release', { body: bodyOf(choices) })),
    onSuccess: async () => {
      setAsking(false)
      notifications.show({ message: t('admin.hold.released') })
      await queryClient.invalidateQueries({ queryKey: holdQuery.queryKey })
    },
    // A chosen post may have left the list, or another admin released the installation.
    onError: () => {
      choose({ publish_post_ids: [] })
      return queryClient.invalidateQueries({ queryKey: holdQuery.queryKey })
    },
  })
  return (
    <Stack gap="lg">
      <Alert icon={<ArchiveRestore size={18} />} title={t('hold.title')}>
        {t('hold.about', { time: hold.data_until ? format.full(hold.data_until) : '' })} {t('admin.hold.may_repeat')}
      </Alert>
      {begun && <Alert color="yellow">{t('admin.hold.begun')}</Alert>}
      <Card component="section" aria-labelledby="hold-posts">
        <Title order={2} size="h3" id="hold-posts" mb="sm">
          {t('admin.hold.posts', { count: hold.due_posts })}
        </Title>
        {hold.due_posts > 0 && (
          <>
            <Choice
              label={t('admin.hold.posts_choice')}
              value={choices.posts}
              disabled={begun !== null}
              options={[
                ['unschedule', t('admin.hold.unschedule')],
                ['publish', t('admin.hold.publish')],
              ]}
              onChange={(posts) => choose({ posts })}
            />
            <DuePosts
              isChoosing={choices.posts === 'unschedule' && !begun}
              wanted={choices.publish_post_ids}
              setWanted={(publish_post_ids) => choose({ publish_post_ids })}
            />
          </>
        )}
      </Card>
      <Card component="section" aria-labelledby="hold-rest">
        <Title order={2} size="h3" id="hold-rest" mb="sm">
          {t('admin.hold.rest')}
        </Title>
        <Stack gap="md">
          {hold.waiting_deliveries > 0 && (
            <Choice
              label={t('admin.hold.deliveries', { count: hold.waiting_deliveries })}
              value={choices.deliveries}
              disabled={begun !== null}
              options={[
                ['drop', t('admin.hold.drop')],
                ['send', t('admin.hold.send')],
              ]}
              onChange={(deliveries) => choose({ deliveries })}
            />
          )}
          {hold.queued_mails > 0 && (
            <Choice
              label={t('admin.hold.mails', { count: hold.queued_mails })}
              value={choices.mails}
              disabled={begun !== null}
              options={[
                ['keep', t('admin.hold.keep')],
                ['send', t('admin.hold.send')],
              ]}
              onChange={(mails) => choose({ mails })}
            />
          )}
          {hold.due_agents > 0 && (
            <Choice
              label={t('admin.hold.agents', { count: hold.due_agents })}
              value={choices.agents}
              disabled={begun !== null}
              options={[
                ['skip', t('admin.hold.skip')],
                ['run', t('admin.hold.run')],
              ]}
              onChange={(agents) => choose({ agents })}
            />
          )}
          {hold.due_subscriptions > 0 && (
            <Choice
              label={t('admin.hold.subscriptions', { count: hold.due_subscriptions })}
              value={choices.subscriptions}
              disabled={begun !== null}
              options={[
                ['skip', t('admin.hold.skip_requests')],
                ['run', t('admin.hold.run_requests')],
              ]}
              onChange={(subscriptions) => choose({ subscriptions })}
            />
          )}
          {hold.waiting_deliveries + hold.queued_mails + hold.due_agents + hold.due_subscriptions === 0 && (
            <Text c="dimmed">{t('admin.hold.none_waiting')}</Text>
          )}
        </Stack>
      </Card>
      <Group>
        <Button onClick={() => setAsking(true)}>{t(begun ? 'admin.hold.go_on' : 'admin.hold.release')}</Button>
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

/** A choice between two, with the cautious one first. */
function Choice<Value extends string>({
  label,
  value,
  disabled,
  options,
  onChange,
}: {
  label: string
  value: Value
  disabled: boolean
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(name) => onChange(options.find(([each]) => each === name)?.[0] ?? value)}
    >
      <Group my="xs">
        {options.map(([each, text]) => (
          <Radio key={each} value={each} label={text} disabled={disabled} />
        ))}
      </Group>
    </Radio.Group>
  )
}

type Wanted = { isChoosing: boolean; wanted: string[]; setWanted: (ids: string[]) => void }

function DuePosts({ isChoosing, wanted, setWanted }: Wanted) {
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
