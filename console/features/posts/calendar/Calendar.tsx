import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account, PostSummary } from '../../../api'
import { useFormat } from '../../../ui/text/format'
import { fromWall, moveDay, toWall, type Wall } from '../../../ui/text/time-zone'
import { useNow } from '../../../ui/text/useNow'
import { useNetworkNames } from '../../networks/queries'
import { networksOf } from '../list/PostRow'
import { statusWithReview } from '../PostStatusBadge'
import { plannedTime } from '../queries'
import type { View } from '../search-params'
import classes from './Calendar.module.css'
import { type Cell, type Entry, FreeSlot, HourGrid, hasDays, MonthGrid, PostChip } from './CalendarCells'
import { edgeOf, type PostColors } from './colors/post-colors'
import { type Move, type Step, useCalendarMoves } from './moves/useCalendarMoves'
import { type OccurrenceEntry, OccurrenceOutlines } from './OccurrenceOutlines'

const CardWeek = lazy(() => import('./CardWeek'))

/** Outlines shown per day of a month; the others are on the page of the day. */
const MAX_OUTLINES_PER_DAY = 3

/** The hour a week or day initially scrolls to. */
const MORNING_HOUR = 8

/** The posts that are selected, and how a click or key changes that. */
type Selection = {
  has: (id: string) => boolean
  isSelecting: boolean
  onToggle: (post: PostSummary) => void
  onMove: (step: Step) => void
}

type Props = {
  view: Exclude<View, 'grid'>
  /** The days shown, in order. */
  days: string[]
  /** `YYYY-MM`: days outside of it are paler. */
  month: string
  /** The day in the address. */
  chosen: string | undefined
  posts: PostSummary[]
  zone: string
  accounts: readonly Account[]
  colors: PostColors
  freeSlots: Wall[]
  /** Times of recurring posts that have no post. */
  occurrences: OccurrenceEntry[]
  notesOn: (day: string) => ReactNode
  /** Starts a post at a free slot. */
  onFreeSlot: (wall: Wall) => void
  hrefOf: (post: PostSummary) => string
  mayMove: (post: PostSummary) => boolean
  onOpen: (post: PostSummary) => void
  onMove: Move
  /** Starts a post at a time; without it, free space is not clickable. */
  onCompose?: ((wall: Wall) => void) | undefined
  onDay: (day: string) => void
  /** The draft from outside of the calendar that is being dragged. */
  draft: RefObject<PostSummary | undefined>
  /** Plans that draft at a time. */
  onPlan: (draft: PostSummary, wall: Wall) => void
  /** The post for which a cell is being chosen, which `onCompose` then plans. */
  picked: PostSummary | undefined
  onCancelPick: () => void
  selection: Selection
}

/**
 * Posts by time: a month or cards by days, a week or a day by hours. A post is a point in time without a length, so each cell
 * lists its posts: nothing overlaps, and a thousand posts render as fast as ten.
 */
