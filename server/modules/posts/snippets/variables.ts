import { sql } from 'kysely'
import type { Static } from 'typebox'
import { builtInVariables, variablesIn } from '../../../../shared/text/variables.ts'
import { invalid } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { lockWorkspaceAs } from '../../workspaces/members/members.ts'
import type { VariableFields, Variables } from './variables.schema.ts'

type List = Static<typeof VariableFields>['variables']

const NONE: Static<typeof Variables> = { variables: [], updated_at: null, version: 0 }

/** The variables of a workspace. */
export const readVariables = async (db: Db, { workspace_id }: Pick<Member, 'workspace_id'>) =>
  (await db
    .selectFrom('workspace_variables')
    .select([sql<List>`variables`.as('variables'), 'updated_at', 'version'])
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirst()) ?? NONE

/** Replaces the variables of a workspace. One that a snippet uses cannot be removed. */
export const saveVariables = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  input: Static<typeof VariableFields>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const variables = input.variables.map(({ name, value }) => ({ name, value: value.trim() }))
    const known = new Set<string>(builtInVariables)
    variables.forEach(({ name }, index) => {
      if (known.has(name))
        throw invalid(`/variables/${index}/name`, {
          en: 'Another variable has this name. Choose another one.',
          tr: 'Bu adda bir değişken var. Başka bir ad seçin.',
        })
      known.add(name)
    })
    // Snippets take the same lock, so none begins to use what is removed here.
    await lockWorkspaceAs(tx, caller, 'author')
    const before = await readVariables(tx, caller)
    ifMatch(before.version)
    if (before.version > 0 && JSON.stringify(toPairs(before.variables)) === JSON.stringify(toPairs(variables)))
      return before
    const removed = before.variables.map(({ name }) => name).filter((name) => !known.has(name))
    await assertUnused(tx, caller, removed)
    const updated_at = clock.now()
    const stored = JSON.stringify(variables)
    await tx
      .insertInto('workspace_variables')
      .values({ workspace_id: caller.workspace_id, variables: stored, updated_at })
      .onConflict((conflict) =>
        conflict.column('workspace_id').doUpdateSet({
          variables: stored,
          updated_at: sql`greatest(workspace_variables.updated_at + interval '1 ms', ${updated_at}::timestamptz)`,
        }),
      )
      .execute()
    const after = await readVariables(tx, caller)
    await audit(
      tx,
      caller,
      'workspace.variables_changed',
      caller.workspace_id,
      changedFields(before, after, ['variables']),
    )
    return after
  })

const toPairs = (variables: List) => variables.map(({ name, value }) => [name, value])

async function assertUnused(tx: Tx, { workspace_id }: Member, removed: readonly string[]) {
  if (removed.length === 0) return
  const snippets = await tx
    .selectFrom('snippet')
    .select(['name', sql<string>`content || ' ' || coalesce(first_comment, '')`.as('text')])
    .where('workspace_id', '=', workspace_id)
    .where((eb) => eb.or([eb('content', 'like', '%{{%'), eb('first_comment', 'like', '%{{%')]))
    .orderBy('id')
    .execute()
  for (const { name, text } of snippets) {
    const used = variablesIn(text).find((variable) => removed.includes(variable))
    if (used)
      throw invalid('/variables', {
        en: `The snippet “${name}” uses {{${used}}}. Change the snippet first.`,
        tr: `“${name}” hazır metni {{${used}}} kullanıyor. Önce hazır metni değiştirin.`,
      })
  }
}

/** Maximum length of the known names in a message. */
const MAX_NAMES = 250

/** Throws `invalid` for a text with a variable that neither the workspace nor Meydan has. */
export async function assertKnownVariables(db: Db, caller: Member, texts: Record<string, string | null>) {
  const used = Object.entries(texts).map(([field, text]) => [field, variablesIn(text ?? '')] as const)
  if (used.every(([, names]) => names.length === 0)) return
  const own = (await readVariables(db, caller)).variables.map(({ name }) => name)
  const known = [...builtInVariables, ...own]
  for (const [field, names] of used) {
    const unknown = names.find((name) => !known.includes(name))
    if (unknown === undefined) continue
    const list = known.map((name) => `{{${name}}}`).join(', ')
    const shown = list.length > MAX_NAMES ? `${list.slice(0, list.lastIndexOf(', ', MAX_NAMES))} …` : list
    throw invalid(`/${field}`, {
      en: `There is no variable {{${unknown}}}. Known are: ${shown}.`,
      tr: `{{${unknown}}} diye bir değişken yok. Bilinenler: ${shown}.`,
    })
  }
}
