import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../api'
import { useFormat } from '../../ui/format'
import { dayOf, moveDay, moveWall, toWall, type Wall } from '../../ui/zone'
import { NetworkIcon } from '../accounts/NetworkIcon'
import classes from './Calendar.module.css'
import { networksOf } from './PostRow'
import { looks } from './Status'
import type { View } from './search'

/** Posts that a day of a month shows; the others are behind a link to the day. */
const SHOWN_A_DAY = 4
/** Where a week or a day is scrolled to at first. */
const MORNING_HOUR = 8
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))

type Entry = { post: Post; wall: Wall }
/** A day of a month, or an hour of a day: `YYYY-MM-DD` or `YYYY-MM-DD HH`. */
type Cell = string

type Step = { days?: number; hours?: number }
const steps = (view: View): Record<string, Step> => ({
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  ArrowUp: view === 'month' ? { days: -7 } : { hours: -1 },
  ArrowDown: view === 'month' ? { days: 7 } : { hours: 1 },
})

/**
 * Posts at their times: a month by days, a week or a day by hours. A post is a point in time and has no length, so a
 * cell lists what is in it; nothing overlaps, and a thousand posts are drawn as fast as ten.
 */
export function Calendar({
  view,
  days,
  month,
  posts,
  zone,
  hrefOf,
  mayMove,
  onOpen,
  onMove,
  onCompose,
  onDay,
}: {
  view: View
  /** The days shown, in order. */
  days: string[]
  /** `YYYY-MM`: days outside of it are drawn paler. */
  month: string
  posts: Post[]
  zone: string
  hrefOf: (post: Post) => string
  mayMove: (post: Post) => boolean
  onOpen: (post: Post) => void
  /** `soon`: more such moves may follow at once. */
  onMove: (post: Post, to: Wall | ((from: Wall) => Wall), options?: { soon: boolean }) => void
  onCompose: (wall: Wall) => void
  onDay: (day: string) => void
}) {
  const { t } = useTranslation()
  const cells = useMemo(() => arrange(posts, zone, view), [posts, zone, view])
  const byId = useMemo(() => new Map(posts.map((post) => [post.id, post])), [posts])
  const board = useRef<HTMLTableElement>(null)
  const focused = useRef<string>(undefined)
  const dragged = useRef<Post>(undefined)

  // A post that was moved by key is drawn anew in another cell: the focus goes with it, before the next key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each new arrangement
  useLayoutEffect(() => {
    if (focused.current) board.current?.querySelector<HTMLElement>(`[data-event-id="${focused.current}"]`)?.focus()
  }, [cells])
  useEffect(() => {
    if (view !== 'month')
      board.current?.querySelector(`[data-hour="${MORNING_HOUR}"]`)?.scrollIntoView({ block: 'start' })
  }, [view])

  const postAt = ({ target }: { target: EventTarget }) =>
    target instanceof Element
      ? byId.get(target.closest<HTMLElement>('[data-event-id]')?.dataset.eventId ?? '')
      : undefined
  const onClick = (event: MouseEvent) => {
    const post = postAt(event)
    // A click that opens another tab is the browser's.
    if (!post || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen(post)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const post = postAt(event)
    const step = event.shiftKey && steps(view)[event.key]
    if (!post?.scheduled_at || !step || !mayMove(post)) return
    event.preventDefault()
    focused.current = post.id
    onMove(post, (from) => moveWall(from, step), { soon: true })
  }
  const dropOn = (cell: Cell) => ({
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (!dragged.current) return
      event.preventDefault()
      event.currentTarget.dataset.over = ''
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => {
      delete event.currentTarget.dataset.over
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      delete event.currentTarget.dataset.over
      const post = dragged.current
      if (!post?.scheduled_at) return
      event.preventDefault()
      const wall = toWall(zone, post.scheduled_at)
      const moved = `${cell}${wall.slice(cell.length)}`
      if (moved !== wall) onMove(post, moved)
    },
  })
  const chips = (entries: Entry[]) => (
    <ul className={classes.entries}>
      {entries.map(({ post, wall }) => (
        <li key={post.id}>
          <Chip
            post={post}
            wall={wall}
            href={hrefOf(post)}
            movable={mayMove(post)}
            words={post.content.slice(0, 90) || t('posts.empty')}
            status={t(`status.${post.status}`)}
          />
        </li>
      ))}
    </ul>
  )
  const now = toWall(zone, new Date())
  const common = { zone, days, cells, dropOn, chips, now, onCompose, onDay }

  return (
    <div className={classes.scroll} data-view={view}>
      <table
        ref={board}
        className={classes.board}
        data-view={view}
        aria-label={t(`calendar.${view}`)}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onBlur={() => {
          focused.current = undefined
        }}
        onDragStart={(event) => {
          dragged.current = postAt(event)
          event.dataTransfer.effectAllowed = 'move'
        }}
        onDragEnd={() => {
          dragged.current = undefined
        }}
      >
        {view === 'month' ? <Month {...common} month={month} /> : <Hours {...common} />}
      </table>
    </div>
  )
}

function arrange(posts: Post[], zone: string, view: View) {
  const cells = new Map<Cell, Entry[]>()
  for (const post of posts) {
    if (!post.scheduled_at) continue
    const wall = toWall(zone, post.scheduled_at)
    const cell = wall.slice(0, view === 'month' ? 10 : 13)
    const entries = cells.get(cell)
    if (entries) entries.push({ post, wall })
    else cells.set(cell, [{ post, wall }])
  }
  for (const entries of cells.values()) entries.sort((a, b) => a.wall.localeCompare(b.wall))
  return cells
}

type Parts = {
  zone: string
  days: string[]
  cells: Map<Cell, Entry[]>
  dropOn: (cell: Cell) => object
  chips: (entries: Entry[]) => ReactNode
  now: Wall
  onCompose: (wall: Wall) => void
  onDay: (day: string) => void
}

const noon = (day: string) => new Date(`${day}T12:00:00Z`)

function Month({ days, cells, dropOn, chips, now, onCompose, onDay, month }: Parts & { month: string }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const longDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' })
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return (
    <>
      <thead>
        <tr>
          {days.slice(0, 7).map((day) => (
            <th key={day} scope="col">
              {weekday.format(noon(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const entries = cells.get(day) ?? []
              return (
                <td
                  key={day}
                  className={classes.day}
                  data-outside={!day.startsWith(month) || undefined}
                  data-now={day === dayOf(now) || undefined}
                  {...dropOn(day)}
                >
                  <NewHere
                    label={longDay.format(noon(day))}
                    past={day < dayOf(now)}
                    onClick={() => onCompose(`${day} 09:00:00`)}
                  />
                  <button type="button" tabIndex={-1} className={classes.number} onClick={() => onDay(day)}>
                    <span aria-hidden="true">{Number(day.slice(8))}</span>
                    <span className="unseen">{longDay.format(noon(day))}</span>
                  </button>
                  {chips(entries.slice(0, SHOWN_A_DAY))}
                  {entries.length > SHOWN_A_DAY && (
                    <button type="button" className={classes.more} onClick={() => onDay(day)}>
                      {t('calendar.more_count', { count: entries.length - SHOWN_A_DAY })}
                      <span className="unseen"> {longDay.format(noon(day))}</span>
                    </button>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </>
  )
}

function Hours({ days, cells, dropOn, chips, now, onCompose, onDay }: Parts) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const head = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const hourName = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
  return (
    <>
      <thead>
        <tr>
          <th scope="col" className={classes.corner}>
            <span className="unseen">{t('calendar.hour')}</span>
          </th>
          {days.map((day) => (
            <th key={day} scope="col" data-now={day === dayOf(now) || undefined}>
              {days.length > 1 ? (
                <button type="button" className={classes.head} onClick={() => onDay(day)}>
                  {head.format(noon(day))}
                </button>
              ) : (
                head.format(noon(day))
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {HOURS.map((hour) => {
          const name = hourName.format(new Date(`2000-01-01T${hour}:00:00Z`))
          return (
            <tr key={hour} data-hour={Number(hour)}>
              <th scope="row" className={`tabular ${classes.hour}`}>
                {name}
              </th>
              {days.map((day) => {
                const cell = `${day} ${hour}`
                return (
                  <td
                    key={day}
                    className={classes.slot}
                    data-now={cell === now.slice(0, 13) || undefined}
                    {...dropOn(cell)}
                  >
                    <NewHere
                      label={`${head.format(noon(day))} ${name}`}
                      past={cell < now.slice(0, 13)}
                      onClick={() => onCompose(`${cell}:00:00`)}
                    />
                    {cells.has(cell) && chips(cells.get(cell) ?? [])}
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </>
  )
}

/** The free ground of a cell: a click there begins a post. By keyboard the button above does, with any time. */
function NewHere({ label, past, onClick }: { label: string; past: boolean; onClick: () => void }) {
  const { t } = useTranslation()
  if (past) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.ground}
      aria-label={t('calendar.new_at', { time: label })}
      onClick={onClick}
    />
  )
}

/**
 * A post as small as it gets: time, networks, the first words, and its state for those who do not see its colour. There
 * may be a thousand: it is of plain elements and asks for nothing by itself.
 */
const Chip = memo(function Chip({
  post,
  wall,
  href,
  movable,
  words,
  status,
}: {
  post: Post
  wall: Wall
  href: string
  movable: boolean
  words: string
  status: string
}) {
  const { icon: Icon, color } = looks[post.status]
  return (
    <a
      href={href}
      className={classes.chip}
      data-event-id={post.id}
      draggable={movable}
      aria-describedby={movable ? 'how-to-move' : undefined}
      style={{
        backgroundColor: `var(--mantine-color-${color}-light)`,
        color: `var(--mantine-color-${color}-light-color)`,
      }}
    >
      <span className="tabular">{wall.slice(11, 16)}</span>
      {Icon && post.status !== 'scheduled' && <Icon size={13} aria-hidden="true" />}
      {networksOf(post).map((network) => (
        <NetworkIcon key={network} network={network} size={13} />
      ))}
      <span className={classes.words}>{words}</span>
      <span className="unseen">
        {networksOf(post).join(', ')}, {status}
      </span>
    </a>
  )
})

/** The days from the first to before the last. */
export function daysBetween(from: string, to: string) {
  const days: string[] = []
  for (let day = from; day < to; day = moveDay(day, 1)) days.push(day)
  return days
}
