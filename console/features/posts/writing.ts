import type { Account, Post } from '../../api'
import type { Wall } from '../../ui/zone'
import { fromWall } from '../../ui/zone'

export type When = 'now' | 'later' | 'draft'

/** A post while it is being written. `own` holds texts for single accounts, by account id. */
export type Writing = {
  content: string
  accounts: string[]
  own: Record<string, string>
  labels: string[]
  when: When
  wall: Wall | null
}

/** Who has one account means that one. */
export function emptyWriting(accounts: Account[]) {
  const usable = accounts.filter(({ status }) => status === 'connected')
  return { content: '', labels: [], own: {}, accounts: usable.length === 1 ? usable.map(({ id }) => id) : [] }
}

/** The text and accounts of a post, to go on with. Accounts that are gone meanwhile are left out. */
export const writingOf = ({ content, labels, targets }: Post, accounts: Account[]) => ({
  content,
  labels,
  accounts: targets.map(({ account_id }) => account_id).filter((id) => accounts.some((account) => account.id === id)),
  own: Object.fromEntries(
    targets.flatMap(({ account_id, content: text }) => (text === null ? [] : [[account_id, text]])),
  ),
})

/** What the API takes of a writing but its time. `before` are targets whose settings stay. */
export const fieldsOf = ({ content, labels, accounts, own }: Writing, before: Post['targets'] = []) => ({
  content,
  labels,
  targets: accounts.map((account_id) => ({
    account_id,
    content: own[account_id] ?? null,
    options: before.find((target) => target.account_id === account_id)?.options ?? {},
  })),
})

/** A new post as the API takes it; times are those of the zone. */
export const newPostOf = (writing: Writing, zone: string) => ({
  ...fieldsOf(writing),
  ...(writing.when === 'now' && { publish_now: true }),
  ...(writing.when === 'later' && writing.wall && { scheduled_at: fromWall(zone, writing.wall).toISOString() }),
})
