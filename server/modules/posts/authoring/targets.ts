import { sql } from 'kysely'
import { invalid, problem } from '../../../errors.ts'
import { prepared, type Tx } from '../../../lib/db/database.ts'
import { isUnsettled, type StepEntry } from '../publishing/step-journal.ts'
import { type AccountsField, accountPointer, type NewTarget } from '../validation/requested-targets.ts'

type Targeted = { id: string; targets: readonly NewTarget[]; listed: AccountsField }

/** Writes the targets of posts. Those that exist keep their journal of steps, so nothing is published twice. */
export async function writeTargets(tx: Tx, workspace_id: string, posts: readonly Targeted[]) {
  const rows = posts.flatMap(({ id: post_id, targets }) =>
    targets.map((target, position) => ({ ...target, position, post_id })),
  )
  if (rows.length === 0) return
  const written = await insertTargets(tx, { workspace_id, targets: JSON.stringify(rows) })
  if (written.length === rows.length) return
  // An account can be deleted between validating and writing.
  const known = new Set(written.map(({ account_id }) => account_id))
  for (const { targets, listed } of posts) {
    const gone = targets.findIndex(({ account_id }) => !known.has(account_id))
    if (gone >= 0) throw unknownAccount(listed, gone)
  }
}

export const unknownAccount = (listed: AccountsField, index: number) =>
  invalid(accountPointer(listed, index), 'This account does not exist.')

/** Writes the targets whose account exists. `targets`: JSON of the columns. */
const insertTargets = prepared(
  (_, { workspace_id, targets }: { workspace_id: string; targets: string }) => sql<{ account_id: string }>`
    insert into post_target (post_id, account_id, content, media_ids, thread, first_comment, options, position)
    select post_id, account_id, content, media_ids, thread, first_comment, options, position
    from json_to_recordset(${targets}::json) as target (post_id uuid, account_id uuid, content text, media_ids uuid[],
      thread jsonb, first_comment text, options jsonb, position int)
    join account on account.id = account_id and workspace_id = ${workspace_id} and deleted_at is null
    on conflict (post_id, account_id) do update
      set content = excluded.content, media_ids = excluded.media_ids, thread = excluded.thread, first_comment = excluded.first_comment,
        options = excluded.options, position = excluded.position
    returning account_id`,
)

type Stored = { account_id: string }

const othersThan = (targets: readonly NewTarget[], stored: readonly Stored[]) => {
  const kept = new Set(targets.map(({ account_id }) => account_id))
  return stored.map(({ account_id }) => account_id).filter((id) => !kept.has(id))
}

/** Refuses to remove targets without a response, because the next attempt would know nothing of them. */
export async function refuseToRemove(
  tx: Tx,
  { id, targets: stored }: { id: string; targets: readonly Stored[] },
  targets: readonly NewTarget[],
  listed: AccountsField,
) {
  const others = othersThan(targets, stored)
  if (others.length === 0) return
  const removed = await tx
    .selectFrom('post_target')
    .select(['account_id', 'status', 'error_code', sql<StepEntry[]>`steps`.as('steps')])
    .where('post_id', '=', id)
    .where(sql<boolean>`account_id = any(${others}::uuid[])`)
    .forUpdate()
    .execute()
  const unsure = removed.find(
    ({ status, error_code, steps }) =>
      status === 'unconfirmed' || error_code === 'unconfirmed' || steps.some(isUnsettled),
  )
  if (unsure)
    throw invalid(
      `/${listed}`,
      `The post may already be published on the account ${unsure.account_id}. Keep this account.`,
    )
}

/** Removes the other targets of a post. */
export async function removeOtherTargets(
  tx: Tx,
  { id, targets: stored }: { id: string; targets: readonly Stored[] },
  targets: readonly NewTarget[],
) {
  const others = othersThan(targets, stored)
  if (others.length === 0) return
  await tx
    .deleteFrom('post_target')
    .where('post_id', '=', id)
    .where(sql<boolean>`account_id = any(${others}::uuid[])`)
    .execute()
}

/** Refuses to reopen targets of which only a person can say whether they are published. */
export async function refuseUnresolved(tx: Tx, post_id: string) {
  const open = await tx
    .selectFrom('post_target')
    .select('id')
    .where('post_id', '=', post_id)
    .where('status', '=', 'failed')
    .where('needs_resolution', '=', true)
    .executeTakeFirst()
  if (open) throw problem('confirmation_required')
}

/**
 * Reopens failed targets. Targets without a response are looked up before anything is sent, except those that only a
 * person can look up. For these, call `refuseUnresolved` first, unless a person confirmed.
 */
export const reopenTargets = (tx: Tx, post_id: string, now: Date) =>
  tx
    .updateTable('post_target')
    .set({
      status: sql`case when error_code = 'unconfirmed' and not needs_resolution then 'unconfirmed' else 'pending' end::target_status`,
      steps: sql`case when needs_resolution then jsonb_path_query_array(steps, '$[*] ? (@.state == "done")') else steps end`,
      needs_resolution: false,
      error_code: null,
      error_message: null,
      attempts: 0,
      attempted_at: now,
    })
    .where('post_id', '=', post_id)
    .where('status', '=', 'failed')
    .returning(['id', 'account_id'])
    .execute()
