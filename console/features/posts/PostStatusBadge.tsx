import { CircleCheck, CircleHelp, CircleMinus, CircleX, Clock, FileText, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post, Target } from '../../api'
import { StatusBadge, type StatusStyle } from '../../ui/feedback/StatusBadge'

type State = Post['status'] | Target['status']

export const statusStyles: Record<State, StatusStyle> = {
  draft: { color: 'gray', icon: FileText },
  scheduled: { color: 'blue', icon: Clock },
  pending: { color: 'blue', icon: Clock },
  publishing: { color: 'yellow', icon: null },
  unconfirmed: { color: 'yellow', icon: CircleHelp },
  published: { color: 'iznik', icon: CircleCheck },
  partially_published: { color: 'orange', icon: TriangleAlert },
  failed: { color: 'coral', icon: CircleX },
  unpublished: { color: 'gray', icon: CircleMinus },
}

/** The state to show: a post whose time has come is being published, also before a worker takes it. */
export const shownStatus = ({
  status,
  scheduled_at,
  updated_at,
}: Pick<Post, 'status' | 'scheduled_at' | 'updated_at'>): Post['status'] =>
  status === 'scheduled' && scheduled_at !== null && scheduled_at <= updated_at ? 'publishing' : status

/** The state of a post or of one of its targets. */
export function PostStatusBadge({ status }: { status: State }) {
  const { t } = useTranslation()
  return <StatusBadge {...statusStyles[status]}>{t(`status.${status}`)}</StatusBadge>
}
