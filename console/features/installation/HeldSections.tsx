import { Card, Checkbox, Group, Radio, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import classes from './installation.module.css'
import { type DuePost, duePostsQuery, type Hold, type Release } from './queries'

export type Choices = Required<Release>

type SectionProps = {
  hold: Hold
  choices: Choices
  choose: (changed: Partial<Choices>) => void
  disabled: boolean
}

/** The posts that are due, and what happens to them. */
export function HeldPosts({ hold, choices, choose, disabled }: SectionProps) {
  const { t } = useTranslation()
  return (
    <Card component="section" aria-labelledby="hold-posts">
      <Title order={2} size="h3" id="hold-posts" mb="sm">
        {t('admin.hold.posts', { count: hold.due_posts })}
      </Title>
      {hold.due_posts > 0 && (
        <>
          <Choice
            label={t('admin.hold.posts_choice')}
            value={choices.posts}
            disabled={disabled}
            options={[
              ['unschedule', t('admin.hold.unschedule')],
              ['publish', t('admin.hold.publish')],
            ]}
            onChange={(posts) => choose({ posts })}
          />
          <DuePosts
            isChoosing={choices.posts === 'unschedule' && !disabled}
            wanted={choices.publish_post_ids}
            setWanted={(publish_post_ids) => choose({ publish_post_ids })}
          />
        </>
      )}
    </Card>
  )
}

/** Lists the deliveries, mails, agents and renewals that wait, each with its choice. */
export function HeldRest({ hold, choices, choose, disabled }: SectionProps) {
  const { t } = useTranslation()
  const { waiting_deliveries, queued_mails, due_agents, due_subscriptions } = hold
  return (
    <Card component="section" aria-labelledby="hold-rest">
      <Title order={2} size="h3" id="hold-rest" mb="sm">
        {t('admin.hold.rest')}
      </Title>
      <Stack gap="md">
        {waiting_deliveries > 0 && (
          <Choice
            label={t('admin.hold.deliveries', { count: waiting_deliveries })}
            value={choices.deliveries}
            disabled={disabled}
            options={[
              ['drop', t('admin.hold.drop')],
              ['send', t('admin.hold.send')],
            ]}
            onChange={(deliveries) => choose({ deliveries })}
          />
        )}
        {queued_mails > 0 && (
          <Choice
            label={t('admin.hold.mails', { count: queued_mails })}
            value={choices.mails}
            disabled={disabled}
            options={[
              ['keep', t('admin.hold.keep')],
              ['send', t('admin.hold.send')],
            ]}
            onChange={(mails) => choose({ mails })}
          />
        )}
        {due_agents > 0 && (
          <Choice
            label={t('admin.hold.agents', { count: due_agents })}
            value={choices.agents}
            disabled={disabled}
            options={[
              ['skip', t('admin.hold.skip')],
              ['run', t('admin.hold.run')],
            ]}
            onChange={(agents) => choose({ agents })}
          />
        )}
        {due_subscriptions > 0 && (
          <Choice
            label={t('admin.hold.subscriptions', { count: due_subscriptions })}
            value={choices.subscriptions}
            disabled={disabled}
            options={[
              ['skip', t('admin.hold.skip_requests')],
              ['run', t('admin.hold.run_requests')],
            ]}
            onChange={(subscriptions) => choose({ subscriptions })}
          />
        )}
        {waiting_deliveries + queued_mails + due_agents + due_subscriptions === 0 && (
          <Text c="dimmed">{t('admin.hold.none_waiting')}</Text>
        )}
      </Stack>
    </Card>
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
