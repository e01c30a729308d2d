import { ActionIcon, Button, Group, SegmentedControl, Title } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import { moveDay, today } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import { GRID_DAYS, visibleDays } from '../queries'
import { type CalendarSearch, type View, views } from '../search-params'
import classes from './Calendar.module.css'

/** Days to the previous and the next period. */
const steps = { week: 7, cards: 7, day: 1, grid: GRID_DAYS }
/** Names of the periods in the labels of the buttons to the previous and the next one. */
const periods = { month: 'month', week: 'week', cards: 'week', day: 'day', grid: 'posts' } as const

/** The period that is shown, and what changes the view. `go` moves, `choose` also remembers. */
export function CalendarHeader({
  view,
  date,
  narrow,
  go,
  choose,
  children,
}: {
  view: View
  date: string
  narrow: boolean
  go: (changed: CalendarSearch) => void
  choose: (changed: CalendarSearch) => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const { locale } = useFormat()
  const step = (by: 1 | -1) => {
    if (view !== 'month') return go({ date: moveDay(date, by * steps[view]) })
    const first = new Date(`${date.slice(0, 7)}-01T00:00:00Z`)
    first.setUTCMonth(first.getUTCMonth() + by)
    const day = first.toISOString().slice(0, 10)
    const now = today(timezone)
    go({ date: now.startsWith(day.slice(0, 7)) ? now : day })
  }
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Group gap="xs">
        <Title order={1} className={classes.title} aria-live="polite">
          {periodName(view, date, timezone, locale)}
        </Title>
        <Group gap={6} wrap="nowrap">
          <ActionIcon
            variant="default"
            size={34}
            aria-label={t(`calendar.previous_${periods[view]}`)}
            onClick={() => step(-1)}
          >
            <ChevronLeft size={18} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={34}
            aria-label={t(`calendar.next_${periods[view]}`)}
            onClick={() => step(1)}
          >
            <ChevronRight size={18} />
          </ActionIcon>
          <Button variant="default" size="sm" onClick={() => go({ date: today(timezone) })}>
            {t('calendar.today')}
          </Button>
        </Group>
      </Group>
      <Group gap="sm" className={classes.notPrinted}>
        <SegmentedControl
          size="sm"
          aria-label={t('calendar.view')}
          value={view}
          onChange={(name) => choose({ view: views.find((known) => known === name) ?? 'month' })}
          data={views
            .filter((name) => !narrow || name !== 'week')
            .map((value) => ({ value, label: t(`calendar.${value}`) }))}
        />
        {children}
      </Group>
    </Group>
  )
}

function periodName(view: View, date: string, zone: string, locale: string) {
  const at = (day: string) => new Date(`${day}T12:00:00Z`)
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  if (view === 'month') return write({ month: 'long', year: 'numeric' }).format(at(date))
  if (view === 'day') return write({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(at(date))
  const { from, to } = visibleDays({ view, date }, zone)
  return write({ day: 'numeric', month: 'short', year: 'numeric' }).formatRange(at(from), at(moveDay(to, -1)))
}
