import { Readable } from 'node:stream'
import ical, { ICalEventStatus } from 'ical-generator'
import { sql } from 'kysely'
import { withMentionNames } from '../../../../shared/text/mentions.ts'
import { DAY, MINUTE } from '../../../../shared/time.ts'
import { notFound } from '../../../errors.ts'
import { matchesSecret } from '../../../lib/crypto/hashed-secrets.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { etagOfBytes } from '../../../lib/http/response/compression.ts'
import type { ServedFile } from '../../../lib/http/response/send-file.ts'
import { quoted } from '../../../lib/text.ts'

/** Days of posts that a feed shows, before and after now. */
const [DAYS_BEFORE, DAYS_AFTER] = [30, 180]
const MAX_POSTS = 1000
const [MAX_TITLE, MAX_TEXT] = [80, 1000]
/** Minutes that a post takes in the calendar. */
const LASTS = 15

type Feed = NonNullable<Awaited<ReturnType<typeof findFeed>>>

/** The feed of an address, as long as its member is one and is not banned. */
const findFeed = (db: Db, id: string) =>
  db
    .selectFrom('calendar_feed as feed')
    .innerJoin('workspace', 'workspace.id', 'feed.workspace_id')
    .innerJoin('workspace_member as member', (on) =>
      on.onRef('member.workspace_id', '=', 'feed.workspace_id').onRef('member.user_id', '=', 'feed.user_id'),
    )
    .innerJoin('user', 'user.id', 'feed.user_id')
    .select(['feed.id', 'feed.workspace_id', 'feed.name', 'feed.hashed_secret', 'feed.account_ids', 'feed.labels'])
    .select(['feed.shows_unapproved', 'feed.shows_text', 'workspace.slug'])
    .where('feed.id', '=', id)
    .where('workspace.deleted_at', 'is', null)
    .where('user.banned_at', 'is', null)
    .executeTakeFirst()

/** The feed of an address. 404 for an unknown one, a wrong secret, and for a member who left. */
export async function openCalendarFeed(
  { db, keyring }: Pick<Deps, 'db' | 'keyring'>,
  id: string,
  key: string,
): Promise<Feed> {
  const feed = await findFeed(db, id)
  if (!feed || !matchesSecret(keyring, feed.hashed_secret, key)) throw notFound()
  return feed
}

type Row = {
  id: string
  content: string
  labels: string[]
  review: string
  version: number
  updated_at: Date
  deleted_at: Date | null
  time: Date
  accounts: string[]
}

/**
 * The posts of a feed by their time: those in the console's calendar, and deleted ones as long as they
 * can be restored. Beyond the limit, those nearest to now.
 */
async function readPosts(db: Db, { workspace_id, account_ids, labels, shows_unapproved }: Feed, now: Date) {
  const [from, to] = [-DAYS_BEFORE, DAYS_AFTER].map((days) => new Date(now.getTime() + days * DAY))
  const { rows } = await sql<Row>`
    select post.id, post.content, post.labels, post.review, post.version, post.updated_at, post.deleted_at, planned.time,
      array(select account.name || ' (' || account.network || ')'
        from post_target join account on account.id = post_target.account_id
        where post_target.post_id = post.id order by account.name, account.id) as accounts
    from (
      select id, scheduled_at as time from post
        where workspace_id = ${workspace_id} and scheduled_at >= ${from} and scheduled_at < ${to} and deleted_at is null
          and not (status = 'draft' and review = 'pending')
      union all
      select id, review_scheduled_at from post
        where ${shows_unapproved} and workspace_id = ${workspace_id} and review = 'pending' and status = 'draft'
          and review_scheduled_at >= ${from} and review_scheduled_at < ${to} and deleted_at is null
      union all
      select id, coalesce(review_scheduled_at, scheduled_at) from post
        where workspace_id = ${workspace_id} and deleted_at is not null
          and (${shows_unapproved} or review_scheduled_at is null)
          and coalesce(review_scheduled_at, scheduled_at) >= ${from}
          and coalesce(review_scheduled_at, scheduled_at) < ${to}
    ) as planned join post on post.id = planned.id
    where (${labels}::text[] = '{}' or post.labels && ${labels}::text[])
      and (${account_ids}::uuid[] = '{}' or exists (
        select from post_target where post_id = post.id and account_id = any(${account_ids}::uuid[])))
    order by planned.time >= ${now} desc, abs(extract(epoch from planned.time - ${now})), post.id
    limit ${MAX_POSTS}`.execute(db)
  return rows.toSorted((a, b) => a.time.getTime() - b.time.getTime() || a.id.localeCompare(b.id))
}

