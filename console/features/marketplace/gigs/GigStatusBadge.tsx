import { CircleCheck, CirclePause, PencilLine, ShieldAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge, type StatusStyle } from '../../../ui/feedback/StatusBadge'
import type { Gig } from '../queries'

const styles: Record<Gig['status'] | 'taken_down', StatusStyle> = {
  draft: { color: 'gray', icon: PencilLine },
  published: { color: 'success', icon: CircleCheck },
  paused: { color: 'yellow', icon: CirclePause },
  taken_down: { color: 'coral', icon: ShieldAlert },
}

export function GigStatusBadge({ gig: { status, taken_down_at } }: { gig: Pick<Gig, 'status' | 'taken_down_at'> }) {
  const { t } = useTranslation()
  const shown = taken_down_at ? 'taken_down' : status
  return <StatusBadge {...styles[shown]}>{t(`gigs.status.${shown}`)}</StatusBadge>
}
