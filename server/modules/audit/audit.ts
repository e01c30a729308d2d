import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { HOUR } from '../../../shared/time.ts'
import { type Db, inTransaction, minIdAt, type Tx, uuidAt } from '../../lib/db/database.ts'
import type { DB } from '../../lib/db/database-types.ts'
import { idOfCursor, type PageInput, page } from '../../lib/db/page.ts'
import type { AuditQuery } from './audit.schema.ts'

type Actor = { id: string; name: string | null; email: string | null }
type Entries = SelectQueryBuilder<DB, 'audit_entry', object>

/** `at` is the start of the transaction, and ids are generated later: at most this much. */
const TRANSACTION_SLACK_MS = HOUR

/** Entries of a workspace, newest first; with null, entries without a workspace. */
export const listEntries = (db: Db, workspace_id: string | null, query: Static<typeof AuditQuery>) =>
  inTransaction(db, async (tx) => {
    // A time range may hold a day or everything. A generic plan expects few rows, so it collects and sorts them all.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
    return readEntries(tx, workspace_id, query)
  })

async function readEntries(
  db: Tx,
  workspace_id: string | null,
  { actor, action, since, until, ...cut }: Static<typeof AuditQuery>,
) {
  let entries: Entries = db
    .selectFrom('audit_entry')
    .where('audit_entry.workspace_id', workspace_id === null ? 'is' : '=', workspace_id)
  if (actor) entries = entries.where('audit_entry.actor_id', '=', actor)
  // Filters by id as well, because the indexes are in the order of ids.
  if (since) {
    const time = new Date(since)
    entries = entries.where('audit_entry.at', '>=', time).where('audit_entry.id', '>=', minIdAt(time))
  }
  if (until) {
    const time = new Date(until)
    entries = entries
      .where('audit_entry.at', '<', time)
      .where('audit_entry.id', '<', uuidAt(time.getTime() + TRANSACTION_SLACK_MS))
  }

  if (action === undefined) return page(withActor(db, entries.selectAll('audit_entry')), 'entry.id', cut)
  const actions = action.endsWith('*') ? await actionsOf(db, workspace_id, action.slice(0, -1)) : [action]
  return page(withActor(db, ofActions(db, entries, actions, cut)), 'entry.id', cut)
}

/** The newest entries of several actions. Each action is read from the index, and no further than the page. */
function ofActions(db: Db, entries: Entries, actions: readonly string[], { limit = 25, cursor }: PageInput) {
  const from = cursor === undefined ? entries : entries.where('audit_entry.id', '<', idOfCursor(cursor))
  return db
    .selectFrom(sql<{ action: string }>`unnest(${actions}::text[])`.as<'wanted'>(sql`wanted (action)`))
    .innerJoinLateral(
      from
        .where(sql<SqlBool>`audit_entry.action = wanted.action`)
        .orderBy('audit_entry.id', 'desc')
        .limit(limit + 1)
        .selectAll('audit_entry')
        .as('newest'),
      (join) => join.onTrue(),
    )
    .selectAll('newest')
}

const withActor = (db: Db, entries: SelectQueryBuilder<DB, never, Selectable<DB['audit_entry']>>) =>
  db
    .selectFrom(entries.as('entry'))
    .leftJoin('user', 'user.id', 'entry.actor_id')
    .select([
      'entry.id',
      'entry.at',
      'entry.token_id',
      'entry.action',
      'entry.target_id',
      sql<Record<string, unknown>>`entry.details`.as('details'),
      'entry.ip',
      'entry.user_agent',
      sql<Actor | null>`case when entry.actor_id is not null then
        json_build_object('id', entry.actor_id, 'name', "user".name, 'email', "user".email) end`.as('actor'),
    ])

/** The actions that begin with `prefix`. Skips from one to the next in the index, however many entries there are. */
async function actionsOf(db: Db, workspace_id: string | null, prefix: string) {
  const here = workspace_id === null ? sql<SqlBool>`workspace_id is null` : sql<SqlBool>`workspace_id = ${workspace_id}`
  const { rows } = await sql<{ action: string }>`
    with recursive known (action) as (
      (select action from audit_entry where ${here} order by action limit 1)
      union all
      select (select e.action from audit_entry e where ${here} and e.action > known.action order by e.action limit 1)
      from known where known.action is not null
    )
    select action from known where starts_with(action, ${prefix})`.execute(db)
  return rows.map(({ action }) => action)
}
