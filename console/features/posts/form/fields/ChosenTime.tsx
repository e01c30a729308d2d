import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../ui/text/format'
import { fromWall } from '../../../../ui/text/time-zone'
import { useWorkspace } from '../../../workspaces/queries'
import classes from '../../posts.module.css'
import { nextSlotQuery } from '../../queue/queries'
import type { PostDraft } from '../form-values'

/** The chosen time beside the buttons, which are in view when its field is not. A click leads to the field. */
export function ChosenTime({ draft, onClick }: { draft: PostDraft; onClick: () => void }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const { when, wall, accounts } = draft
  const slot = useQuery({ ...nextSlotQuery(slug, accounts), enabled: when === 'queue' && accounts.length > 0 }).data
  const time = when === 'later' && wall ? fromWall(timezone, wall) : when === 'queue' ? slot?.time : undefined
  if (!time) return null
  return (
    <Button
      className={classes.chosenTime}
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      size="md"
      px="xs"
      leftSection={<CalendarClock size={18} aria-hidden="true" />}
      aria-label={t('compose.chosen_time', { time: format.dateTime(time) })}
      onClick={onClick}
    >
      <time dateTime={new Date(time).toISOString()}>{format.dateTime(time)}</time>
    </Button>
  )
}
