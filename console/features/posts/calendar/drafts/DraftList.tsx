import { Button, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostSummary } from '../../../../api'
import { LoadingSkeleton } from '../../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../../ui/feedback/ProblemAlert'
import { NetworkIcon } from '../../../networks/NetworkIcon'
import { useWorkspace } from '../../../workspaces/queries'
import { networksOf } from '../../list/PostRow'
import { usePermissions } from '../../PostActions'
import { draftsQuery } from '../../queries'
import classes from './DraftList.module.css'

type Props = {
  /** The draft that is being dragged. */
  dragged: RefObject<PostSummary | undefined>
  /** Plans a draft at the next free time. */
  onPlan: (draft: PostSummary) => void
  /** Starts a draft. */
  onNew: () => void
}

/** The drafts without a time. One that is dragged onto the calendar is planned there; a click plans it too. */
export function DraftList({ dragged, onPlan, onNew }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const drafts = useQuery(draftsQuery(slug))
  const may = usePermissions()
  const own = drafts.data?.filter((draft) => may(draft).edit) ?? []
  return (
    <Card component="section" padding="md" aria-labelledby="drafts" className={classes.drafts}>
      <Stack gap="xs">
        <Title order={2} size="h4" id="drafts">
          {t('calendar_drafts.title')}
        </Title>
        <Text fz="sm" c="dimmed">
          {t(own.length > 0 ? 'calendar_drafts.about' : 'calendar_drafts.none')}
        </Text>
        {drafts.isPending && <LoadingSkeleton lines={3} height={52} />}
        {drafts.error && <ProblemAlert error={drafts.error} onRetry={() => drafts.refetch()} />}
        <ul className={classes.list}>
          {own.map((draft) => (
            <li
              key={draft.id}
              draggable
              onDragStart={(event) => {
                dragged.current = draft
                event.dataTransfer.effectAllowed = 'move'
              }}
              onDragEnd={() => {
                dragged.current = undefined
              }}
            >
              <button type="button" className={classes.draft} onClick={() => onPlan(draft)}>
                {draft.thumbnail_url && (
                  <img src={draft.thumbnail_url} alt="" width={36} height={36} loading="lazy" draggable={false} />
                )}
                <span className={classes.words} dir="auto" data-empty={draft.excerpt === '' || undefined}>
                  {draft.excerpt.slice(0, 120) || t('posts.empty')}
                </span>
                <span className={classes.networks} aria-hidden="true">
                  {networksOf(draft)
                    .slice(0, 3)
                    .map((network) => (
                      <NetworkIcon key={network} network={network} size={14} />
                    ))}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <Button variant="default" size="sm" onClick={onNew}>
          {t('calendar_drafts.new')}
        </Button>
      </Stack>
    </Card>
  )
}
