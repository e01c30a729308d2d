import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, problem } from '../../../errors.ts'
import { prepared, type Tx } from '../../../lib/db/database.ts'
import { isUnsettled, type StepEntry } from '../publishing/step-journal.ts'
import type { ChangePost, StoredPart } from '../record/posts.schema.ts'
import { optionProblems } from '../validation/problems.ts'

type NewTarget = {
  account_id: string
  content: string | null
  media_ids: string[] | null
  thread: StoredPart[] | null
  first_comment: string | null
  options: Record<string, unknown>
}

/** Field that lists the accounts. */
export type AccountsField = 'targets' | 'account_ids'

export const accountsFieldOf = (input: { account_ids?: unknown }): AccountsField =>
  input.account_ids ? 'account_ids' : 'targets'

export const accountPointer = (listed: AccountsField, index: number) =>
  listed === 'targets' ? `/targets/${index}/account_id` : `/account_ids/${index}`

/** Ids of files as they are stored. Clients may write them in either case, so that one can be listed twice. */
export const storedIds = (ids: readonly string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]

/** A thread as it is stored: every part has its files. */
export const storedThread = (thread: readonly { content: string; media_ids?: string[] }[]): StoredPart[] =>
  thread.map(({ content, media_ids = [] }) => ({ content, media_ids: storedIds(media_ids) }))

/** Accounts to publish on, from either of the two fields; undefined if neither is set. */
export function requestedTargets({ account_ids, targets }: Static<typeof ChangePost>): NewTarget[] | undefined {
  if (account_ids && targets) throw invalid('/targets', 'Set either account_ids or targets.')
  const listed: typeof targets = targets ?? account_ids?.map((account_id) => ({ account_id }))
  const ids = listed?.map(({ account_id }) => account_id.toLowerCase()) ?? []
  const duplicate = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (duplicate >= 0)
    throw invalid(accountPointer(accountsFieldOf({ account_ids }), duplicate), 'This account is listed twice.')
  return listed?.map(({ account_id, content = null, first_comment = null, options = {}, ...rest }) => ({
    account_id: account_id.toLowerCase(),
    content,
    media_ids: rest.media_ids ? storedIds(rest.media_ids) : null,
    thread: rest.thread ? storedThread(rest.thread) : null,
    first_comment,
    options,
  }))
}

/** Writes the targets of a post. Those that exist keep their journal of steps, so nothing is published twice. */
export async function writeTargets(
  tx: Tx,
  workspace_id: string,
  post_id: string,
  targets: NewTarget[],
  listed: AccountsField,
) {
  if (targets.length === 0) return
  const written = await insertTargets(tx, {
    workspace_id,
    post_id,
    targets: JSON.stringify(targets.map((target, position) => ({ ...target, position }))),
  })
  const networks = new Map(written.map(({ account_id, network }) => [account_id, network]))
  const errors = targets.flatMap(({ account_id, options }, index) => {
    const network = networks.get(account_id)
    if (network === undefined) throw invalid(accountPointer(listed, index), 'This account does not exist.')
    return optionProblems({ network, options }, index)
  })
  if (errors.length) throw problem('validation_failed', { errors })
}

/** Writes the targets whose account exists. `targets`: JSON of the columns. */
const insertTargets = prepared(
  (_, { workspace_id, post_id, targets }: { workspace_id: string; post_id: string; targets: string }) => sql<{
    account_id: string
    network: string
  }>`
    insert into post_target (post_id, account_id, content, media_ids, thread, first_comment, options, position)
    select ${post_id}::uuid, account_id, content, media_ids, thread, first_comment, options, position
    from json_to_recordset(${targets}::json)
      as target (account_id uuid, content text, media_ids uuid[], thread jsonb, first_comment text, options jsonb, position int)
    join account on account.id = account_id and workspace_id = ${workspace_id} and deleted_at is null
    on conflict (post_id, account_id) do update
      set content = excluded.content, media_ids = excluded.media_ids, thread = excluded.thread, first_comment = excluded.first_comment,
        options = excluded.options, position = excluded.position
    returning account_id, (select network from account where account.id = account_id) as network`,
)

/**
 * Removes the other targets of a post. Those without a response cannot be removed, because the next would know nothing
 * of them.
 */
export async function removeOtherTargets(tx: Tx, post_id: string, targets: NewTarget[], listed: AccountsField) {
  const removed = await tx
    .deleteFrom('post_target')
    .where('post_id', '=', post_id)
    .where(sql<boolean>`account_id <> all(${targets.map(({ account_id }) => account_id)}::uuid[])`)
    .returning(['account_id', 'status', 'error_code', sql<StepEntry[]>`steps`.as('steps')])
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

/**
 * Reopens failed targets. Targets without a response are looked up before anything is sent. `confirmed`: a person states
 * that those which only a person can look up are not published.
 */
export async function reopenTargets(
  tx: Tx,
  post_id: string,
  now: Date,
  { confirmed = false }: { confirmed?: boolean } = {},
) {
  const open = await tx
    .selectFrom('post_target')
    .select('id')
    .where('post_id', '=', post_id)
    .where('status', '=', 'failed')
    .where('needs_resolution', '=', true)
    .executeTakeFirst()
  if (open && !confirmed) throw problem('confirmation_required')
  return tx
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
}
