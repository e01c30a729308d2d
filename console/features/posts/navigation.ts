import { CalendarDays, ClipboardCheck, FileSpreadsheet, List, Repeat } from 'lucide-react'
import type { EntryBadge, Navigation } from '../../ui/navigation/entry'
import { useFailedPostCount, useInReviewCount } from './queries'

export const failedPostsBadge: EntryBadge = {
  useCount: useFailedPostCount,
  label: 'posts.failed_lately',
  isProblem: true,
}

export const postNavigation: Navigation = {
  workspace: [
    { group: 'daily', label: 'pages.calendar', icon: CalendarDays, to: '/w/$workspace/calendar' },
    {
      group: 'daily',
      label: 'pages.posts',
      icon: List,
      to: '/w/$workspace/posts',
      badge: failedPostsBadge,
    },
    { group: 'planning', label: 'pages.recurring', icon: Repeat, to: '/w/$workspace/recurring-posts' },
    {
      group: 'planning',
      label: 'pages.import',
      icon: FileSpreadsheet,
      to: '/w/$workspace/import',
      role: 'author',
    },
    {
      group: 'daily',
      label: 'pages.review',
      icon: ClipboardCheck,
      to: '/w/$workspace/review',
      role: 'editor',
      badge: { useCount: useInReviewCount, label: 'review.waiting' },
    },
  ],
}
