import { ActionIcon, Button, Card, SegmentedControl, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostSummary } from '../../../../api'
import { LoadingSkeleton } from '../../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { LoadMore } from '../../../../ui/navigation/LoadMore'
import { useMe } from '../../../auth/queries'
import { NetworkIcon } from '../../../networks/NetworkIcon'
import { isAtLeast, useWorkspace } from '../../../workspaces/queries'
import { networksOf } from '../../list/PostRow'
import { unplannedKinds, unplannedQuery } from '../../queries'
import { NewIdea } from './NewIdea'
import classes from './UnplannedList.module.css'

type Props = {
  /** The post that is being dragged. */
  dragged: RefObject<PostSummary | undefined>
  /** Plans a post at the next free time. */
  onPlan: (post: PostSummary) => void
  /** Lets the user choose a cell of the calendar for a post; undefined where it shows none. */
  onPick: ((post: PostSummary) => void) | undefined
  /** Starts a post. */
  onNew: () => void
}

/** The ideas and the drafts without a time. One that is dragged onto the calendar is planned there; a click plans it too. */
export function UnplannedList({ dragged, onPlan, onPick, onNew }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const me = useMe()
  const [kind, setKind] = useState<(typeof unplannedKinds)[number]>('ideas')
  // Authors can plan only their own.
  const author = isAtLeast(workspace, 'editor') ? undefined : me.id
  const posts = useInfiniteQuery(unplannedQuery(workspace.slug, kind, author))
  const shown = posts.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Card component="section" padding="md" aria-label={t('calendar_unplanned.title')} className={classes.posts}>
      <Stack gap="xs">
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={t('calendar_unplanned.show')}
          value={kind}
          onChange={setKind}
          data={unplannedKinds.map((value) => ({ value, label: t(`calendar_unplanned.${value}`) }))}
        />
        <Text fz="sm" c="dimmed">
          {t(
            posts.data && shown.length === 0
              ? `calendar_unplanned.no_${kind}`
              : `calendar_unplanned.${onPick ? 'about' : 'about_list'}`,
          )}
        </Text>
        {kind === 'ideas' && <NewIdea />}
        {posts.isPending && <LoadingSkeleton lines={3} height={52} />}
        {posts.error && <ProblemAlert error={posts.error} onRetry={() => posts.refetch()} />}
        <ul className={classes.list} id="unplanned">
          {shown.map((post) => (
            <li
              key={post.id}
              draggable
              onDragStart={(event) => {
                dragged.current = post
                event.dataTransfer.effectAllowed = 'move'
              }}
              onDragEnd={() => {
                dragged.current = undefined
              }}
            >
              <button type="button" className={classes.post} onClick={() => onPlan(post)}>
                {post.thumbnail_url && (
                  <img src={post.thumbnail_url} alt="" width={36} height={36} loading="lazy" draggable={false} />
                )}
                <span className={classes.words} dir="auto" data-empty={post.excerpt === '' || undefined}>
                  {post.excerpt.slice(0, 120) || t('posts.empty')}
                </span>
                <span className={classes.networks} aria-hidden="true">
                  {networksOf(post)
                    .slice(0, 3)
                    .map((network) => (
                      <NetworkIcon key={network} network={network} size={14} />
                    ))}
                </span>
              </button>
              {onPick && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="md"
                  data-pick={post.id}
                  aria-label={t('calendar_unplanned.pick', { text: post.excerpt.slice(0, 60) || t('posts.empty') })}
                  onClick={() => onPick(post)}
                >
                  <CalendarPlus size={17} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
        <LoadMore of={posts} list="#unplanned" />
        {kind === 'drafts' && (
          <Button variant="default" size="sm" onClick={onNew}>
            {t('calendar_unplanned.new')}
          </Button>
        )}
      </Stack>
    </Card>
  )
}
