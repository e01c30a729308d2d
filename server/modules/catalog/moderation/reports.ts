import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { limitExceeded } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { readRecipe } from '../recipe-record.ts'
import { lockForAdmin, readForAdmin } from './admin-record.ts'
import type { NewRecipeReport } from './moderation.schema.ts'

/** Reports of a user that no instance admin has decided. */
const MAX_OPEN = 50

/** Reports a recipe. The database refuses a second report of the same user. */
export const reportRecipe = (db: Db, caller: User, id: string, { reason, text = '' }: Static<typeof NewRecipeReport>) =>
  inTransaction(db, async (tx) => {
    await tx.selectFrom('user').select('id').where('id', '=', caller.user_id).forNoKeyUpdate().execute()
    const recipe = await readRecipe(tx, caller, id)
    const open = await tx
      .selectFrom('recipe_report')
      .select('id')
      .where('reporter_id', '=', caller.user_id)
      .where('status', '=', 'open')
      .limit(MAX_OPEN)
      .execute()
    if (open.length === MAX_OPEN)
      throw limitExceeded('open_reports', MAX_OPEN, MAX_OPEN, `At most ${MAX_OPEN} of your reports can be open.`)
    const report = await tx
      .insertInto('recipe_report')
      .values({ recipe_id: recipe.id, reporter_id: caller.user_id, reason, text })
      .returning(['id', 'recipe_id', 'reason', 'text', 'created_at'])
      .executeTakeFirstOrThrow()
    await audit(tx, { ...caller, workspace_id: null }, 'recipe.reported', recipe.id, { reason })
    return report
  })

export async function listReports(db: Db, recipe_id: string, cut: PageInput) {
  await readForAdmin(db, recipe_id)
  const reports = db
    .selectFrom('recipe_report')
    .select(['id', 'recipe_id', 'reason', 'text', 'status', 'decided_at', 'created_at'])
    .select((report) =>
      jsonObjectFrom(
        report.selectFrom('user').select(['id', 'name', 'email']).whereRef('user.id', '=', 'recipe_report.reporter_id'),
      ).as('reporter'),
    )
    .where('recipe_id', '=', recipe_id)
  return page(reports, 'recipe_report.id', cut)
}

/** Decides all open reports of a recipe. Returns how many there were. */
export async function decideReports(
  tx: Tx,
  recipe_id: string,
  { user_id }: User,
  status: 'dismissed' | 'upheld',
  now: Date,
) {
  const decided = await tx
    .updateTable('recipe_report')
    .set({ status, decided_by: user_id, decided_at: now })
    .where('recipe_id', '=', recipe_id)
    .where('status', '=', 'open')
    .returning('id')
    .execute()
  return decided.length
}

/** Closes the open reports of a recipe, which stays as it is. Repeating it changes nothing. */
export const dismissReports = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: User, id: string) =>
  inTransaction(db, async (tx) => {
    const { workspace_id, body } = await lockForAdmin(tx, id)
    const reports = await decideReports(tx, id, caller, 'dismissed', clock.now())
    if (reports > 0)
      await audit(tx, { ...caller, workspace_id }, 'recipe.reports_dismissed', id, { name: body.name, reports })
    return readForAdmin(tx, id)
  })
