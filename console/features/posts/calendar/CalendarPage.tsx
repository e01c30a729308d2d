import { ActionIcon, Button, Card, Group, SegmentedControl, Select, Skeleton, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CalendarSync, ChevronLeft, ChevronRight, StickyNote } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CalendarNote, PostSummary } from '../../../api'
import { withTexts } from '../../../i18n'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { useFormat } from '../../../ui/text/format'
import { dayOf, fromWall, moveDay, today, toWall, type Wall } from '../../../ui/text/time-zone'
import { accountsQuery } from '../../accounts/queries'
import { useMe } from '../../auth/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { calendarQuery, nextHour, visibleDays } from '../queries'
import { queueQuery } from '../queue/queries'
import { type CalendarSearch, type View, views } from '../search-params'
import { Calendar, daysBetween } from './Calendar'
import classes from './Calendar.module.css'
import { HolidayMenu } from './holidays/HolidayMenu'
import { useHolidays } from './holidays/useHolidays'
import { MobileMonth } from './MobileMonth'
import { DayNotes, useCalendarNotes } from './notes/DayNotes'
import { useReschedulePost } from './reschedule'
import { ToolButton } from './ToolButton'
import { useComposePanel } from './useComposePanel'

const ComposePanel = lazy(async () => ({
  default: (await withTexts(import('../compose/ComposePanel'), 'workspace')).ComposePanel,
}))

const CalendarFeedsDialog = lazy(async () => ({
  default: (await import('../sharing/CalendarFeedsDialog')).CalendarFeedsDialog,
}))

const NoteDialog = lazy(async () => ({ default: (await import('./notes/NoteDialog')).NoteDialog }))

const route = getRouteApi('/signed-in/shell/w/$workspace/calendar')

