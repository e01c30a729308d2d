import { VisuallyHidden } from '@mantine/core'
import { ChevronUp, Repeat } from 'lucide-react'
import { type CSSProperties, memo, type ReactNode, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostSummary } from '../../../api'
import { useFormat } from '../../../ui/text/format'
import { dayOf, fromWall, type Wall } from '../../../ui/text/time-zone'
import { NetworkIcon } from '../../networks/NetworkIcon'
import { networksOf } from '../list/PostRow'
import { statusStyles, statusWithReview } from '../PostStatusBadge'
import { MONTH_DAYS } from '../queries'
import type { View } from '../search-params'
import classes from './Calendar.module.css'

/** Posts shown per day of a month; the others are behind a link to the day. */
const MAX_SHOWN_PER_DAY = 3
/** The time of a post started by a click on a day. */
export const MORNING = '09:00:00'
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))

/** Whether the cells of a view are days. Those of others are hours. */
export const hasDays = (view: View) => view === 'month' || view === 'cards'

export type Entry = { post: PostSummary; wall: Wall }
/** A day of a month, or an hour of a day: `YYYY-MM-DD` or `YYYY-MM-DD HH`. */
export type Cell = string

export type GridProps = {
  days: string[]
  cells: Map<Cell, Entry[]>
  dropOn: (cell: Cell) => object
  chips: (entries: Entry[]) => ReactNode
  /** Posts that may come: occurrences of recurring posts, and free slots of a queue. */
  plannedIn: (cell: Cell) => ReactNode
  notesOn: (day: string) => ReactNode
  now: Wall
  /** The post being moved by keyboard: always rendered, even above the limit. */
  focused: string | undefined
  onCompose?: ((wall: Wall) => void) | undefined
  /** Whether a cell is being chosen for a post. */
  isPicking: boolean
  onDay: (day: string) => void
}

export const noon = (day: string) => new Date(`${day}T12:00:00Z`)

