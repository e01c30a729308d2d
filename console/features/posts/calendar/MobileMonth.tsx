import { Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostSummary } from '../../../api'
import { useFormat } from '../../../ui/text/format'
import { dayOf, today, toWall } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import { PostRow } from '../list/PostRow'
import type { useSelection } from '../list/selection'
import rows from '../posts.module.css'
import { plannedTime } from '../queries'
import type { CalendarSearch } from '../search-params'
import classes from './Calendar.module.css'
import { type OccurrenceEntry, OccurrenceOutlines } from './OccurrenceOutlines'

/** The month on narrow screens: days with a dot for posts, and the posts of the selected day. */
export function MobileMonth({
  days,
  date,
  posts,
  occurrences,
  calendar,
  notesOn,
  selection,
  onDay,
}: {
  days: string[]
  date: string
  posts: PostSummary[]
  /** Times of recurring posts that have no post. */
  occurrences: OccurrenceEntry[]
  /** The view to go back to from a post. */
  calendar: CalendarSearch
  notesOn: (day: string) => ReactNode
  /** Set while posts are being selected. */
  selection: Pick<ReturnType<typeof useSelection>, 'has' | 'toggle'> | undefined
  onDay: (day: string) => void
}) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const { locale } = useFormat()
  const byDay = useMemo(() => {
    const sorted = posts.toSorted((a, b) => `${plannedTime(a)} ${a.id}`.localeCompare(`${plannedTime(b)} ${b.id}`))
    return Map.groupBy(sorted, (post) => dayOf(toWall(timezone, plannedTime(post) ?? new Date())))
  }, [posts, timezone])
  const write = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))
  const chosen = byDay.get(date) ?? []
  const upcomingDays = new Set(occurrences.map(({ wall }) => dayOf(wall)))
  const upcoming = occurrences.filter(({ wall }) => dayOf(wall) === date)
  return (
    <>
      <div className={classes.phone}>
        {days.slice(0, 7).map((day) => (
          <Text key={day} fz="xs" c="dimmed" ta="center" aria-hidden="true">
            {write(day, { weekday: 'short' })}
          </Text>
        ))}
        {days.map((day) => {
          const count = byDay.get(day)?.length ?? 0
          return (
            <UnstyledButton
              key={day}
              className={classes.phoneDay}
              aria-pressed={day === date}
              aria-label={`${write(day, { day: 'numeric', month: 'long' })}, ${t('calendar.posts', { count })}`}
              data-outside={!day.startsWith(date.slice(0, 7)) || undefined}
              data-now={day === today(timezone) || undefined}
              onClick={() => onDay(day)}
            >
              {Number(day.slice(8))}
              <span
                className={classes.dot}
                data-filled={count > 0 || undefined}
                data-planned={(count === 0 && upcomingDays.has(day)) || undefined}
              />
            </UnstyledButton>
          )
        })}
      </div>
      <Stack gap={2} className={classes.phonePosts}>
        <Title order={2} size="h4" mb={4}>
          {write(date, { weekday: 'long', day: 'numeric', month: 'long' })}
        </Title>
        {notesOn(date)}
        {chosen.length === 0 && upcoming.length === 0 && <Text c="dimmed">{t('calendar.nothing')}</Text>}
        {chosen.map((post) => (
          <div key={post.id} className={rows.item} data-selectable={selection !== undefined || undefined}>
            {selection && (
              <input
                type="checkbox"
                aria-label={t('bulk.select', { text: post.excerpt.slice(0, 60) || t('posts.empty') })}
                checked={selection.has(post.id)}
                onChange={() => selection.toggle(post)}
              />
            )}
            <PostRow post={post} calendar={calendar} />
          </div>
        ))}
        <OccurrenceOutlines entries={upcoming} />
      </Stack>
    </>
  )
}
