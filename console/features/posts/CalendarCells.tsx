import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../api'
import { useFormat } from '../../ui/format'
import { dayOf, type Wall } from '../../ui/zone'
import { NetworkIcon } from '../accounts/NetworkIcon'
import classes from './Calendar.module.css'
import { networksOf } from './PostRow'
import { looks } from './Status'

/** Posts that a day of a month shows; the others are behind a link to the day. */
const SHOWN_A_DAY = 4
/** When a post is to go out that was begun by a click on a day. */
const MORNING = '09:00:00'
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))

export type Entry = { post: Post; wall: Wall }
/** A day of a month, or an hour of a day: `YYYY-MM-DD` or `YYYY-MM-DD HH`. */
export type Cell = string

type Parts = {
  days: string[]
  cells: Map<Cell, Entry[]>
  dropOn: (cell: Cell) => object
  chips: (entries: Entry[]) => ReactNode
  now: Wall
  /** The post that is being moved by key: it is drawn, however many there are. */
  focused: string | undefined
  onCompose?: ((wall: Wall) => void) | undefined
  onDay: (day: string) => void
}

const noon = (day: string) => new Date(`${day}T12:00:00Z`)

export function Month({
  days,
  cells,
  dropOn,
  chips,
  now,
  focused,
  onCompose,
  onDay,
  month,
}: Parts & { month: string }) {
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
                    onClick={onCompose && (() => onCompose(`${day} ${MORNING}`))}
                  />
                  <button type="button" tabIndex={-1} className={classes.number} onClick={() => onDay(day)}>
                    <span aria-hidden="true">{Number(day.slice(8))}</span>
                    <span className="unseen">{longDay.format(noon(day))}</span>
                  </button>
                  {chips(shownOf(entries, focused))}
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

function shownOf(entries: Entry[], focused: string | undefined) {
  const first = entries.slice(0, SHOWN_A_DAY)
  const moved = entries.slice(SHOWN_A_DAY).find(({ post }) => post.id === focused)
  return moved ? [...first.slice(0, -1), moved] : first
}

export function Hours({ days, cells, dropOn, chips, now, onCompose, onDay }: Parts) {
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
                      onClick={onCompose && (() => onCompose(`${cell}:00:00`))}
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
function NewHere({ label, past, onClick }: { label: string; past: boolean; onClick: (() => void) | undefined }) {
  const { t } = useTranslation()
  if (past || !onClick) return null
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
export const Chip = memo(function Chip({
  post,
  time,
  href,
  movable,
  words,
  unseen,
}: {
  post: Post
  time: string
  href: string
  movable: boolean
  words: string
  /** Networks and state, for those who do not see icons and colours. */
  unseen: string
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
      <span className={`tabular ${classes.time}`}>{time}</span>
      {Icon && post.status !== 'scheduled' && <Icon size={13} aria-hidden="true" />}
      {networksOf(post).map((network) => (
        <NetworkIcon key={network} network={network} size={13} />
      ))}
      <span className={classes.words}>{words}</span>
      <span className="unseen">{unseen}</span>
    </a>
  )
})
