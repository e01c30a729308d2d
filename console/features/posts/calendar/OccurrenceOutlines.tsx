import { Menu, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Pencil, PenLine, Repeat, SkipForward, Undo2 } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuItemLink } from '../../../ui/navigation/MenuItemLink'
import { useFormat } from '../../../ui/text/format'
import { fromWall, toWall, type Wall } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import { usePermissions } from '../PostActions'
import { useEditOccurrence, useSkip } from '../recurring/occurrences'
import { type UpcomingOccurrence, upcomingQuery } from '../recurring/queries'
import type { CalendarSearch } from '../search-params'
import classes from './Calendar.module.css'

const calendar = getRouteApi('/signed-in/shell/w/$workspace/calendar')

export type OccurrenceEntry = { occurrence: UpcomingOccurrence; wall: Wall }

/** The times of recurring posts between two days that have no post, for the account, the group and the label shown. None in the grid. */
export function useOccurrences(
  from: string,
  to: string,
  { view, account, label }: Pick<CalendarSearch, 'view' | 'account' | 'label'>,
  group: { account_ids: string[] } | undefined,
) {
  const { slug, timezone } = useWorkspace()
  const [start, end] = [from, to].map((day) => fromWall(timezone, `${day} 00:00:00`).toISOString())
  const found = useQuery({ ...upcomingQuery(slug, start ?? '', end ?? ''), enabled: view !== 'grid' }).data
  return useMemo(
    () =>
      (found ?? [])
        .filter(({ account_ids }) => account === undefined || account_ids.includes(account))
        .filter(({ account_ids }) => !group || account_ids.some((id) => group.account_ids.includes(id)))
        .filter(({ labels }) => label === undefined || labels.includes(label))
        .map((occurrence) => ({ occurrence, wall: toWall(timezone, occurrence.occurs_at) })),
    [found, account, label, group, timezone],
  )
}

type Props = {
  entries: OccurrenceEntry[] | undefined
  /** The most that are shown, with a button for the others. */
  limit?: { count: number; onMore: () => void } | undefined
}

/** Outlines of posts that do not exist yet: they can be skipped, not moved. */
export function OccurrenceOutlines({ entries, limit }: Props) {
  const { t } = useTranslation()
  if (!entries) return null
  const shown = entries.slice(0, limit?.count)
  return (
    <>
      <ul className={classes.entries}>
        {shown.map(({ occurrence, wall }) => (
          <li key={`${occurrence.recurring_post_id} ${wall}`}>
            <Outline occurrence={occurrence} wall={wall} />
          </li>
        ))}
      </ul>
      {limit && entries.length > shown.length && (
        <button type="button" className={classes.more} onClick={limit.onMore}>
          {t('calendar.more_count', { count: entries.length - shown.length })}
          <VisuallyHidden> {t('recurring.outline')}</VisuallyHidden>
        </button>
      )}
    </>
  )
}

function Outline({ occurrence, wall }: OccurrenceEntry) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const permissions = usePermissions()
  const { recurring_post_id, occurs_at, status, excerpt } = occurrence
  const skip = useSkip(recurring_post_id)
  const navigate = calendar.useNavigate()
  const edit = useEditOccurrence(recurring_post_id, (post) =>
    navigate({ search: (before) => ({ ...before, compose: post }), resetScroll: false }),
  )
  const isSkipped = status === 'skipped'
  const words = (
    <>
      <Repeat size={12} aria-hidden="true" style={{ flex: 'none' }} />{' '}
      <span className="tabular">{useFormat('UTC').time(fromWall('UTC', wall))}</span>{' '}
      <span className={classes.outlineWords}>{excerpt || t('posts.empty')}</span>
      <VisuallyHidden>, {t(isSkipped ? 'recurring.outline_skipped' : 'recurring.outline')}</VisuallyHidden>
    </>
  )
  if (!permissions({ ...occurrence, status: 'draft' }).own)
    return (
      <div className={classes.outline} data-skipped={isSkipped || undefined}>
        {words}
      </div>
    )
  return (
    <Menu withinPortal position="bottom-start">
      <Menu.Target>
        <button type="button" className={classes.outline} data-skipped={isSkipped || undefined}>
          {words}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t(isSkipped ? 'recurring.outline_skipped' : 'recurring.outline')}</Menu.Label>
        {!isSkipped && (
          <Menu.Item
            leftSection={<PenLine size={16} />}
            disabled={edit.isPending}
            onClick={() => edit.mutate(occurs_at)}
          >
            {t('recurring.edit_this')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={isSkipped ? <Undo2 size={16} /> : <SkipForward size={16} />}
          onClick={() => skip.mutate({ occurs_at, undo: isSkipped })}
        >
          {t(isSkipped ? 'recurring.unskip_this' : 'recurring.skip')}
        </Menu.Item>
        <MenuItemLink
          leftSection={<Pencil size={16} />}
          to="/w/$workspace/recurring-posts/$recurring/edit"
          params={{ workspace: slug, recurring: recurring_post_id }}
          {...(!isSkipped && { search: { from: occurs_at.slice(0, 19) } })}
        >
          {t(isSkipped ? 'recurring.edit_all' : 'recurring.edit_following')}
        </MenuItemLink>
      </Menu.Dropdown>
    </Menu>
  )
}
