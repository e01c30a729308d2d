import { UnstyledButton } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { CalendarDays, List, Menu, PenLine } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { failedPostsBadge } from '../../features/posts/navigation'
import { validateCalendarSearch } from '../../features/posts/search-params'
import { useCurrentWorkspace } from '../../features/workspaces/queries'
import { useWaitingOutsideBar } from '../../navigation'
import { CountBadge } from '../../ui/feedback/CountBadge'
import classes from './BottomBar.module.css'
import { LinkBadge } from './LinkBadge'

/** The main pages on a phone. Forms for posts have their own actions at this place. */
export function BottomBar({ compose, openMenu }: { compose: (() => void) | undefined; openMenu: () => void }) {
  const { t } = useTranslation()
  const workspace = useCurrentWorkspace()
  const isComposing = useRouterState({
    select: ({ location: { pathname, search } }) =>
      /\/posts\/(new|[^/]+\/edit)$/.test(pathname) ||
      (pathname.endsWith('/calendar') && validateCalendarSearch(search).compose !== undefined),
  })
  if (!workspace || isComposing) return null
  const params = { workspace: workspace.slug }
  return (
    <nav className={classes.bar} aria-label={t('shell.bottom_bar')}>
      <Link to="/w/$workspace/calendar" params={params} className={classes.entry}>
        <CalendarDays size={22} aria-hidden="true" />
        {t('pages.calendar')}
      </Link>
      <Link to="/w/$workspace/posts" params={params} className={classes.entry}>
        <span className={classes.icon}>
          <List size={22} aria-hidden="true" />
          <span className={classes.badge}>
            <LinkBadge badge={failedPostsBadge} />
          </span>
        </span>
        {t('pages.posts')}
      </Link>
      {compose && (
        <UnstyledButton className={classes.entry} onClick={compose}>
          <PenLine size={22} aria-hidden="true" />
          {t('shell.write')}
        </UnstyledButton>
      )}
      <UnstyledButton className={classes.entry} onClick={openMenu}>
        <span className={classes.icon}>
          <Menu size={22} aria-hidden="true" />
          <span className={classes.badge}>
            <WaitingBadge />
          </span>
        </span>
        {t('shell.more')}
      </UnstyledButton>
    </nav>
  )
}

function WaitingBadge() {
  const { t } = useTranslation()
  const count = useWaitingOutsideBar()
  return <CountBadge count={count} label={t('shell.waiting', { count })} />
}
