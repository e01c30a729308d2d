import type { Tx } from '../../../lib/db/database.ts'
import type { Role } from '../../../lib/http/roles.ts'
import { notify } from '../../notifications/notify.ts'
import type { Variant } from './variants.ts'

type Paused = { id: string; workspace_id: string; variants: readonly Pick<Variant, 'content'>[] }
type How = {
  actor_id: string | null
  reason: 'by_member' | 'author_gone'
  to: { roles?: readonly Role[]; user_ids?: (string | null)[] }
  now: Date
}

/** Tells that a recurring post creates no more posts. */
export const notifyPaused = (tx: Tx, { id, workspace_id, variants }: Paused, { actor_id, reason, to, now }: How) =>
  notify(
    tx,
    {
      ...{ kind: 'recurring_post.paused', workspace_id, actor_id, to, detail: reason, cause: now.toISOString() },
      subject: { id, name: variants[0]?.content ?? '' },
    },
    now,
  )
