import { CalendarDays, ClipboardCheck, List, Repeat } from 'lucide-react'
import type { Navigation } from '../../navigation'
import { FailedPostsBadge } from './FailedPostsBadge'
import { ReviewBadge } from './review/ReviewBadge'

export const postNavigation: Navigation = {
  workspace: [
    { group: 'work', label: 'pages.calendar', icon: CalendarDays, to: '/w/$workspace/calendar' },
    { group: 'work', label: 'pages.posts', icon: List, to: '/w/$workspace/posts', badge: FailedPostsBadge },
    { group: 'work', label: 'pages.recurring', icon: Repeat, to: '/w/$workspace/recurring-posts' },
    {
      group: 'work',
      label: 'pages.review',
      icon: ClipboardCheck,
      to: '/w/$workspace/review',
      role: 'editor',
      badge: ReviewBadge,
    },
  ],
}
