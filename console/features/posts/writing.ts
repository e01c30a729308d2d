import type { Account, Post } from '../../api'
import type { Wall } from '../../ui/zone'
import { fromWall } from '../../ui/zone'

/** Where a post may go. One that was disconnected for good is known by its target alone. */
export type Outlet = Pick<Account, 'id' | 'name' | 'handle' | 'network' | 'status'>

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
export function emptyWriting(accounts: readonly Outlet[]) {
  const usable = accounts.filter(({ status }) => status === 'connected')
  return { content: '', labels: [], own: {}, accounts: usable.length === 1 ? usable.map(({ id }) => id) : [] }
}

/** The accounts of a workspace, and those that a post still names although they are gone. */
export const outletsOf = ({ targets }: Post, accounts: readonly Outlet[]): Outlet[] => [
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

/** The text of a post, and its accounts as far as they are among these, to go on with. */
export const writingOf = ({ content, labels, targets }: Post, outlets: readonly Outlet[]) => ({
  content,
  labels,
  accounts: targets.map(({ account_id }) => account_id).filter((id) => outlets.some((outlet) => outlet.id === id)),
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
