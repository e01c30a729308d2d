import { useNavigate, useRouterState } from '@tanstack/react-router'
import type { Workspace } from '../../api'
import { type CalendarSearch, validateCalendarSearch } from './search-params'

/** Opens the panel for a new post over the calendar, which keeps what it shows. */
export function useOpenComposePanel() {
  const navigate = useNavigate()
  const shown = useRouterState({
    select: ({ location }): CalendarSearch | undefined =>
      location.pathname.endsWith('/calendar') ? validateCalendarSearch(location.search) : undefined,
    structuralSharing: true,
  })
  return ({ slug }: Pick<Workspace, 'slug'>) =>
    void navigate({
      to: '/w/$workspace/calendar',
      params: { workspace: slug },
      search: { ...shown, compose: 'new', at: undefined },
      replace: shown?.compose !== undefined,
      resetScroll: false,
    })
}
