import { useQuery } from '@tanstack/react-query'
import { fromWall } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import { nextSlotQuery } from '../queue/queries'
import type { PostDraft } from './form-values'

/** When a post would be published, as far as that is known. */
export function usePlannedTime({ when, wall, accounts }: PostDraft) {
  const { slug, timezone } = useWorkspace()
  const slots = nextSlotQuery(slug, accounts)
  const slot = useQuery({ ...slots, enabled: when === 'queue' && accounts.length > 0 }).data
  if (when === 'later' && wall) return fromWall(timezone, wall)
  return when === 'queue' && slot?.time ? new Date(slot.time) : undefined
}
