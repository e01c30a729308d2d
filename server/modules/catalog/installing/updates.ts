import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { invalid, notFound } from '../../../errors.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { changeAgent, readOwnAgent } from '../../agents/agents.ts'
import { type AgentRow, lockAgent } from '../../agents/record/agent-record.ts'
import { readBody } from '../recipe-record.ts'
import { type RecipeUpdate, type UpdateFromRecipe, updatable } from '../recipes.schema.ts'

/** The installed and the newest version of the recipe of an agent. Throws 404 when it is from none. */
async function versionsOf(tx: Tx, { recipe }: Pick<AgentRow, 'recipe'>) {
  if (!recipe) throw notFound()
  const { id, version, latest_version } = recipe
  return { ...recipe, installed: await readBody(tx, id, version), latest: await readBody(tx, id, latest_version) }
}

/** Compares an agent with the newest version of its recipe, and with the one that it was installed from. */
export const compareWithRecipe = (deps: Deps, caller: Member, agent_id: string) =>
  inTransaction(deps.db, async (tx) => {
    const agent = await readOwnAgent({ ...deps, db: tx }, caller, agent_id)
    const { version, latest_version, installed, latest } = await versionsOf(tx, agent)
    const fields = updatable
      .filter((field) => !isDeepStrictEqual(latest[field], agent[field]))
      .map((field) => ({
        field,
        installed: installed[field],
        current: agent[field],
        latest: latest[field],
        edited: !isDeepStrictEqual(installed[field], agent[field]),
      }))
    return {
      installed_version: version,
      latest_version,
      fields: latest_version > version ? fields : [],
      // The ETag of the agent, for the update.
      version: agent.version,
    }
  })

/**
 * Takes the chosen fields of the newest version. Schedule, accounts and `is_active` stay; an agent that published alone
 * waits for approvals again, because its instructions are others now.
 */
export const updateFromRecipe = (
  deps: Deps,
  caller: Member,
  agent_id: string,
  { version, fields }: Static<typeof UpdateFromRecipe>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const agent = await lockAgent(deps, tx, caller, agent_id)
    const { latest_version, latest } = await versionsOf(tx, agent)
    if (version !== latest_version)
      throw invalid('/version', {
        en: `The newest version is ${latest_version}.`,
        tr: `En yeni sürüm ${latest_version}.`,
      })
    const update: RecipeUpdate = Object.fromEntries(fields.map((field) => [field, latest[field]]))
    return changeAgent(
      { ...deps, db: tx },
      caller,
      agent_id,
      { ...update, ...(agent.autonomy_level === 'auto' && { autonomy_level: 'approve' }), recipe_version: version },
      ifMatch,
    )
  })
