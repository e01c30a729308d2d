import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound, Problem, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { publishingStatus } from '../../accounts/accounts.ts'
import { createAgent } from '../../agents/agents.ts'
import { MAX_ACCOUNTS } from '../../agents/record/agents.schema.ts'
import { insertPlaceholders } from '../../agents/sources/incomplete-sources.ts'
import { createSource } from '../../agents/sources/sources.ts'
import { findRecipe } from '../recipe-record.ts'
import type { InstallRecipe, RecipeBody } from '../recipes.schema.ts'

const connectedAccounts = async (tx: Tx, { workspace_id }: Member) =>
  (
    await tx
      .selectFrom('account')
      .select('id')
      .where('workspace_id', '=', workspace_id)
      .where('deleted_at', 'is', null)
      .where(publishingStatus, '=', 'connected')
      .orderBy('id')
      .limit(MAX_ACCOUNTS)
      .execute()
  ).map(({ id }) => id)

/** Counts the first install of each workspace. Repeated and concurrent ones of a workspace count once. */
async function countInstall(tx: Tx, { workspace_id }: Member, recipe_id: string) {
  const first = await tx
    .insertInto('recipe_install')
    .values({ recipe_id, workspace_id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('recipe_id')
    .executeTakeFirst()
  if (!first) return
  await tx
    .updateTable('recipe')
    .set({ install_count: sql<number>`install_count + 1` })
    .where('id', '=', recipe_id)
    .where('workspace_id', 'is distinct from', workspace_id)
    .execute()
}

type Given = NonNullable<Static<typeof InstallRecipe>['sources']>
type Sources = { agent_id: string; sources: RecipeBody['sources']; given: Given }

/** Adds the sources of a recipe in their order: those that are given, and placeholders for the others. */
async function addSources(deps: Deps, tx: Tx, caller: Member, { agent_id, sources, given }: Sources) {
  const rest = given.map((source, index) => ({ source, index }))
  for (const { kind, label } of sources) {
    const at = rest.findIndex(({ source }) => source.label === label)
    const [chosen] = at < 0 ? [] : rest.splice(at, 1)
    if (chosen) await inSource(chosen.index, () => createSource(deps, caller, agent_id, { kind, ...chosen.source }))
    else await insertPlaceholders(tx, { workspace_id: caller.workspace_id, agent_id }, [{ kind, label }])
  }
  const [unknown] = rest
  if (unknown) throw invalid(`/sources/${unknown.index}/label`, 'The recipe has no source with this label.')
}

/** Has problems of a source point to it in the request. */
async function inSource<Result>(index: number, create: () => Promise<Result>) {
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof Problem) || !error.options.errors) throw error
    const errors = error.options.errors.map((each) => ({ ...each, pointer: `/sources/${index}${each.pointer}` }))
    throw problem(error.code, { ...error.options, errors })
  }
}

/**
 * Makes an inactive agent from the newest version of a recipe. It publishes nothing unseen, whatever the recipe says, and
 * runs on the clocks and in the language of the workspace.
 */
export const installRecipe = (
  deps: Deps,
  caller: Member,
  id: string,
  { name, account_ids, sources: given = [] }: Static<typeof InstallRecipe>,
) =>
  inTransaction(deps.db, async (tx) => {
    const { version, taken_down_at, body: shared } = await findRecipe(tx, caller, id)
    if (taken_down_at) throw notFound()
    const { sources, timezone: _, language: __, ...body } = shared
    const agent = await createAgent(
      { ...deps, db: tx },
      caller,
      {
        ...body,
        name: name ?? body.name,
        autonomy_level: body.autonomy_level === 'draft' ? 'draft' : 'approve',
        account_ids: account_ids ?? (await connectedAccounts(tx, caller)),
      },
      { recipe_id: id, recipe_version: version },
    )
    await addSources({ ...deps, db: tx }, tx, caller, { agent_id: agent.id, sources, given })
    await countInstall(tx, caller, id)
    await audit(tx, caller, 'recipe.installed', id, { name: body.name, version, agent_id: agent.id })
    return agent
  })
