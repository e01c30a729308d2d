import { Card, Group, Select, Skeleton, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Lightbulb, ListChecks, StickyNote } from 'lucide-react'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account, CalendarNote, PostSummary } from '../../../api'
import { withTexts } from '../../../i18n'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { LabelFilter, useShownLabels } from '../../../ui/fields/filters'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { dayOf, fromWall, today, toWall, type Wall } from '../../../ui/text/time-zone'
import { useAccountFilter } from '../../accounts/groups/account-filter'
import { accountGroupsQuery } from '../../accounts/groups/queries'
import { accountsQuery } from '../../accounts/queries'
import { useMe } from '../../auth/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { useSelection } from '../list/selection'
import { useBulkActions } from '../list/useBulkActions'
import { usePermissions } from '../PostActions'
import { calendarQuery, MONTH_DAYS, nextHour, plannedTime, visibleDays } from '../queries'
import { queueQuery } from '../queue/queries'
import { type CalendarSearch, type View, validateCalendarSearch } from '../search-params'
import { Calendar, daysBetween } from './Calendar'
import classes from './Calendar.module.css'
import { CalendarHeader } from './CalendarHeader'
import { CalendarMenu } from './CalendarMenu'
import { rememberChoices } from './choices'
import { ColorKey } from './colors/ColorKey'
import { postColors } from './colors/post-colors'
import { useHolidays } from './holidays/useHolidays'
import { MobileMonth } from './MobileMonth'
import { useReschedulePost } from './moves/reschedule'
import type { Step } from './moves/useCalendarMoves'
import { DayNotes, useCalendarNotes } from './notes/DayNotes'
import { useOccurrences } from './OccurrenceOutlines'
import { ToolButton } from './ToolButton'
import { useComposePanel } from './useComposePanel'

const ComposePanel = lazy(async () => ({
  default: (await withTexts(import('../compose/ComposePanel'), 'workspace')).ComposePanel,
}))

const UnplannedList = lazy(async () => ({
  default: (await import('./unplanned/UnplannedList')).UnplannedList,
}))

const PickedPost = lazy(async () => ({ default: (await import('./unplanned/PickedPost')).PickedPost }))

const BulkBar = lazy(async () => ({ default: (await import('../list/BulkBar')).BulkBar }))