export function CalendarPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.calendar'))
  const workspace = useWorkspace()
  const me = useMe()
  const { slug, timezone } = workspace
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const view: View = narrow && search.view === 'week' ? 'day' : (search.view ?? 'month')
  const date = search.date ?? today(timezone)
  const { from, to } = visibleDays({ view, date }, timezone)
  const posts = useQuery(calendarQuery(workspace, { ...search, view, date }))
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const mayWrite = isAtLeast(workspace, 'author')
  /** The account whose free slots are shown. */
  const planned = search.account ?? (accounts.length === 1 ? accounts[0]?.id : undefined)
  const { notes, error: notesError } = useCalendarNotes(from, to)
  const [note, setNote] = useState<CalendarNote | 'new'>()
  const holidays = useHolidays()
  const notesOn = (day: string) => <DayNotes holiday={holidays.nameOf(day)} notes={notes.get(day)} onOpen={setNote} />
  const freeSlots = useFreeSlots(mayWrite ? planned : undefined, from, to)
  const mayMove = ({ status, author_id }: PostSummary) =>
    status === 'scheduled' && mayWrite && (isAtLeast(workspace, 'editor') || author_id === me.id)

  const go = (changed: { [Key in keyof CalendarSearch]: CalendarSearch[Key] | undefined }) =>
    void navigate({
      search: (before) => ({ ...before, ...changed }),
      resetScroll: false,
      // The panel stays open, and closing it goes back to where it was opened.
      ignoreBlocker: true,
      replace: search.compose !== undefined,
    })
  /** Where a post that is opened leads back to. */
  const shown = { ...search, compose: undefined, at: undefined }
  const open = ({ id }: PostSummary) =>
    void navigate({
      to: '/w/$workspace/posts/$post',
      params: { workspace: slug, post: id },
      state: { calendar: shown },
    })
  const follow = (wall: Wall) => {
    if (dayOf(wall) < from || dayOf(wall) >= to) go({ date: dayOf(wall) })
  }
  const panel = useComposePanel(follow)
  const compose = (wall: Wall) => {
    const next = nextHour(timezone)
    panel.open(wall < next ? next : wall)
  }
  const move = useReschedulePost(workspace, follow)

  return (
    <div className={classes.page} data-full-width data-composing={panel.compose !== undefined || undefined}>
      <Header view={view} date={date} narrow={narrow} go={go}>
        <Select
          aria-label={t('posts.by_account')}
          placeholder={t('posts.any_account')}
          size="sm"
          clearable
          w={{ base: 130, sm: 190 }}
          data={accounts.map(({ id, name, handle }) => ({ value: id, label: `${name} (@${handle})` }))}
          value={search.account ?? null}
          onChange={(account) => go({ account: account ?? undefined })}
        />
        {mayWrite && (
          <ToolButton label={t('calendar_notes.add')} onClick={() => setNote('new')}>
            <StickyNote size={18} />
          </ToolButton>
        )}
        <HolidayMenu country={holidays.country} choose={holidays.choose} />
        <CalendarFeeds />
      </Header>
      {notesError && <ProblemAlert error={notesError} />}
      {posts.error && <ProblemAlert error={posts.error} onRetry={() => posts.refetch()} />}
      {!(posts.error && !posts.data) && (
        <Card padding={0} className={classes.calendar} data-view={view} aria-busy={posts.isPending}>
          {posts.isPending && <Skeleton className={classes.waiting} role="status" aria-label={t('ui.loading')} />}
          {narrow && view === 'month' ? (
            <MobileMonth
              days={daysBetween(from, to)}
              date={date}
              posts={posts.data ?? []}
              calendar={shown}
              notesOn={notesOn}
              onDay={(day) => go({ date: day })}
            />
          ) : (
            <Calendar
              view={view}
              days={daysBetween(from, to)}
              month={date.slice(0, 7)}
              posts={posts.data ?? noPosts}
              zone={timezone}
              hrefOf={({ id }) => `/w/${slug}/posts/${id}`}
              mayMove={mayMove}
              freeSlots={freeSlots}
              notesOn={notesOn}
              onFreeSlot={panel.open}
              onOpen={open}
              onMove={move}
              onCompose={mayWrite ? compose : undefined}
              onDay={(day) => go({ view: 'day', date: day })}
            />
          )}
        </Card>
      )}
      <Text c="dimmed" fz="sm" mt="sm" id="how-to-move">
        {t(mayWrite && !narrow ? 'calendar.how' : 'calendar.zone', { zone: timezone })}
      </Text>
      {note && (
        <Suspense fallback={null}>
          <NoteDialog
            {...(note !== 'new' && { note })}
            day={search.date ?? today(timezone)}
            mayWrite={mayWrite}
            onClose={() => setNote(undefined)}
          />
        </Suspense>
      )}
      {panel.compose && (
        <Suspense fallback={null}>
          <ComposePanel
            compose={panel.compose}
            at={panel.at}
            account={planned}
            onChange={panel.change}
            onClose={panel.close}
            onEnd={panel.end}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The wall-clock times of free slots between two days. None without an account. */
function useFreeSlots(account: string | undefined, from: string, to: string) {
  const { slug, timezone } = useWorkspace()
  const entries = useQuery({
    ...queueQuery(slug, account ?? '', {
      from: fromWall(timezone, `${from} 00:00:00`).toISOString(),
      to: fromWall(timezone, `${to} 00:00:00`).toISOString(),
    }),
    enabled: account !== undefined,
  }).data?.data
  return useMemo(
    () => (entries ?? []).flatMap(({ time, post }) => (post ? [] : [toWall(timezone, time)])),
    [entries, timezone],
  )
}

/** Constant, so that the calendar does not recompute its cells on every render. */
const noPosts: PostSummary[] = []

function Header({
  view,
  date,
  narrow,
  go,
  children,
}: {
  view: View
  date: string
  narrow: boolean
  go: (changed: CalendarSearch) => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const { locale } = useFormat()
  const step = (by: 1 | -1) => {
    if (view !== 'month') return go({ date: moveDay(date, by * (view === 'week' ? 7 : 1)) })
    const first = new Date(`${date.slice(0, 7)}-01T00:00:00Z`)
    first.setUTCMonth(first.getUTCMonth() + by)
    go({ date: first.toISOString().slice(0, 10) })
  }
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Group gap="xs">
        <Title order={1} className={classes.title} aria-live="polite">
          {periodName(view, date, timezone, locale)}
        </Title>
        <Group gap={6} wrap="nowrap">
          <ActionIcon variant="default" size={34} aria-label={t(`calendar.previous_${view}`)} onClick={() => step(-1)}>
            <ChevronLeft size={18} />
          </ActionIcon>
          <ActionIcon variant="default" size={34} aria-label={t(`calendar.next_${view}`)} onClick={() => step(1)}>
            <ChevronRight size={18} />
          </ActionIcon>
          <Button variant="default" size="sm" onClick={() => go({ date: today(timezone) })}>
            {t('calendar.today')}
          </Button>
        </Group>
      </Group>
      <Group gap="sm">
        <SegmentedControl
          size="sm"
          aria-label={t('calendar.view')}
          value={view}
          onChange={(name) => go({ view: views.find((known) => known === name) ?? 'month' })}
          data={views
            .filter((name) => !narrow || name !== 'week')
            .map((value) => ({ value, label: t(`calendar.${value}`) }))}
        />
        {children}
      </Group>
    </Group>
  )
}

/** Opens the addresses for other calendar programs. */
function CalendarFeeds() {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<boolean>()
  return (
    <>
      <ToolButton label={t('calendar_feeds.button')} onClick={() => setOpened(true)}>
        <CalendarSync size={18} />
      </ToolButton>
      {opened !== undefined && (
        <Suspense fallback={null}>
          <CalendarFeedsDialog opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
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
