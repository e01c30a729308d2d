import { DAY, HOUR } from '../../../shared/time.ts'
import type { Deps } from '../../lib/deps.ts'
import type { OpenAccount } from './network-account.ts'

/** Numbers that networks report of a post. `shares` counts reposts, `saves` counts bookmarks. */
export const postMetrics = ['views', 'reach', 'likes', 'comments', 'shares', 'quotes', 'saves', 'clicks'] as const
export const accountMetrics = ['followers', 'following', 'posts'] as const

type PostMetric = (typeof postMetrics)[number]
type AccountMetric = (typeof accountMetrics)[number]
/** A number that the network did not report is absent. */
export type PostMetrics = Partial<Record<PostMetric, number>>
export type AccountMetrics = Partial<Record<AccountMetric, number>>

/** Way in which a network reports numbers. */
export type NetworkMetrics = {
  /** Numbers of a post that the network can report. Can be empty. */
  posts: readonly PostMetric[]
  account: readonly AccountMetric[]
  /** `seldom`: where each reading costs money. */
  readings: 'often' | 'seldom'
  /** Maximum number of posts that are read in a minute on one account. */
  max_posts: number
  /** Reads the numbers of posts by their ids at the network. Those it no longer has are absent. Throws a `NetworkFault`. */
  readPosts?: (deps: Deps, account: OpenAccount, ids: string[]) => Promise<Map<string, PostMetrics>>
  /** Throws a `NetworkFault`. */
  readAccount: (deps: Deps, account: OpenAccount) => Promise<AccountMetrics>
}

/** Drops the numbers that a response did not contain. */
export const counted = <Name extends string>(values: Record<Name, unknown>) =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => Number.isSafeInteger(value) && Number(value) >= 0),
  ) as Partial<Record<Name, number>>

/** Ages of a post at which its numbers are read: often while they grow, then seldom. */
const AGES_MS = {
  often: [HOUR / 4, ...[1, 3, 6, 12].map((hours) => hours * HOUR), ...days(1, 2, 3, 5, 7, 14, 30, 60, 90)],
  seldom: days(1, 7, 30),
}
const ACCOUNT_INTERVAL_MS = { often: DAY, seldom: 7 * DAY }

function days(...numbers: number[]) {
  return numbers.map((number) => number * DAY)
}

/** Time of the next reading of a post; null after the last. */
export function nextReading({ readings }: NetworkMetrics, published_at: Date, now: Date) {
  const age = now.getTime() - published_at.getTime()
  const next = AGES_MS[readings].find((each) => each > age)
  return next === undefined ? null : new Date(published_at.getTime() + next)
}

export const nextAccountReading = ({ readings }: NetworkMetrics, now: Date) =>
  new Date(now.getTime() + ACCOUNT_INTERVAL_MS[readings])