export function MonthGrid({
  days,
  cells,
  dropOn,
  chips,
  plannedIn,
  notesOn,
  now,
  focused,
  onCompose,
  isPicking,
  onDay,
  month,
  chosen,
}: GridProps & { month: string; chosen: string | undefined }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const isPrinting = useIsPrinting()
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const longDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' })
  const [unfolded, setUnfolded] = useState<string>()
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  const past = weeks.filter((week) => (week[6] ?? '') < dayOf(now))
  const isFolded =
    now.startsWith(month) && past.length > 0 && unfolded !== month && !past.flat().some((day) => day === chosen)
  const shownWeeks = isPrinting ? weeks.slice(0, MONTH_DAYS / 7) : isFolded ? weeks.slice(past.length) : weeks
  const firstPast = days.find((day) => day.startsWith(month)) ?? ''
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
        {isFolded && !isPrinting && (
          <tr>
            <td colSpan={7} className={classes.folded}>
              <button type="button" onClick={() => setUnfolded(month)}>
                <ChevronUp size={15} aria-hidden="true" />
                {t('calendar.earlier_weeks', {
                  days: longDay.formatRange(noon(firstPast), noon(past.at(-1)?.at(-1) ?? firstPast)),
                })}
              </button>
            </td>
          </tr>
        )}
        {shownWeeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const entries = cells.get(day) ?? []
              const shown = isPrinting ? entries : shownEntries(entries, focused)
              return (
                <td
                  key={day}
                  className={classes.day}
                  data-outside={!day.startsWith(month) || undefined}
                  data-now={day === dayOf(now) || undefined}
                  {...dropOn(day)}
                >
                  <NewPostButton
                    cell={day}
                    isPicking={isPicking}
                    label={longDay.format(noon(day))}
                    past={day < dayOf(now)}
                    onClick={onCompose && (() => onCompose(`${day} ${MORNING}`))}
                  />
                  <button type="button" tabIndex={-1} className={classes.number} onClick={() => onDay(day)}>
                    <span aria-hidden="true">{Number(day.slice(8))}</span>
                    <VisuallyHidden>{longDay.format(noon(day))}</VisuallyHidden>
                  </button>
                  {notesOn(day)}
                  {chips(shown)}
                  {plannedIn(day)}
                  {entries.length > shown.length && (
                    <button type="button" className={classes.more} onClick={() => onDay(day)}>
                      {t('calendar.more_count', { count: entries.length - MAX_SHOWN_PER_DAY })}
                      <VisuallyHidden> {longDay.format(noon(day))}</VisuallyHidden>
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

const paper = matchMedia('print')

/** Whether the page is being printed. Paper has room for all posts. */
const useIsPrinting = () =>
  useSyncExternalStore(
    (changed) => {
      paper.addEventListener('change', changed)
      return () => paper.removeEventListener('change', changed)
    },
    () => paper.matches,
  )

function shownEntries(entries: Entry[], focused: string | undefined) {
  const first = entries.slice(0, MAX_SHOWN_PER_DAY)
  const moved = entries.slice(MAX_SHOWN_PER_DAY).find(({ post }) => post.id === focused)
  return moved ? [...first.slice(0, -1), moved] : first
}

export function HourGrid(props: GridProps) {
  const { days, cells, dropOn, chips, plannedIn, notesOn, now, onCompose, isPicking, onDay } = props
  const { t } = useTranslation()
  const { locale } = useFormat()
  const head = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const hourName = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
  return (
    <>
      <thead>
        <tr>
          <th scope="col" className={classes.corner}>
            <VisuallyHidden>{t('calendar.hour')}</VisuallyHidden>
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
              {notesOn(day)}
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
                    <NewPostButton
                      cell={cell}
                      isPicking={isPicking}
                      label={`${head.format(noon(day))} ${name}`}
                      past={cell < now.slice(0, 13)}
                      onClick={onCompose && (() => onCompose(`${cell}:00:00`))}
                    />
                    {cells.has(cell) && chips(cells.get(cell) ?? [])}
                    {plannedIn(cell)}
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

/**
 * The free space of a cell: a click starts a post, or plans the one that was picked. Keyboard users have the button above,
 * for any time, and reach these while a post is picked.
 */
export function NewPostButton({
  cell,
  isPicking,
  label,
  past,
  onClick,
}: {
  cell: Cell
  isPicking: boolean
  label: string
  past: boolean
  onClick: (() => void) | undefined
}) {
  const { t } = useTranslation()
  if (past || !onClick) return null
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.ground}
      data-cell={cell}
      aria-label={t(isPicking ? 'calendar.plan_at' : 'calendar.new_at', { time: label })}
      onClick={onClick}
    />
  )
}

/** A free slot of a queue: a click starts a post at its time. Keyboard users have those on the page of the queue. */
export function FreeSlot({ wall, onClick }: { wall: Wall; onClick: (wall: Wall) => void }) {
  const { t } = useTranslation()
  const time = useFormat('UTC').time(fromWall('UTC', wall))
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`tabular ${classes.freeSlot}`}
      aria-label={t('queue.free_slot', { time })}
      onClick={() => onClick(wall)}
    >
      {time}
    </button>
  )
}

/**
 * A post in short: image, time, first words, a network, and its state for users who do not see its colour. There may
 * be a thousand, so it uses plain elements, and only images that come into view are loaded.
 */
export const PostChip = memo(function Chip({
  post,
  time,
  href,
  movable,
  selected,
  edge,
  words,
  hiddenText,
}: {
  post: PostSummary
  time: string
  href: string
  movable: boolean
  selected: boolean
  /** The background of its edge. */
  edge: string
  words: string
  /** Networks and state, for users who do not see icons and colours. */
  hiddenText: string
}) {
  const status = statusWithReview(post)
  const { icon: Icon, color } = statusStyles[status]
  const networks = networksOf(post)
  return (
    <a
      href={href}
      className={classes.chip}
      data-event-id={post.id}
      data-waits={post.status === 'draft' || undefined}
      data-selected={selected || undefined}
      draggable={movable}
      aria-describedby={movable ? 'how-to-move' : undefined}
      style={{ '--edge': edge } as CSSProperties}
    >
      {post.thumbnail_url && (
        <img src={post.thumbnail_url} alt="" width={28} height={28} loading="lazy" draggable={false} />
      )}
      <span className={classes.body}>
        <span className={classes.line}>
          <span className={`tabular ${classes.time}`}>
            {Icon && status !== 'scheduled' && (
              <Icon size={13} aria-hidden="true" color={`var(--mantine-color-${color}-light-color)`} />
            )}
            {post.recurring_post_id && <Repeat size={12} aria-hidden="true" />}
            {time}
          </span>{' '}
          {networks[0] && (
            <span className={classes.networks} aria-hidden="true">
              <NetworkIcon network={networks[0]} size={13} />
              {networks.length > 1 && <span className={classes.others}>+{networks.length - 1}</span>}
            </span>
          )}
        </span>
        <span className={classes.words} dir="auto">
          {words}
        </span>
      </span>
      <VisuallyHidden>{hiddenText}</VisuallyHidden>
    </a>
  )
})
