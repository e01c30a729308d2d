import { Archive, CircleCheck, CirclePause, PencilLine, ShieldAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import type { Gig } from '../queries'

const styles: Record<Gig['status'] | 'taken_down' | 'archived', StatusStyle> = {
  draft: { color: 'gray', icon: PencilLine },
  published: { color: 'success', icon: CircleCheck },
  paused: { color: 'yellow', icon: CirclePause },
  taken_down: { color: 'coral', icon: ShieldAlert },
  archived: { color: 'gray', icon: Archive },
}

type Shown = Pick<Gig, 'status' | 'taken_down_at'> & Partial<Pick<Gig, 'archived_at'>>

export function GigStatusBadge({ gig: { status, taken_down_at, archived_at } }: { gig: Shown }) {
  const { t } = useTranslation()
  const shown = archived_at ? 'archived' : taken_down_at ? 'taken_down' : status
  return <StatusBadge {...styles[shown]}>{t(`gigs.status.${shown}`)}</StatusBadge>
}
