import type { Static } from 'typebox'
import { invalid } from '../../../errors.ts'
import type { ChangePost, StoredPart } from '../record/posts.schema.ts'

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