/** Erased posts that the feed has shown, which it still shows as canceled. Without texts. */
async function readCancellations(db: Db, { workspace_id, account_ids, labels, shows_unapproved }: Feed, now: Date) {
  const [from, to] = [-DAYS_BEFORE, DAYS_AFTER].map((days) => new Date(now.getTime() + days * DAY))
  const { rows } = await sql<Row>`
    select post_id as id, '' as content, '{}'::text[] as labels, 'none' as review, version, deleted_at as updated_at,
      deleted_at, time, array(select account.name || ' (' || account.network || ')' from account
        where account.id = any(calendar_cancellation.account_ids) order by account.name, account.id) as accounts
    from calendar_cancellation
    where workspace_id = ${workspace_id} and time >= ${from} and time < ${to}
      and (${shows_unapproved} or was_approved)
      and (${labels}::text[] = '{}' or labels && ${labels}::text[])
      and (${account_ids}::uuid[] = '{}' or account_ids && ${account_ids}::uuid[])
    order by deleted_at desc, post_id limit ${MAX_POSTS}`.execute(db)
  return rows
}

const cut = (text: string) => {
  const characters = [...text.replaceAll(/[^\P{Cc}\n]/gu, '')]
  return characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT).join('')}…` : characters.join('')
}

const statusOf = ({ deleted_at, review }: Row) =>
  deleted_at ? ICalEventStatus.CANCELLED : review === 'pending' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED

/** The posts of a feed as iCalendar (RFC 5545). The same posts always give the same bytes. */
export async function serveCalendarFeed(
  { db, clock, baseUrl }: Pick<Deps, 'db' | 'clock' | 'baseUrl'>,
  feed: Feed,
): Promise<ServedFile> {
  const now = clock.now()
  const posts = [...(await readPosts(db, feed, now)), ...(await readCancellations(db, feed, now))]
  await db
    .updateTable('calendar_feed')
    .set({ last_read_at: now })
    .where('id', '=', feed.id)
    .where((is) => is.or([is('last_read_at', 'is', null), is('last_read_at', '<', new Date(now.getTime() - MINUTE))]))
    .execute()
  const calendar = ical({ name: feed.name, ttl: 3600, prodId: { company: 'Meydan', product: 'Calendar feed' } })
  for (const post of posts) {
    const { id, content, labels, time, accounts, deleted_at } = post
    const changed = deleted_at ?? post.updated_at
    const text = feed.shows_text ? withMentionNames(content).trim() : ''
    const title = quoted(text.split('\n', 1)[0] ?? '', MAX_TITLE) || accounts.join(', ')
    const description = [cut(text), accounts.join('\n')].filter(Boolean).join('\n\n')
    calendar.createEvent({
      id: `${id}@${new URL(baseUrl).hostname}`,
      start: time,
      end: new Date(time.getTime() + LASTS * MINUTE),
      stamp: changed,
      lastModified: changed,
      // A deletion keeps the version.
      sequence: post.version + (deleted_at ? 1 : 0),
      status: statusOf(post),
      summary: title || feed.name,
      ...(description && { description }),
      ...(labels.length > 0 && { categories: labels.map((name) => ({ name })) }),
      url: `${baseUrl}/w/${feed.slug}/posts/${id}`,
    })
  }
  const bytes = Buffer.from(calendar.toString())
  return {
    mime: 'text/calendar; charset=utf-8',
    bytes: bytes.length,
    etag: etagOfBytes(bytes),
    inline: false,
    name: 'posts.ics',
    cache: 'private, max-age=900',
    open: async (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
  }
}
