import '@mantine/dates/styles.layer.css'
import '@mantine/schedule/styles.layer.css'
import {
  ActionIcon,
  Button,
  Group,
  SegmentedControl,
  Select,
  Skeleton,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { DayView, MobileMonthView, MonthView, type ScheduleEventData, WeekView } from '@mantine/schedule'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, PenLine } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Post, Workspace } from '../../api'
import { DatesInLanguage } from '../../ui/DatesInLanguage'
import { useFormat } from '../../ui/format'
import { Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { dayOf, moveDay, moveWall, today, toWall, type Wall } from '../../ui/zone'
import { accountsQuery } from '../accounts/queries'
import { useMe } from '../auth/queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import classes from './Calendar.module.css'
import { useMovePost } from './move'
import { nextHour } from './PostForm'
import { Networks } from './PostRow'
import { calendarQuery, visibleDays } from './queries'
import { looks } from './Status'
import { type CalendarSearch, type View, views } from './search'

const route = getRouteApi('/inside/shell/w/$workspace/calendar')

/** How long a post is drawn in a week or a day: long enough to be read. It has no length of its own. */
const DRAWN_MINUTES = 45
/** When a post is to go out that was begun by a click on a day. */
const MORNING = '09:00:00'

export function CalendarPage() {
  const { t, i18n } = useTranslation()
  useTitle(t('rooms.calendar'))
  const workspace = useWorkspace()
  const { slug, timezone } = workspace
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const view: View = narrow && search.view === 'week' ? 'day' : (search.view ?? 'month')
  const date = search.date ?? today(timezone)
  const shown: CalendarSearch = { ...search, view, date }
  const posts = useQuery(calendarQuery(workspace, shown))
  const accounts = useQuery(accountsQuery(slug)).data ?? []
  const mayWrite = isAtLeast(workspace, 'author')
  const mayMove = useMayMove(workspace)
  const events = useMemo(
    () => (posts.data ?? []).map((post) => toEvent(post, timezone, t('posts.empty'))),
    [posts.data, timezone, t],
  )

  const go = (changed: CalendarSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  const open = ({ id }: ScheduleEventData) =>
    void navigate({ to: '/w/$workspace/posts/$post', params: { workspace: slug, post: String(id) } })
  const compose = (at: Wall) => {
    const next = nextHour(timezone)
    if (!mayWrite || dayOf(at) < dayOf(next)) return
    void navigate({
      to: '/w/$workspace/posts/new',
      params: { workspace: slug },
      search: { at: at < next ? next : at },
    })
  }

  const move = useMovePost(workspace, (wall) => {
    const { from, to } = visibleDays(shown, timezone)
    if (dayOf(wall) < from || dayOf(wall) >= to) go({ date: dayOf(wall) })
  })
  const focused = useRef<string>(undefined)
  // A post that was moved by key is drawn anew in another place: the focus goes with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each drawing of the events
  useEffect(() => {
    if (focused.current) document.querySelector<HTMLElement>(`[data-event-id="${focused.current}"]`)?.focus()
  }, [events])
  const onKeyDown = (event: KeyboardEvent, { id, payload }: ScheduleEventData) => {
    const post: Post | undefined = payload?.post
    const by = event.shiftKey && keySteps(view)[event.key]
    if (!by || !post || !mayMove(post) || !post.scheduled_at) return
    event.preventDefault()
    event.stopPropagation()
    focused.current = String(id)
    move(post, moveWall(toWall(timezone, post.scheduled_at), by), { soon: true })
  }

  const renderEvent = (event: ScheduleEventData, { children, ...props }: ComponentProps<'button'>) => (
    <UnstyledButton
      {...props}
      title={undefined}
      aria-describedby={mayMove(event.payload?.post) ? 'how-to-move' : undefined}
      onKeyDown={(pressed: KeyboardEvent) => onKeyDown(pressed, event)}
      onBlur={() => {
        focused.current = undefined
      }}
    >
      {children}
    </UnstyledButton>
  )
  const common = {
    date,
    events,
    withHeader: false,
    radius: 'lg',
    renderEvent,
    renderEventBody: ({ payload }: ScheduleEventData) => payload && <Chip post={payload.post} zone={timezone} />,
    onEventClick: open,
    withEventsDragAndDrop: mayWrite && !narrow,
    canDragEvent: ({ payload }: ScheduleEventData) => mayMove(payload?.post),
    onEventDrop: ({ newStart, event }: { newStart: Wall; event: ScheduleEventData }) =>
      event.payload && move(event.payload.post, newStart),
    labels: {
      more: t('calendar.more'),
      moreLabel: (count: number) => t('calendar.more_count', { count }),
      noEvents: t('calendar.nothing'),
    },
    locale: i18n.language,
  }
  const inTimes = {
    ...common,
    withAllDaySlots: false,
    slotLabelFormat: 'HH:mm',
    eventDragInterval: 15,
    startScrollTime: '08:00:00',
    getCurrentTime: () => toWall(timezone, new Date()),
    onTimeSlotClick: ({ slotStart }: { slotStart: Wall }) => compose(slotStart),
  }
  const dayProps = (day: string) => ({ mod: { now: day === today(timezone) }, 'aria-selected': undefined })

  return (
    <DatesInLanguage>
      <Header view={view} date={date} narrow={narrow ?? false} go={go}>
        <Select
          aria-label={t('posts.by_account')}
          placeholder={t('posts.any_account')}
          size="sm"
          clearable
          w={190}
          data={accounts.map(({ id, name, handle }) => ({ value: id, label: `${name} (@${handle})` }))}
          value={search.account ?? null}
          onChange={(account) =>
            void navigate({
              search: ({ account: _, ...rest }) => (account ? { ...rest, account } : rest),
              replace: true,
              resetScroll: false,
            })
          }
        />
        {mayWrite && !narrow && (
          <Button
            size="sm"
            leftSection={<PenLine size={16} />}
            renderRoot={(props) => <Link to="/w/$workspace/posts/new" params={{ workspace: slug }} {...props} />}
          >
            {t('shell.new_post')}
          </Button>
        )}
      </Header>
      {posts.error && <Problem error={posts.error} onRetry={() => posts.refetch()} />}
      <div className={classes.calendar} data-view={view} aria-busy={posts.isPending}>
        {posts.isPending && <Skeleton className={classes.waiting} aria-label={t('ui.loading')} />}
        {view === 'month' && !narrow && (
          <MonthView
            {...common}
            highlightToday={false}
            maxEventsPerDay={4}
            getDayProps={dayProps}
            onDayClick={(day) => compose(`${day} ${MORNING}`)}
          />
        )}
        {view === 'month' && narrow && (
          <MobileMonthView
            date={date}
            events={events}
            labels={common.labels}
            locale={i18n.language}
            highlightToday={false}
            getDayProps={dayProps}
            selectedDate={date}
            onSelectedDateChange={(day) => day && go({ date: day })}
            renderHeader={() => null}
            renderEvent={renderEvent}
            onEventClick={open}
          />
        )}
        {view === 'week' && <WeekView {...inTimes} withWeekNumber={false} highlightToday={false} />}
        {view === 'day' && <DayView {...inTimes} />}
      </div>
      {mayWrite && (
        <Text c="dimmed" fz="sm" mt="sm" id="how-to-move">
          {t(narrow ? 'calendar.zone' : 'calendar.how', { zone: timezone })}
        </Text>
      )}
    </DatesInLanguage>
  )
}

function useMayMove(workspace: Workspace) {
  const me = useMe()
  return (post: Post | undefined) =>
    post?.status === 'scheduled' &&
    (isAtLeast(workspace, 'editor') || (isAtLeast(workspace, 'author') && post.author_id === me.id))
}

type Step = { days?: number; hours?: number }

const keySteps = (view: View): Record<string, Step> => ({
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  ArrowUp: view === 'month' ? { days: -7 } : { hours: -1 },
  ArrowDown: view === 'month' ? { days: 7 } : { hours: 1 },
})

const toEvent = (post: Post, zone: string, empty: string): ScheduleEventData<{ post: Post }> => {
  const start = toWall(zone, post.scheduled_at ?? post.created_at)
  const end = new Date(Date.parse(`${start.replace(' ', 'T')}Z`) + DRAWN_MINUTES * 60_000)
  // A post late in the evening is drawn within its day.
  const drawnEnd = end.toISOString().slice(0, 19).replace('T', ' ')
  return {
    id: post.id,
    title: post.content.slice(0, 80) || empty,
    start,
    end: dayOf(drawnEnd) === dayOf(start) ? drawnEnd : `${dayOf(start)} 23:59:59`,
    color: looks[post.status].color,
    payload: { post },
  }
}

/** A post as small as it gets: time, networks, the first words, and its state for those who do not see its colour. */
function Chip({ post, zone }: { post: Post; zone: string }) {
  const { t } = useTranslation()
  const Icon = looks[post.status].icon
  return (
    <span className={classes.chip}>
      {Icon && post.status !== 'scheduled' && <Icon size={12} aria-hidden="true" />}
      <span className="tabular">{toWall(zone, post.scheduled_at ?? post.created_at).slice(11, 16)}</span>
      <Networks post={post} size={12} />
      <span className={classes.words}>{post.content.slice(0, 80) || t('posts.empty')}</span>
      <span className={classes.state}>{t(`status.${post.status}`)}</span>
    </span>
  )
}

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
  children: React.ReactNode
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
      <Group gap="sm">
        <SegmentedControl
          size="sm"
          aria-label={t('calendar.view')}
          value={view}
          onChange={(name) => go({ view: name as View })}
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
