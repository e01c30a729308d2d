import { useRouterState } from '@tanstack/react-router'
import type { CalendarSearch } from '../search-params'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The view of the calendar from which the page was opened. */
    calendar?: CalendarSearch
  }
}

/** The view of the calendar from which the page was opened; undefined if it was opened from elsewhere. */
export const useCalendarOfOrigin = () => useRouterState({ select: ({ location }) => location.state.calendar })
