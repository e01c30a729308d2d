import { Badge, Loader } from '@mantine/core'
import { CircleCheck, CircleHelp, CircleX, Clock, FileText, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Post, Target } from '../../api'

type State = Post['status'] | Target['status']

export const looks: Record<State, { color: string; icon: LucideIcon | null }> = {
  draft: { color: 'gray', icon: FileText },
  scheduled: { color: 'blue', icon: Clock },
  pending: { color: 'blue', icon: Clock },
  publishing: { color: 'yellow', icon: null },
  unconfirmed: { color: 'yellow', icon: CircleHelp },
  published: { color: 'iznik', icon: CircleCheck },
  partially_published: { color: 'orange', icon: TriangleAlert },
  failed: { color: 'coral', icon: CircleX },
}

/** The state of a post or of one of its targets: by icon, colour and word. */
export function Status({ status }: { status: State }) {
  const { t } = useTranslation()
  const { color, icon: Icon } = looks[status]
  return (
    <Badge
      variant="light"
      color={color}
      size="lg"
      tt="none"
      fw={600}
      leftSection={Icon ? <Icon size={14} /> : <Loader size={12} color="currentColor" />}
    >
      {t(`status.${status}`)}
    </Badge>
  )
}
