import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { quoted } from '../../../lib/text.ts'
import { queueMail } from '../../mail/mail.ts'
import { lockForAdmin, readForAdmin } from './admin-record.ts'
import { decideReports } from './reports.ts'

/** Mails the user who published a recipe, if there still is one. */
async function mailCreator(deps: Deps, tx: Tx, creator_id: string | null, name: string, reason: string) {
  const creator = await tx
    .selectFrom('user')
    .select(['email', 'name', 'locale'])
    .where('id', '=', creator_id)
    .executeTakeFirst()
  if (!creator) return
  await queueMail(tx, deps, {
    key: 'recipe-taken-down',
    to: { address: creator.email, name: creator.name },
    locale: creator.locale,
    variables: { recipe_name: quoted(name, 80), reason },
  })
}

/** Hides a recipe, mails its creator, and upholds the open reports. Repeating it changes nothing. */
export const takeDownRecipe = (deps: Deps, caller: User, id: string, { reason }: { reason: string }) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const { workspace_id, creator_id, taken_down_at, body } = await lockForAdmin(tx, id)
    if (taken_down_at) return readForAdmin(tx, id)
    await tx
      .updateTable('recipe')
      .set({ taken_down_at: now, take_down_reason: reason, updated_at: nextUpdatedAt(now) })
      .where('id', '=', id)
      .execute()
    await decideReports(tx, id, caller, 'upheld', now)
    await audit(tx, { ...caller, workspace_id }, 'recipe.taken_down', id, { name: body.name, reason })
    await mailCreator(deps, tx, creator_id, body.name, reason)
    return readForAdmin(tx, id)
  })

/** Shows a recipe again that was hidden. Repeating it changes nothing. */
export const restoreRecipe = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: User, id: string) =>
  inTransaction(db, async (tx) => {
    const { workspace_id, taken_down_at, body } = await lockForAdmin(tx, id)
    if (!taken_down_at) return readForAdmin(tx, id)
    await tx
      .updateTable('recipe')
      .set({ taken_down_at: null, take_down_reason: null, updated_at: nextUpdatedAt(clock.now()) })
      .where('id', '=', id)
      .execute()
    await audit(tx, { ...caller, workspace_id }, 'recipe.restored', id, { name: body.name })
    return readForAdmin(tx, id)
  })
