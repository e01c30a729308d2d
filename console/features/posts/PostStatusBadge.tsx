import {
  CircleCheck,
  CircleHelp,
  CircleMinus,
  CircleX,
  ClipboardCheck,
  ClipboardX,
  Clock,
  ClockAlert,
  FileText,
  Lightbulb,
  Pause,
  TriangleAlert,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post, PostSummary, Target } from '../../api'
import { StatusBadge, type StatusStyle } from '../../ui/feedback/StatusBadge'

type State = Post['status'] | Target['status'] | 'idea' | 'in_review' | 'rejected' | 'blocked' | 'held' | 'queue_paused'

export const statusStyles: Record<State, StatusStyle> = {
  draft: { color: 'gray', icon: FileText },
  idea: { color: 'gray', icon: Lightbulb },
  in_review: { color: 'yellow', icon: ClipboardCheck },
  rejected: { color: 'coral', icon: ClipboardX },
  scheduled: { color: 'blue', icon: Clock },
  held: { color: 'orange', icon: ClockAlert },
  queue_paused: { color: 'yellow', icon: Pause },
  pending: { color: 'blue', icon: Clock },
  blocked: { color: 'orange', icon: TriangleAlert },
  publishing: { color: 'yellow', icon: null },
  unconfirmed: { color: 'yellow', icon: CircleHelp },
  published: { color: 'success', icon: CircleCheck },
  partially_published: { color: 'orange', icon: TriangleAlert },
  failed: { color: 'coral', icon: CircleX },
  unpublished: { color: 'gray', icon: CircleMinus },
}

/** The state to show: a post whose time has come is being published, also before a worker takes it. */
export const shownStatus = ({
  status,
  held,
  scheduled_at,
  updated_at,
}: Pick<Post, 'status' | 'held' | 'scheduled_at' | 'updated_at'>): Post['status'] =>
  status === 'scheduled' && !held && scheduled_at !== null && scheduled_at <= updated_at ? 'publishing' : status

/** The same, with what keeps a scheduled post from being published: it is held, or an account has a problem. */
const statusWithWarning = (
  post: Pick<PostSummary, 'status' | 'held' | 'scheduled_at' | 'updated_at' | 'targets'>,
): State => {
  if (post.held) return post.held === 'queue_paused' ? 'queue_paused' : 'held'
  const status = shownStatus(post)
  return status === 'scheduled' && post.targets.some(({ warning }) => warning) ? 'blocked' : status
}

/** The same, with the review of a post that is not approved yet. */
export const statusWithReview = (
  post: Pick<PostSummary, 'status' | 'is_idea' | 'held' | 'review' | 'scheduled_at' | 'updated_at' | 'targets'>,
): State => {
  if (post.is_idea) return 'idea'
  if (post.status === 'draft' && post.review === 'pending') return 'in_review'
  return post.status === 'draft' && post.review === 'rejected' ? 'rejected' : statusWithWarning(post)
}

/** The state of a post or of one of its targets. */
export function PostStatusBadge({ status }: { status: State }) {
  const { t } = useTranslation()
  return <StatusBadge {...statusStyles[status]}>{t(`status.${status}`)}</StatusBadge>
}
