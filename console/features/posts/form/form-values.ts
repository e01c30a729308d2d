import type { Account, Post } from '../../../api'
import type { Wall } from '../../../ui/text/time-zone'
import { fromWall } from '../../../ui/text/time-zone'

/** An account to publish to. If it was disconnected for good, its data comes from the target. */
export type PostDestination = Pick<
  Account,
  'id' | 'name' | 'handle' | 'avatar_url' | 'network' | 'status' | 'limits' | 'signature'
> & {
  /** Settings of the post for the account. */
  options?: Record<string, unknown>
}

export const publishModes = ['now', 'queue', 'later', 'draft'] as const
export type PublishMode = (typeof publishModes)[number]

/** The parts of a post that an account can have its own version of. */
export type PostTexts = Pick<Post, 'content' | 'media_ids' | 'thread'> & { first_comment: string }

/** The values of the post form. `own`: versions for single accounts, and `options`: their settings, by account id. */
export type PostDraft = PostTexts & {
  accounts: string[]
  own: Record<string, Partial<PostTexts>>
  options: Record<string, Record<string, unknown>>
  labels: string[]
  when: PublishMode
  wall: Wall | null
}

/** The accounts used last are preselected, and a single account. */
export function emptyDraft(accounts: readonly PostDestination[], last: readonly unknown[]) {
  const usable = accounts.filter(({ status }) => status === 'connected').map(({ id }) => id)
  return {
    content: '',
    media_ids: [],
    thread: [],
    first_comment: '',
    labels: [],
    own: {},
    options: {},
    // In their order, because the queue uses the posting times of the first.
    accounts: usable.length === 1 ? usable : last.flatMap((id) => usable.find((known) => known === id) ?? []),
  }
}

/** Whether a draft has anything to read or to see. */
export const hasContent = ({ content, media_ids, thread, first_comment, own }: PostDraft) =>
  [content, first_comment, ...Object.values(own).map((texts) => texts.content ?? '')].some((text) => text.trim()) ||
  media_ids.length + thread.length > 0

/** The post as one account has it. */
export const textsFor = (
  { content, media_ids, thread, first_comment, own }: PostDraft,
  account: string,
): PostTexts => ({
  content,
  media_ids,
  thread,
  first_comment,
  ...own[account],
})

/** The accounts of a workspace, and deleted ones that the post still names. */
export const destinationsOf = ({ targets }: Post, accounts: readonly PostDestination[]): PostDestination[] => [
  ...accounts,
  ...targets
    .filter(({ account_id }) => !accounts.some(({ id }) => id === account_id))
    .map(({ account_id, handle, network }) => ({
      id: account_id,
      name: `@${handle}`,
      handle,
      avatar_url: null,
      network,
      status: 'disconnected' as const,
      limits: {},
      signature: null,
    })),
]

const ownTexts = ({ content, media_ids, thread, first_comment }: Post['targets'][number]): Partial<PostTexts> => ({
  ...(content !== null && { content }),
  ...(media_ids !== null && { media_ids }),
  ...(thread !== null && { thread }),
  ...(first_comment !== null && { first_comment }),
})

/** The entries that have something in them. */
const filled = <T extends object>(entries: [string, T][]): Record<string, T> =>
  Object.fromEntries(entries.filter(([, value]) => Object.keys(value).length > 0))

/** The texts of a post, and those of its accounts that are in `destinations`. */
export const toDraft = (
  { content, media_ids, thread, first_comment, labels, targets }: Post,
  destinations: readonly PostDestination[],
) => ({
  content,
  media_ids,
  thread,
  first_comment: first_comment ?? '',
  labels,
  accounts: targets
    .map(({ account_id }) => account_id)
    .filter((id) => destinations.some((destination) => destination.id === id)),
  own: filled(targets.map((target) => [target.account_id, ownTexts(target)])),
  options: filled(targets.map(({ account_id, options }) => [account_id, options])),
})

/** A draft as the API expects it, without its time. */
export const toBody = ({ content, media_ids, thread, first_comment, labels, accounts, own, options }: PostDraft) => ({
  content,
  media_ids,
  thread,
  first_comment: first_comment || null,
  labels,
  targets: accounts.map((account_id) => ({
    account_id,
    content: own[account_id]?.content ?? null,
    media_ids: own[account_id]?.media_ids ?? null,
    thread: own[account_id]?.thread ?? null,
    first_comment: own[account_id]?.first_comment || null,
    options: options[account_id] ?? {},
  })),
})

/** A new post as the API expects it; times are in `zone`. */
export const toNewPost = (draft: PostDraft, zone: string) => ({
  ...toBody(draft),
  ...(draft.when === 'now' && { publish_now: true }),
  ...(draft.when === 'queue' && { queue: 'next' as const }),
  ...(draft.when === 'later' && draft.wall && { scheduled_at: fromWall(zone, draft.wall).toISOString() }),
})
