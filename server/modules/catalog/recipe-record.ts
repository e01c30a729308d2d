import { type SqlBool, sql } from 'kysely'
import { notFound } from '../../errors.ts'
import type { Db, Tx } from '../../lib/db/database.ts'
import type { User } from '../../lib/http/access.ts'
import { isRecipeListed } from '../agents/record/agent-record.ts'
import { inWorkspaceOf } from '../workspaces/members/in-workspace-of.ts'

/** Recipes with their newest version. Ids of creators are for members of their workspace only. */
export const selectRecipes = (db: Db, caller: User) => {
  const isOwn = inWorkspaceOf(caller, 'recipe.workspace_id')
  const ifOwn = (column: 'creator_id' | 'workspace_id' | 'agent_id') =>
    sql<string | null>`case when ${isOwn} then ${sql.ref(`recipe.${column}`)} end`.as(column)
  return db
    .selectFrom('recipe')
    .innerJoin('recipe_version as newest', (join) =>
      join.onRef('newest.recipe_id', '=', 'recipe.id').onRef('newest.version', '=', 'recipe.version'),
    )
    .select(['recipe.id', 'recipe.version', 'recipe.published', 'recipe.taken_down_at', 'recipe.take_down_reason'])
    .select(['recipe.install_count', 'recipe.created_at', 'recipe.updated_at', 'newest.body'])
    .select(sql<boolean>`recipe.built_in is not null`.as('is_built_in'))
    .select([ifOwn('creator_id'), ifOwn('workspace_id'), ifOwn('agent_id')])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRecipes>['executeTakeFirstOrThrow']>>

export const recipeRecord = ({ body, ...row }: Row) => ({ ...body, ...row })

/**
 * Condition: the caller may see a recipe: it is in the catalogue, or of one of the caller's workspaces. Instance admins
 * see published ones that were taken down.
 */
const isVisibleTo = (caller: User) =>
  sql<SqlBool>`((${isRecipeListed}) or ${inWorkspaceOf(caller, 'recipe.workspace_id')}
    or (${caller.is_instance_admin && caller.token === null} and recipe.published))`

export const findRecipe = (db: Db, caller: User, id: string) =>
  selectRecipes(db, caller).where('recipe.id', '=', id).where(isVisibleTo(caller)).executeTakeFirstOrThrow(notFound)

export const readRecipe = async (db: Db, caller: User, id: string) => recipeRecord(await findRecipe(db, caller, id))

/** A version of a recipe that exists. */
export const readBody = async (tx: Tx, recipe_id: string, version: number) =>
  (
    await tx
      .selectFrom('recipe_version')
      .select('body')
      .where('recipe_id', '=', recipe_id)
      .where('version', '=', version)
      .executeTakeFirstOrThrow()
  ).body