export function Calendar({ view, days, month, chosen, posts, zone, onMove, mayMove, onOpen, ...props }: Props) {
  const { t } = useTranslation()
  const cells = useMemo(() => groupIntoCells(posts, zone, view), [posts, zone, view])
  const firstHour = Math.min(...[...cells.keys()].map((cell) => Number(cell.slice(11) || 24)), 24)
  const board = useRef<HTMLTableElement>(null)
  const { accounts, colors, draft, onPlan, freeSlots, occurrences, onFreeSlot, hrefOf, notesOn, onCompose, onDay } =
    props
  const { picked, onCancelPick, selection } = props
  const moves = {
    ...{ board, cells, posts, zone, view, draft, mayMove, onMove, onOpen, onPlan, picked, onCancelPick },
    ...{ isSelecting: selection.isSelecting, onToggle: selection.onToggle, onMoveSelected: selection.onMove },
    isSelected: ({ id }: PostSummary) => selection.has(id),
  }
  const { focused, dropOn, boardProps } = useCalendarMoves(moves)
  useScrollToMorning(board, view, firstHour)

  const free = useMemo(() => Map.groupBy(freeSlots, (wall) => cellOf(wall, view)), [freeSlots, view])
  const upcoming = useMemo(() => Map.groupBy(occurrences, ({ wall }) => cellOf(wall, view)), [occurrences, view])
  const plannedIn = (cell: Cell) => (
    <>
      <OccurrenceOutlines
        entries={upcoming.get(cell)}
        limit={view === 'month' ? { count: MAX_OUTLINES_PER_DAY, onMore: () => onDay(cell) } : undefined}
      />
      {free.get(cell)?.map((wall) => (
        <FreeSlot key={wall} wall={wall} onClick={onFreeSlot} />
      ))}
    </>
  )
  const linkOf = ({ post }: Entry) => ({
    href: hrefOf(post),
    'data-event-id': post.id,
    'data-waits': post.status === 'draft' || undefined,
    'data-selected': selection.has(post.id) || undefined,
    draggable: mayMove(post),
    'aria-describedby': mayMove(post) ? 'how-to-move' : undefined,
    style: { '--edge': edgeOf(colors.of(post)) },
  })
  const chips = useChips(hrefOf, mayMove, colors, selection.has)
  // Renders every minute, to mark the current day and hour.
  const now = toWall(zone, useNow())
  const common = {
    days,
    cells,
    dropOn,
    chips,
    plannedIn,
    notesOn,
    now,
    focused,
    onCompose,
    onDay,
    isPicking: picked !== undefined,
  }

  return (
    <div className={classes.scroll} data-view={view}>
      <table ref={board} className={classes.board} data-view={view} aria-label={t(`calendar.${view}`)} {...boardProps}>
        {view === 'month' && <MonthGrid {...common} month={month} chosen={chosen} />}
        {view === 'cards' && (
          <Suspense fallback={null}>
            <CardWeek {...common} accounts={accounts} linkOf={linkOf} isSelected={selection.has} />
          </Suspense>
        )}
        {(view === 'week' || view === 'day') && <HourGrid {...common} />}
      </table>
    </div>
  )
}

/** Scrolls a week or a day to its morning, or to its first post if that is earlier. */
function useScrollToMorning(board: RefObject<HTMLTableElement | null>, view: View, firstHour: number) {
  useEffect(() => {
    if (hasDays(view)) return
    const hour = Math.min(MORNING_HOUR, firstHour)
    const row = board.current?.querySelector<HTMLElement>(`[data-hour="${hour}"]`)
    const head = board.current?.tHead?.offsetHeight ?? 0
    // Scrolls the board only, so that a page with its title stays where it is.
    board.current?.parentElement?.scrollTo({ top: (row?.offsetTop ?? 0) - head })
  }, [board, view, firstHour])
}

/** Returns a function that renders the posts of a cell. */
function useChips(
  hrefOf: Props['hrefOf'],
  mayMove: Props['mayMove'],
  colors: PostColors,
  isSelected: Selection['has'],
) {
  const { t } = useTranslation()
  const format = useFormat('UTC')
  const nameOf = useNetworkNames()
  return (entries: Entry[]) => (
    <ul className={classes.entries}>
      {entries.map(({ post, wall }) => (
        <li key={post.id}>
          <PostChip
            post={post}
            time={format.time(fromWall('UTC', wall))}
            href={hrefOf(post)}
            movable={mayMove(post)}
            selected={isSelected(post.id)}
            edge={edgeOf(colors.of(post))}
            words={post.excerpt.slice(0, 90) || t('posts.empty')}
            hiddenText={[
              ...networksOf(post).map(nameOf),
              t(`status.${statusWithReview(post)}`),
              ...(isSelected(post.id) ? [t('bulk.is_selected')] : []),
              ...(post.recurring_post_id ? [t('recurring.mark')] : []),
              ...colors.of(post).flatMap(({ name }) => name || []),
            ].join(', ')}
          />
        </li>
      ))}
    </ul>
  )
}

const cellOf = (wall: Wall, view: View): Cell => wall.slice(0, hasDays(view) ? 10 : 13)

function groupIntoCells(posts: PostSummary[], zone: string, view: View) {
  const cells = new Map<Cell, Entry[]>()
  for (const post of posts) {
    const time = plannedTime(post)
    if (!time) continue
    const wall = toWall(zone, time)
    const cell = cellOf(wall, view)
    const entries = cells.get(cell)
    if (entries) entries.push({ post, wall })
    else cells.set(cell, [{ post, wall }])
  }
  for (const entries of cells.values()) entries.sort(byTime)
  return cells
}

/** Posts of one time keep their order. */
const byTime = (a: Entry, b: Entry) => a.wall.localeCompare(b.wall) || a.post.id.localeCompare(b.post.id)

/** The days from `from` to `to`, exclusive. */
export function daysBetween(from: string, to: string) {
  const days: string[] = []
  for (let day = from; day < to; day = moveDay(day, 1)) days.push(day)
  return days
}
