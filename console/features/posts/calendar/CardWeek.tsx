import { VisuallyHidden } from '@mantine/core'
import { Repeat } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Account } from '../../../api'
import { useFormat } from '../../../ui/text/format'
import { dayOf, fromWall } from '../../../ui/text/time-zone'
import { AccountAvatar } from '../../accounts/AccountAvatar'
import { PostStatusBadge, statusWithReview } from '../PostStatusBadge'
import { type Entry, type GridProps, MORNING, NewPostButton, noon } from './CalendarCells'
import classes from './CardWeek.module.css'

/** Accounts shown on a card; the others are a number. */
const MAX_ACCOUNTS = 3

type Props = GridProps & {
  accounts: readonly Account[]
  /** The attributes of the link of a post, which the calendar's handlers need. */
  linkOf: (entry: Entry) => object
  isSelected: (id: string) => boolean
}

/** A week as cards: each day has its posts with image, text, accounts, labels and state. */
export default function CardWeek({
  days,
  cells,
  dropOn,
  plannedIn,
  notesOn,
  now,
  onCompose,
  isPicking,
  onDay,
  ...props
}: Props) {
  const { locale } = useFormat()
  const { accounts, linkOf, isSelected } = props
  const head = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const dayButton = (day: string) => (
    <button type="button" className={classes.head} onClick={() => onDay(day)}>
      {head.format(noon(day))}
    </button>
  )
  return (
    <>
      <thead className={classes.heads}>
        <tr>
          {days.map((day) => (
            <th key={day} scope="col" data-now={day === dayOf(now) || undefined}>
              {dayButton(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr className={classes.week}>
          {days.map((day) => (
            <td key={day} className={classes.day} data-now={day === dayOf(now) || undefined} {...dropOn(day)}>
              <NewPostButton
                cell={day}
                isPicking={isPicking}
                label={head.format(noon(day))}
                past={day < dayOf(now)}
                onClick={onCompose && (() => onCompose(`${day} ${MORNING}`))}
              />
              <div className={classes.ownHead}>{dayButton(day)}</div>
              {notesOn(day)}
              <ul className={classes.cards}>
                {(cells.get(day) ?? []).map((entry) => (
                  <li key={entry.post.id}>
                    <PostCard
                      entry={entry}
                      accounts={accounts}
                      link={linkOf(entry)}
                      isSelected={isSelected(entry.post.id)}
                    />
                  </li>
                ))}
              </ul>
              {plannedIn(day)}
            </td>
          ))}
        </tr>
      </tbody>
    </>
  )
}

function PostCard({
  entry,
  accounts,
  link,
  isSelected,
}: {
  entry: Entry
  accounts: readonly Account[]
  link: object
  isSelected: boolean
}) {
  const { t } = useTranslation()
  const { post, wall } = entry
  const format = useFormat('UTC')
  const targets = post.targets.flatMap(({ account_id }) => accounts.find(({ id }) => id === account_id) ?? [])
  return (
    <a className={classes.card} {...link}>
      {post.thumbnail_url && <img src={post.thumbnail_url} alt="" loading="lazy" draggable={false} />}
      <span className={classes.top}>
        <span className={`tabular ${classes.time}`}>
          {post.recurring_post_id && <Repeat size={13} aria-hidden="true" />}
          {format.time(fromWall('UTC', wall))}
        </span>
        <span className={classes.accounts}>
          {targets.slice(0, MAX_ACCOUNTS).map(({ id, name, network, avatar_url }) => (
            <AccountAvatar key={id} id={id} name={name} network={network} size={22} picture={avatar_url} />
          ))}
          {targets.length > MAX_ACCOUNTS && `+${targets.length - MAX_ACCOUNTS}`}
          <VisuallyHidden>{targets.map(({ name }) => name).join(', ')}</VisuallyHidden>
        </span>
      </span>
      <span className={classes.words} dir="auto" data-empty={post.excerpt === '' || undefined}>
        {post.excerpt || t('posts.empty')}
      </span>
      {post.labels.length > 0 && (
        <span className={classes.labels}>
          {post.labels.map((label) => (
            <span key={label} dir="auto">
              {label}
            </span>
          ))}
        </span>
      )}
      <span className={classes.status}>
        <PostStatusBadge status={statusWithReview(post)} />
      </span>
      {post.recurring_post_id && <VisuallyHidden>{t('recurring.mark')}</VisuallyHidden>}
      {isSelected && <VisuallyHidden>{t('bulk.is_selected')}</VisuallyHidden>}
    </a>
  )
}
