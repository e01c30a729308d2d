import { sql } from 'kysely'
import type { Static } from 'typebox'
import { limitExceeded, notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { type AgentRow, lockAgent } from '../../agents/record/agent-record.ts'
import { listSourceKinds } from '../../agents/sources/incomplete-sources.ts'
import { readBody, readRecipe } from '../recipe-record.ts'
import type { ChangeRecipe, PublishRecipe, RecipeBody } from '../recipes.schema.ts'
import { checkSafe } from './lint.ts'
import { addVersion } from './versions.ts'

const MAX_PUBLISHED = 20

/** The part of an agent that is shared. An allow-list: a field that agents gain later stays private. */
const bodyOf = (agent: AgentRow, sources: RecipeBody['sources']): RecipeBody => {
  const { name, description, category, tags, role, persona, system_prompt, image_style, voice, language } = agent
  const { schedule_cron, timezone, posts_per_run, daily_limit, autonomy_level, generate_image, design, video } = agent
  return {
    ...{ name, description, category, tags, role, persona, system_prompt, image_style, voice, language },
    ...{ schedule_cron, timezone, posts_per_run, daily_limit, autonomy_level, generate_image, design, video },
    sources,
  }
}

/** Names of a workspace and its accounts. */
async function privateNames(tx: Tx, { workspace_id }: Member) {
  const { name } = await tx
    .selectFrom('workspace')
    .select('name')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow(notFound)
  const accounts = await tx
    .selectFrom('account')
    .select(['name', 'handle'])
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .execute()
  return {
    workspace: name,
    accounts: accounts.flatMap(({ name, handle }) => (handle === null ? [name] : [name, handle])),
  }
}

/** The recipe of an agent, locked; a new one is not published and has no version yet. */
async function recipeOf(tx: Tx, caller: Member, agent_id: string, { category, language }: RecipeBody) {
  const recipe = await tx
    .selectFrom('recipe')
    .select(['id', 'version', 'published'])
    .where('agent_id', '=', agent_id)
    .forUpdate()
    .executeTakeFirst()
  if (recipe) return recipe
  const { workspace_id, user_id: creator_id } = caller
  return tx
    .insertInto('recipe')
    .values({ workspace_id, creator_id, agent_id, category, language, search: '', published: false })
    .returning(['id', 'version', 'published'])
    .executeTakeFirstOrThrow()
}

/** Throws 403 when a workspace has as many published recipes as it can have. Its row must be locked. */
async function checkRoom(tx: Tx, { workspace_id }: Member) {
  const { count } = await tx
    .selectFrom('recipe')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', workspace_id)
    .where('published', '=', true)
    .executeTakeFirstOrThrow()
  if (count >= MAX_PUBLISHED)
    throw limitExceeded(
      'recipes',
      MAX_PUBLISHED,
      count,
      `A workspace can have at most ${MAX_PUBLISHED} published recipes. Unpublish one first.`,
    )
}

/** Publishes an agent as a recipe. Published again, it becomes the next version, unless nothing changed. */
export const publishRecipe = (deps: Deps, caller: Member, { agent_id, ...listing }: Static<typeof PublishRecipe>) =>
  inTransaction(deps.db, async (tx) => {
    await tx.selectFrom('workspace').select('id').where('id', '=', caller.workspace_id).forNoKeyUpdate().execute()
    const agent = await lockAgent(deps, tx, caller, agent_id)
    const body = { ...bodyOf(agent, await listSourceKinds(tx, agent_id)), ...listing }
    checkSafe(body, await privateNames(tx, caller))
    const recipe = await recipeOf(tx, caller, agent_id, body)
    if (!recipe.published) await checkRoom(tx, caller)
    const now = deps.clock.now()
    const version = await addVersion(tx, recipe, body, now)
    if (!recipe.published)
      await tx
        .updateTable('recipe')
        .set({ published: true, updated_at: nextUpdatedAt(now) })
        .where('id', '=', recipe.id)
        .execute()
    await audit(tx, caller, 'recipe.published', recipe.id, { name: body.name, version })
    return readRecipe(tx, caller, recipe.id)
  })

async function lockRecipe(tx: Tx, { workspace_id }: Member, id: string) {
  const recipe = await tx
    .selectFrom('recipe')
    .select(['id', 'version', 'published'])
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .forUpdate()
    .executeTakeFirst()
  if (!recipe) throw notFound()
  return { ...recipe, body: await readBody(tx, id, recipe.version) }
}

/** Changes how the catalogue shows a recipe, as a version of its own. */
export const changeRecipe = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
  input: Static<typeof ChangeRecipe>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const before = await lockRecipe(tx, caller, id)
    ifMatch(before.version)
    const body = { ...before.body, ...input }
    checkSafe(body, await privateNames(tx, caller))
    const version = await addVersion(tx, before, body, clock.now())
    await audit(tx, caller, 'recipe.updated', id, { name: body.name, version, fields: Object.keys(input) })
    return readRecipe(tx, caller, id)
  })

/** Takes a recipe out of the catalogue. Agents that were installed from it stay. Repeating it changes nothing. */
export const unpublishRecipe = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const recipe = await lockRecipe(tx, caller, id)
    if (recipe.published) {
      await tx
        .updateTable('recipe')
        .set({ published: false, updated_at: nextUpdatedAt(clock.now()) })
        .where('id', '=', id)
        .execute()
      await audit(tx, caller, 'recipe.unpublished', id, { name: recipe.body.name })
    }
    return readRecipe(tx, caller, id)
  })
