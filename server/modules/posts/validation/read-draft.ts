import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { FieldError } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import { publishingStatus } from '../../accounts/accounts.ts'
import type { AccountLimits } from '../../networks/capabilities.ts'
import { findMedia, type MediaById } from '../record/post-media.ts'
import type { ChangePost } from '../record/posts.schema.ts'
import type { readPost } from '../record/select-posts.ts'
import { optionProblems, publishingProblems } from './problems.ts'
import { accountsFieldOf, type NewTarget, storedIds, storedThread } from './requested-targets.ts'

/** An account as far as posts are checked for it. */
type CheckedAccount = { id: string; network: string; account_status: string; limits: AccountLimits }

/** `lock`: keeps the accounts as they are read until the transaction ends, after changes of them that are not committed. */
export const readCheckedAccounts = async (
  db: Db,
  workspace_id: string,
  ids: readonly string[],
  { lock = false }: { lock?: boolean } = {},
) => {
  const accounts: CheckedAccount[] = await db
    .selectFrom('account')
    .select(['id', 'network', publishingStatus.as('account_status'), sql<AccountLimits>`limits`.as('limits')])
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .$if(lock, (query) => query.orderBy('id').forKeyShare())
    .execute()
  return new Map(accounts.map((account) => [account.id, account]))
}

type StoredPost = Pick<
  Awaited<ReturnType<typeof readPost>>,
  'content' | 'media_ids' | 'thread' | 'first_comment' | 'targets'
>

/** `requested`: the accounts that the call names; undefined keeps those of `stored`, the post before a change. */
type Named = {
  requested: readonly NewTarget[] | undefined
  accounts: ReadonlyMap<string, CheckedAccount>
  stored?: StoredPost | undefined
}

type DraftTarget = NewTarget & { status: string; account: CheckedAccount | undefined }

const newPost: StoredPost = { content: '', media_ids: [], thread: [], first_comment: null, targets: [] }

/**
 * Puts together the record of a post as it would be stored, with the accounts that it names. Writes nothing, so that a
 * post is validated before it is written, and by the same rules when nothing is to be written.
 */
export function draftRecord(input: Static<typeof ChangePost>, { requested, accounts, stored = newPost }: Named) {
  const { content = stored.content, first_comment = stored.first_comment, media_ids, thread } = input
  const texts = {
    content,
    first_comment,
    media_ids: media_ids ? storedIds(media_ids) : stored.media_ids,
    thread: thread ? storedThread(thread) : stored.thread,
  }
  const before = new Map(stored.targets.map((target) => [target.account_id, target]))
  const targets: DraftTarget[] =
    requested?.map((target) => ({
      ...target,
      status: before.get(target.account_id)?.status ?? 'pending',
      account: accounts.get(target.account_id),
    })) ??
    stored.targets.map(
      ({
        account_id,
        content,
        media_ids,
        thread,
        first_comment,
        options,
        status,
        network,
        account_status,
        ...rest
      }) => ({
        ...{ account_id, content, media_ids, thread, first_comment, options, status },
        account: { id: account_id, network, account_status, limits: rest.account_limits },
      }),
    )
  return { texts, targets, requested: requested ?? [], listed: accountsFieldOf(input) }
}

/** `missing`: the files that it names and that do not exist. */
export type Draft = ReturnType<typeof draftRecord> & { media: MediaById; missing: FieldError[] }

/** The targets of a record whose account exists. */
export const knownTargets = ({ targets }: Pick<Draft, 'targets'>) =>
  targets.flatMap(({ account, ...target }) =>
    account ? [{ ...target, ...account, account_limits: account.limits }] : [],
  )

/** Lists options that the network of an account does not accept, each for its target. */
export const optionProblemsOf = ({ targets }: Pick<Draft, 'targets'>) =>
  targets.map(({ account, options }, index): FieldError[] =>
    account ? optionProblems({ network: account.network, options }, index) : [],
  )

/** Lists what keeps a record from being scheduled. */
export function unfitness({ texts, targets, media, listed }: Draft) {
  const known = knownTargets({ targets })
  // Pointers count the listed accounts, so they are whole only when every account exists.
  return known.length === targets.length ? publishingProblems({ ...texts, media, targets: known }, listed) : []
}

/** Reads the accounts and files that a post names, and puts together its record. */
export async function readPostDraft(
  db: Db,
  workspace_id: string,
  input: Static<typeof ChangePost>,
  { requested, stored, lock = false }: Omit<Named, 'accounts'> & { lock?: boolean },
): Promise<Draft> {
  const ids = requested?.map(({ account_id }) => account_id) ?? []
  const accounts: Named['accounts'] =
    ids.length > 0 ? await readCheckedAccounts(db, workspace_id, ids, { lock }) : new Map()
  const draft = draftRecord(input, { requested, accounts, stored })
  const { media, missing } = await findMedia(db, workspace_id, { ...draft.texts, targets: draft.targets })
  return { ...draft, media, missing }
}
