import {
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock,
  FileText,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post, Target } from '../../api'
import classes from './posts.module.css'

type State = Post['status'] | Target['status']

export const statusStyles: Record<State, { color: string; icon: LucideIcon | null }> = {
  draft: { color: 'gray', icon: FileText },
  scheduled: { color: 'blue', icon: Clock },
  pending: { color: 'blue', icon: Clock },
  publishing: { color: 'yellow', icon: null },
  unconfirmed: { color: 'yellow', icon: CircleHelp },
  published: { color: 'iznik', icon: CircleCheck },
  partially_published: { color: 'orange', icon: TriangleAlert },
  failed: { color: 'coral', icon: CircleX },
}

/** The state of a post or of one of its targets: icon, colour and word. */
export function StatusBadge({ status }: { status: State }) {
  const { t } = useTranslation()
  const { color, icon: Icon } = statusStyles[status]
  return (
    <span
      className={classes.status}
      style={{
        backgroundColor: `var(--mantine-color-${color}-light)`,
        color: `var(--mantine-color-${color}-light-color)`,
      }}
    >
      {Icon ? (
        <Icon size={14} aria-hidden="true" />
      ) : (
        <LoaderCircle size={14} className={classes.turning} aria-hidden="true" />
      )}
      {t(`status.${status}`)}
    </span>
  )
}
