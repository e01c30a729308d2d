import { sql } from 'kysely'
import type { Static } from 'typebox'
import { limitExceeded, notFound } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import type { NewSnippet, SnippetChanges } from './snippets.schema.ts'

const MAX_SNIPPETS = 500

export const listSnippets = (db: Db, { workspace_id }: Pick<Member, 'workspace_id'>) =>
  db
    .selectFrom('snippet')
    .select(['id', 'name', 'content', 'created_by', 'created_at', 'updated_at', 'version'])
    .where('workspace_id', '=', workspace_id)

export async function readSnippet(db: Db, caller: Member, id: string) {
  const snippet = await listSnippets(db, caller).where('id', '=', id).executeTakeFirst()
  if (!snippet) throw notFound()
  return snippet
}

export const createSnippet = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  { name, content }: Static<typeof NewSnippet>,
) =>
  inTransaction(db, async (tx) => {
    const { workspace_id, user_id } = caller
    // The lock keeps concurrent calls from exceeding the limit.
    await tx.selectFrom('workspace').select('id').where('id', '=', workspace_id).forNoKeyUpdate().execute()
    const { count } = await tx
      .selectFrom('snippet')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('workspace_id', '=', workspace_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_SNIPPETS)
      throw limitExceeded('snippets', MAX_SNIPPETS, count, `A workspace can have at most ${MAX_SNIPPETS} snippets.`)
    const id = await newId(tx)
    const now = clock.now()
    const values = { id, workspace_id, created_by: user_id, name: name.trim(), content }
    await tx
      .insertInto('snippet')
      .values({ ...values, created_at: now, updated_at: now })
      .execute()
    await audit(tx, caller, 'snippet.created', id, { after: { name: values.name, content } })
    return readSnippet(tx, caller, id)
  })

const FIELDS = ['name', 'content'] as const

export const changeSnippet = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
  input: Static<typeof SnippetChanges>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const before = await listSnippets(tx, caller).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (!before) throw notFound()
    ifMatch(before.version)
    const after = { name: input.name?.trim() ?? before.name, content: input.content ?? before.content }
    const changed = FIELDS.filter((field) => after[field] !== before[field])
    if (changed.length === 0) return before
    await tx
      .updateTable('snippet')
      .set({ ...after, updated_at: sql`greatest(updated_at + interval '1 ms', ${clock.now()}::timestamptz)` })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'snippet.changed', id, changedFields(before, after, changed))
    return readSnippet(tx, caller, id)
  })

export const deleteSnippet = (db: Db, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const deleted = await tx
      .deleteFrom('snippet')
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .returning(['name', 'content'])
      .executeTakeFirst()
    if (!deleted) throw notFound()
    await audit(tx, caller, 'snippet.deleted', id, { before: deleted })
  })
