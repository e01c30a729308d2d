import type { Static } from 'typebox'
import { invalid } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import { accountsOfGroups } from '../../accounts/groups/groups.ts'
import type { ChangePost, NewPost, StoredPart } from '../record/posts.schema.ts'

export type NewTarget = {
  account_id: string
  content: string | null
  media_ids: string[] | null
  thread: StoredPart[] | null
  first_comment: string | null
  options: Record<string, unknown>
}

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

const MAX_ACCOUNTS = 50

/** A new post with the accounts of its groups in place of the groups. */
export async function withGroupedAccounts(
  db: Db,
  caller: { workspace_id: string },
  { account_group_ids = [], ...input }: Static<typeof NewPost>,
): Promise<Omit<Static<typeof NewPost>, 'account_group_ids'>> {
  if (account_group_ids.length === 0) return input
  const { targets, account_ids = [] } = input
  const listed = targets?.map(({ account_id }) => account_id) ?? account_ids
  const known = new Set(listed.map((id) => id.toLowerCase()))
  const added = (await accountsOfGroups(db, caller, account_group_ids)).filter((id) => !known.has(id))
  if (listed.length + added.length > MAX_ACCOUNTS)
    throw invalid('/account_group_ids', {
      en: `These are ${listed.length + added.length} accounts. A post can have at most ${MAX_ACCOUNTS}.`,
      tr: `Bunlar ${listed.length + added.length} hesap. Bir gönderide en fazla ${MAX_ACCOUNTS} hesap olabilir.`,
    })
  return targets
    ? { ...input, targets: [...targets, ...added.map((account_id) => ({ account_id }))] }
    : { ...input, account_ids: [...account_ids, ...added] }
}
