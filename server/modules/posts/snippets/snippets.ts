import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, limitExceeded, notFound } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { distinctLabels } from '../../../lib/text.ts'
import { lockAccounts } from '../../accounts/accounts.ts'
import type { NewSnippet, Snippet, SnippetChanges } from './snippets.schema.ts'
import { assertKnownVariables } from './variables.ts'

const MAX_SNIPPETS = 500

type Kind = Static<typeof Snippet>['kind']

/** `kind`: only snippets of this kind. */
export const listSnippets = (db: Db, { workspace_id }: Pick<Member, 'workspace_id'>, kind?: Kind) =>
  db
    .selectFrom('snippet')
    .select(['id', 'name', 'content', sql<Kind>`kind`.as('kind'), 'labels', 'first_comment'])
    .select(
      sql<string[]>`array(select id from account where id = any (snippet.account_ids) and deleted_at is null
        order by array_position(snippet.account_ids, id))`.as('account_ids'),
    )
    .select(['created_by', 'created_at', 'updated_at', 'version'])
    .where('workspace_id', '=', workspace_id)
    .$if(kind !== undefined, (list) => list.where('kind', '=', kind ?? ''))

export async function readSnippet(db: Db, caller: Member, id: string) {
  const snippet = await listSnippets(db, caller).where('id', '=', id).executeTakeFirst()
  if (!snippet) throw notFound()
  return snippet
}

/** Locks the workspace, so that the limit is kept and no variable is removed that a snippet begins to use. */
const lockSnippets = (tx: Tx, { workspace_id }: Member) =>
  tx.selectFrom('workspace').select('id').where('id', '=', workspace_id).forNoKeyUpdate().execute()

type Fields = Pick<Static<typeof Snippet>, (typeof FIELDS)[number]>

const FIELDS = ['name', 'content', 'kind', 'account_ids', 'labels', 'first_comment'] as const

/** The fields of a snippet after a change. Only templates keep accounts, labels and a first comment. */
function applyChanges(before: Fields, input: Static<typeof SnippetChanges>): Fields {
  const { kind = before.kind, content = before.content } = input
  const { account_ids = [], labels = [], first_comment = null } = input
  if (kind === 'hashtags' && !/^\s*(#[^\s#]+\s*)+$/.test(content))
    throw invalid('/content', {
      en: 'A set of hashtags consists of words that begin with #.',
      tr: 'Konu etiketi kümesi # ile başlayan sözcüklerden oluşur.',
    })
  const name = input.name?.trim() ?? before.name
  if (kind !== 'template') {
    const refused = Object.entries({ account_ids, labels }).find(([, list]) => list.length > 0)?.[0]
    if (refused !== undefined || first_comment !== null)
      throw invalid(`/${refused ?? 'first_comment'}`, {
        en: 'Only templates have accounts, labels and a first comment.',
        tr: 'Yalnızca şablonların hesapları, etiketleri ve ilk yorumu vardır.',
      })
    return { name, content, kind, account_ids, labels, first_comment }
  }
  return {
    ...{ name, content, kind },
    account_ids: input.account_ids?.map((id) => id.toLowerCase()) ?? before.account_ids,
    labels: input.labels ? distinctLabels(input.labels) : before.labels,
    first_comment: input.first_comment === undefined ? before.first_comment : first_comment,
  }
}

const EMPTY: Fields = { name: '', content: '', kind: 'text', account_ids: [], labels: [], first_comment: null }

export const createSnippet = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  input: Static<typeof NewSnippet>,
) =>
  inTransaction(db, async (tx) => {
    const { workspace_id, user_id } = caller
    const fields = applyChanges(EMPTY, input)
    await lockAccounts(tx, workspace_id, fields.account_ids)
    await lockSnippets(tx, caller)
    await assertKnownVariables(tx, caller, { content: fields.content, first_comment: fields.first_comment })
    const { count } = await tx
      .selectFrom('snippet')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('workspace_id', '=', workspace_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_SNIPPETS)
      throw limitExceeded('snippets', MAX_SNIPPETS, count, `A workspace can have at most ${MAX_SNIPPETS} snippets.`)
    const id = await newId(tx)
    const now = clock.now()
    await tx
      .insertInto('snippet')
      .values({ ...fields, id, workspace_id, created_by: user_id, created_at: now, updated_at: now })
      .execute()
    await audit(tx, caller, 'snippet.created', id, { after: fields })
    return readSnippet(tx, caller, id)
  })

export const changeSnippet = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
  input: Static<typeof SnippetChanges>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    await lockAccounts(tx, caller.workspace_id, input.account_ids ?? [])
    await lockSnippets(tx, caller)
    const before = await listSnippets(tx, caller).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (!before) throw notFound()
    ifMatch(before.version)
    const after = applyChanges(before, input)
    const changed = FIELDS.filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]))
    if (changed.length === 0) return before
    // A text from before there were variables may be kept as it is.
    await assertKnownVariables(tx, caller, {
      content: changed.includes('content') ? after.content : null,
      first_comment: changed.includes('first_comment') ? after.first_comment : null,
    })
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
      .returning(FIELDS)
      .executeTakeFirst()
    if (!deleted) throw notFound()
    await audit(tx, caller, 'snippet.deleted', id, { before: deleted })
  })