const FeedGrid = lazy(async () => ({ default: (await import('./grid/FeedGrid')).FeedGrid }))

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
  const known = useQuery(accountsQuery(slug)).data
  const accounts = known ?? noAccounts
  /** An account that was removed filters nothing. */
  const account = known?.every(({ id }) => id !== search.account) ? undefined : search.account
  /** The grid is that of one account. */
  const shownAccount = view === 'grid' ? (account ?? accounts[0]?.id) : account
  const groups = useQuery(accountGroupsQuery(slug))
  /** A group that was deleted filters nothing. */
  const group = view === 'grid' ? undefined : groups.data?.find(({ id }) => id === search.group)
  const posts = useQuery({
    ...calendarQuery(workspace, { ...search, account: shownAccount, view, date }, group),
    enabled: !search.group || !groups.isPending,
  })
  const shownPosts = posts.data ?? noPosts
  const labels = useShownLabels(shownPosts)
  const colors = useMemo(() => postColors(search.color, shownPosts, accounts), [search.color, shownPosts, accounts])
  /** Whether posts are on a board, where their edges have colors. */
  const showsBoard = view !== 'grid' && !(narrow && view === 'month')
  const draft = useRef<PostSummary>(undefined)
  const [withUnplanned, setWithUnplanned] = useState(false)
  const may = usePermissions()
  const selectable = shownPosts.filter((post) => may(post).own)
  const selection = useSelection(selectable)
  const actions = useBulkActions(selection.select)
  const [isSelecting, setIsSelecting] = useState(false)
  const [picked, setPicked] = useState<PostSummary>()
  const mayWrite = isAtLeast(workspace, 'author')
  /** The account whose free slots are shown. */
  const planned = shownAccount ?? (accounts.length === 1 ? accounts[0]?.id : undefined)
  const { notes, error: notesError } = useCalendarNotes(from, to)
  const [note, setNote] = useState<CalendarNote | 'new'>()
  const holidayOn = useHolidays()
  const notesOn = (day: string) => <DayNotes holiday={holidayOn(day)} notes={notes.get(day)} onOpen={setNote} />
  const freeSlots = useFreeSlots(mayWrite && view !== 'grid' ? planned : undefined, from, to)
  const occurrences = useOccurrences(from, to, { view, account, label: search.label }, group)
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
  const choose = (changed: { [Key in keyof CalendarSearch]: CalendarSearch[Key] | undefined }) => {
    rememberChoices(slug, validateCalendarSearch({ ...search, ...changed }))
    go(changed)
  }
  const accountFilter = useAccountFilter({ account: shownAccount, group: group?.id }, choose, {
    withGroups: view !== 'grid',
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
  const compose = (wall: Wall, post?: PostSummary) => {
    const next = nextHour(timezone)
    panel.open(wall < next ? next : wall, post?.id)
  }
  const moveSelected = (step: Step) => {
    const { selected } = selection
    return actions.reschedule(
      selected.filter((post) => plannedTime(post) !== null),
      step,
    )
  }
  const cancelPick = () => {
    setPicked(undefined)
    document.querySelector<HTMLElement>(`[data-pick="${picked?.id}"]`)?.focus()
  }
  const composeAt = (wall: Wall) => {
    compose(wall, picked)
    setPicked(undefined)
  }
  const nextFree = () => freeSlots[0] ?? nextHour(timezone)
  const move = useReschedulePost(workspace, follow)

  return (
    <div className={classes.page} data-full-width data-composing={panel.compose !== undefined || undefined}>
      <p className={classes.printed}>
        {workspace.name} · {timezone}
      </p>
      <CalendarHeader view={view} date={date} narrow={narrow} go={go} choose={choose}>
        <Select
          {...accountFilter}
          size="sm"
          clearable={view !== 'grid'}
          rightSectionWidth={26}
          w={{ base: 130, sm: 170 }}
        />
        {(search.label !== undefined || labels.length > 0) && (
          <LabelFilter
            size="sm"
            w={{ base: 130, sm: 150 }}
            value={search.label ?? ''}
            labels={labels}
            onChange={(label) => choose({ label })}
          />
        )}
        <Group gap={6}>
          {mayWrite && view !== 'grid' && (
            <ToolButton
              icon={Lightbulb}
              label={t('calendar.unplanned_short')}
              aria-label={t('calendar.unplanned')}
              aria-pressed={withUnplanned}
              onClick={() => setWithUnplanned(!withUnplanned)}
            />
          )}
          {mayWrite && view !== 'grid' && (
            <ToolButton
              icon={ListChecks}
              label={t('calendar.select_short')}
              aria-label={t('bulk.select_mode')}
              aria-pressed={isSelecting}
              onClick={() => {
                setIsSelecting(!isSelecting)
                selection.select([])
              }}
            />
          )}
          {mayWrite && view !== 'grid' && (
            <ToolButton
              icon={StickyNote}
              label={t('calendar.note_short')}
              aria-label={t('calendar_notes.add')}
              onClick={() => setNote('new')}
            />
          )}
          <CalendarMenu
            color={search.color}
            onColor={showsBoard ? (color) => choose({ color }) : undefined}
            withHolidays={view !== 'grid'}
          />
        </Group>
      </CalendarHeader>
      {notesError && <ProblemAlert error={notesError} />}
      {posts.error && <ProblemAlert error={posts.error} onRetry={() => posts.refetch()} />}
      {picked && showsBoard && (
        <Suspense fallback={null}>
          <PickedPost post={picked} onCancel={cancelPick} />
        </Suspense>
      )}
      {view !== 'grid' && (isSelecting || selection.selected.length > 0 || actions.failures.length > 0) && (
        <Suspense fallback={null}>
          <Card px="md" py={0} mb="sm" className={classes.notPrinted}>
            <BulkBar
              selectable={selectable}
              selected={selection.selected}
              onSelect={selection.select}
              actions={actions}
              labels={labels}
            />
          </Card>
        </Suspense>
      )}
      {!(posts.error && !posts.data) && (
        <div className={withUnplanned ? classes.withUnplanned : undefined}>
          <Card padding={0} className={classes.calendar} data-view={view} aria-busy={posts.isPending}>
            {posts.isPending && <Skeleton className={classes.waiting} role="status" aria-label={t('ui.loading')} />}
            {view === 'grid' && (
              <Suspense fallback={null}>
                <FeedGrid
                  account={accounts.find(({ id }) => id === shownAccount)}
                  posts={shownPosts}
                  calendar={shown}
                  mayMove={mayMove}
                  onSwap={actions.swap}
                />
              </Suspense>
            )}
            {narrow && view === 'month' && (
              <MobileMonth
                days={daysBetween(from, to).slice(0, MONTH_DAYS)}
                date={date}
                posts={shownPosts}
                occurrences={occurrences}
                calendar={shown}
                notesOn={notesOn}
                selection={isSelecting ? selection : undefined}
                onDay={(day) => go({ date: day })}
              />
            )}
            {showsBoard && (
              <Calendar
                view={view}
                days={daysBetween(from, to)}
                month={date.slice(0, 7)}
                chosen={search.date}
                posts={shownPosts}
                zone={timezone}
                accounts={accounts}
                colors={colors}
                hrefOf={({ id }) => `/w/${slug}/posts/${id}`}
                mayMove={mayMove}
                freeSlots={freeSlots}
                occurrences={occurrences}
                notesOn={notesOn}
                onFreeSlot={panel.open}
                onOpen={open}
                onMove={move}
                onCompose={mayWrite ? composeAt : undefined}
                picked={picked}
                onCancelPick={cancelPick}
                selection={{
                  has: selection.has,
                  isSelecting,
                  onToggle: (post) => may(post).own && selection.toggle(post),
                  onMove: (step) => void moveSelected(step),
                }}
                onDay={(day) => go({ view: 'day', date: day })}
                draft={draft}
                onPlan={(post, wall) => compose(wall, post)}
              />
            )}
          </Card>
          {withUnplanned && mayWrite && view !== 'grid' && (
            <Suspense fallback={null}>
              <UnplannedList
                dragged={draft}
                onPlan={(post) => compose(nextFree(), post)}
                onPick={showsBoard ? setPicked : undefined}
                onNew={() => panel.open(nextFree(), 'new')}
              />
            </Suspense>
          )}
        </div>
      )}
      {showsBoard && <ColorKey colors={colors} />}
      <Text c="dimmed" fz="sm" mt="sm" id="how-to-move" className={classes.notPrinted}>
        {t(mayWrite && !narrow ? (view === 'grid' ? 'calendar_grid.how' : 'calendar.how') : 'calendar.zone', {
          zone: timezone,
        })}
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
const noAccounts: Account[] = []
