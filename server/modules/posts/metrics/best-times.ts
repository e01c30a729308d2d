import { sql } from 'kysely'
import { DAY, HOUR } from '../../../../shared/time.ts'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { type Clock, clockOf } from '../../../lib/wall-clock.ts'
import { findNetwork } from '../../networks/registry.ts'
import { dayKinds, dayParts } from './best-times.schema.ts'
import { compareParts, MIN_IN_PART, MIN_POSTS } from './compare-parts.ts'

const SPAN_MS = 180 * DAY
/** Posts that are compared at most, the latest. */
const MAX_POSTS = 2000
/** Ages of the numbers that are compared: the reading nearest to two days. A network that is read seldom has one at a day. */
const [AT_MS, FROM_MS, TO_MS] = [48 * HOUR, 20 * HOUR, 80 * HOUR]

const allParts = dayKinds.flatMap((days) => dayParts.map((part) => ({ days, part })))

/** 5 January 1970, a Monday. */
const A_MONDAY = 4 * DAY

/** The part of the week that clocks show at an instant, as its place in `allParts`. */
function partOf(clock: Clock, time: Date) {
  const shown = clock(time.getTime())
  const weekday = Math.floor((((shown - A_MONDAY) / DAY) % 7) + 7) % 7
  const hour = Math.floor((shown % DAY) / HOUR)
  return (weekday >= 5 ? dayParts.length : 0) + Math.floor(hour / 6)
}

const readPosts = async (db: Db, account_id: string, since: Date) => {
  const { rows } = await sql<{ published_at: Date; reactions: number }>`
    select target.published_at, (coalesce((near.metrics->>'likes')::bigint, 0) + coalesce((near.metrics->>'comments')::bigint, 0)
      + coalesce((near.metrics->>'shares')::bigint, 0))::float8 as reactions
    from (
      select id, published_at from post_target
      where account_id = ${account_id} and status = 'published' and published_at >= ${since}
      order by published_at desc limit ${MAX_POSTS}
    ) as target
    cross join lateral (
      select metrics from post_metrics_reading as reading
      where reading.target_id = target.id
        and reading.read_at >= target.published_at + make_interval(secs => ${FROM_MS / 1000})
        and reading.read_at <= target.published_at + make_interval(secs => ${TO_MS / 1000})
        and reading.metrics ?| array['likes', 'comments', 'shares']
      order by abs(extract(epoch from reading.read_at - target.published_at) - ${AT_MS / 1000}), reading.read_at limit 1
    ) as near
    order by target.published_at`.execute(db)
  return rows
}

const percent = (factor: number) => Math.round((factor - 1) * 100)

/** Says in which parts of the week the posts of an account did better, if chance does not explain it. */
export async function readBestTimes({ db, now }: { db: Db; now: Date }, { workspace_id }: Member, id: string) {
  const account = await db
    .selectFrom('account')
    .innerJoin('workspace', 'workspace.id', 'account.workspace_id')
    .select(['account.id', 'network', 'timezone'])
    .where('account.id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!account) throw notFound()
  const { timezone } = account
  const counted = findNetwork(account.network)?.metrics?.posts ?? []
  const isSupported = counted.some((name) => name === 'likes' || name === 'comments' || name === 'shares')
  const posts = isSupported ? await readPosts(db, account.id, new Date(now.getTime() - SPAN_MS)) : []
  const clock = clockOf(timezone)
  const samples = posts.map(({ published_at, reactions }) => ({
    part: partOf(clock, published_at),
    value: Math.log1p(reactions),
  }))
  const better = compareParts(samples)
  const state = !isSupported
    ? 'unsupported'
    : posts.length < MIN_POSTS
      ? 'not_enough'
      : better.size > 0
        ? 'found'
        : 'none'
  return {
    account_id: account.id,
    state,
    timezone,
    posts: posts.length,
    min_posts: MIN_POSTS,
    min_posts_in_part: MIN_IN_PART,
    from: posts[0]?.published_at ?? null,
    to: posts.at(-1)?.published_at ?? null,
    parts: allParts.map((part, place) => {
      const found = better.get(place)
      return {
        ...part,
        posts: samples.filter((sample) => sample.part === place).length,
        better: found ? { from_percent: percent(found.low), to_percent: percent(found.high) } : null,
      }
    }),
  } as const
}
