import type { Account, Post } from '../../../api'
import type { Wall } from '../../../ui/text/time-zone'
import { fromWall } from '../../../ui/text/time-zone'

/** An account to publish to. If it was disconnected for good, its data comes from the target. */
export type PostDestination = Pick<Account, 'id' | 'name' | 'handle' | 'network' | 'status'>

export type PublishMode = 'now' | 'later' | 'draft'

/** The values of the post form. `own`: texts for single accounts, by account id. */
export type PostDraft = {
  content: string
  accounts: string[]
  own: Record<string, string>
  labels: string[]
  when: PublishMode
  wall: Wall | null
}

/** The accounts used last are preselected, and a single account. */
export function emptyDraft(accounts: readonly PostDestination[], last: readonly unknown[]) {
  const usable = accounts.filter(({ status }) => status === 'connected').map(({ id }) => id)
  return {
    content: '',
    labels: [],
    own: {},
    accounts: usable.length === 1 ? usable : usable.filter((id) => last.includes(id)),
  }
}

/** The accounts of a workspace, and deleted ones that the post still names. */
export const destinationsOf = ({ targets }: Post, accounts: readonly PostDestination[]): PostDestination[] => [
  ...accounts,
  ...targets
    .filter(({ account_id }) => !accounts.some(({ id }) => id === account_id))
    .map(({ account_id, handle, network }) => ({
      id: account_id,
      name: `@${handle}`,
      handle,
      network,
      status: 'disconnected' as const,
    })),
]

/** The text of a post, and those of its accounts that are in `destinations`. */
export const toDraft = ({ content, labels, targets }: Post, destinations: readonly PostDestination[]) => ({
  content,
  labels,
  accounts: targets
    .map(({ account_id }) => account_id)
    .filter((id) => destinations.some((destination) => destination.id === id)),
  own: Object.fromEntries(
    targets.flatMap(({ account_id, content: text }) => (text === null ? [] : [[account_id, text]])),
  ),
})

/** A draft as the API expects it, without its time. `before`: targets whose settings are kept. */
export const toBody = ({ content, labels, accounts, own }: PostDraft, before: Post['targets'] = []) => ({
  content,
  labels,
  targets: accounts.map((account_id) => ({
    account_id,
    content: own[account_id] ?? null,
    options: before.find((target) => target.account_id === account_id)?.options ?? {},
  })),
})

/** A new post as the API expects it; times are in `zone`. */
export const toNewPost = (draft: PostDraft, zone: string) => ({
  ...toBody(draft),
  ...(draft.when === 'now' && { publish_now: true }),
  ...(draft.when === 'later' && draft.wall && { scheduled_at: fromWall(zone, draft.wall).toISOString() }),
})
