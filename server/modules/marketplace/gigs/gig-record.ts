import { type NotNull, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { User } from '../../../lib/http/access.ts'
import { isId } from '../../../lib/http/schema/schema.ts'
import { toMajor } from '../../../lib/money.ts'
import { inWorkspaceOf } from '../../workspaces/members/in-workspace-of.ts'
import type { Gig } from './gigs.schema.ts'

type Sample = Static<typeof Gig>['samples'][number]

/** Condition: the owner published the gig, and no instance admin hides it. The indexes of public lists have it. */
export const isListed = sql<SqlBool>`
  gig.status = 'published' and gig.taken_down_at is null and gig.owner_id is not null`

/**
 * Condition: the seller can serve orders: not banned, an admin or owner of the workspace, which is not deleted. A gig is
 * public with `isListed` and this.
 */
export const hasSeller = sql<SqlBool>`
  exists (select from "user" where "user".id = gig.owner_id and "user".banned_at is null)
  and exists (select from workspace where workspace.id = gig.workspace_id and workspace.deleted_at is null)
  and exists (select from workspace_member as m where m.workspace_id = gig.workspace_id and m.user_id = gig.owner_id
    and m.role in ('admin', 'owner'))`

export const pagePath = sql<string>`'/marketplace/gigs/' || gig.slug`

/** An average of ratings, with one decimal. */
const averageOf = (sum: RawBuilder<unknown>, count: RawBuilder<unknown>) =>
  sql<number | null>`round(${sum}::numeric / nullif(${count}, 0), 1)::float8`
export const gigRating = averageOf(sql`gig.rating_sum`, sql`gig.rating_count`)

/** The first files that a gig shows, in their order. */
export const selectSamples = (limit: number) => sql<Sample[]>`coalesce((
  select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'mime', m.mime, 'width', m.width, 'height', m.height,
    'alt', m.alt, 'url', path, 'thumbnail_url', case when m.thumbnail_bytes is not null then path || '/thumbnail' end)
    order by s.position)
  from gig_sample as s join media as m on m.id = s.media_id,
    lateral (select '/api/v1/marketplace/gigs/' || s.gig_id || '/samples/' || m.id as path) as at
  where s.gig_id = gig.id and s.position < ${sql.lit(limit)} and m.deleted_at is null
), '[]')`

/** The public facts of a seller, over all of the seller's workspaces. */
type SellerRecord = Static<typeof Gig>['seller']

export const selectSeller = (user_id: RawBuilder<unknown>) => sql<SellerRecord>`(
  select json_build_object('name', u.name, 'handle', s.handle, 'signature', s.text,
    'rating', ${averageOf(sql`rated.sum`, sql`rated.count`)}, 'rating_count', coalesce(rated.count, 0),
    'completed_orders', (select count(*) from gig_order as o where o.seller_id = u.id and o.status = 'completed'))
  from "user" as u left join signature as s on s.user_id = u.id,
    lateral (select sum(rating_sum) as sum, sum(rating_count) as count from gig as g where g.owner_id = u.id) as rated
  where u.id = ${user_id})`

/** Gigs that have an owner, as their owner sees them. */
export const selectGigs = (db: Db) =>
  db
    .selectFrom('gig')
    .where('gig.owner_id', 'is not', null)
    .select(['gig.id', 'gig.slug', 'gig.title', 'gig.description', 'gig.price', 'gig.currency', 'gig.delivery_days'])
    .select(['gig.categories', 'gig.status', 'gig.published_at', 'gig.taken_down_at', 'gig.take_down_reason'])
    .select('gig.archived_at')
    .select(['gig.rating_count', 'gig.created_at', 'gig.updated_at', 'gig.version', 'gig.owner_id', 'gig.workspace_id'])
    .$narrowType<{ owner_id: NotNull }>()
    .select([
      pagePath.as('url'),
      gigRating.as('rating'),
      selectSamples(MAX_SAMPLES).as('samples'),
      selectSeller(sql`gig.owner_id`).as('seller'),
    ])

const MAX_SAMPLES = 10

type GigRow = Awaited<ReturnType<ReturnType<typeof selectGigs>['executeTakeFirstOrThrow']>>

export const gigRecord = (row: GigRow) => ({
  ...row,
  price: toMajor(row.price),
  sample_media: row.samples.map(({ id }) => id),
})

/** Condition: the caller may see the gig, as everyone or as its owner. */
export const isVisibleTo = (caller: { user_id: null } | User) =>
  caller.user_id === null
    ? sql<SqlBool>`(${isListed} and ${hasSeller})`
    : sql<SqlBool>`(${isListed} and ${hasSeller}
        or gig.owner_id = ${caller.user_id} and ${inWorkspaceOf(caller, 'gig.workspace_id')})`

/** Reads a gig by its id or slug: a public one, or one of the caller in any status. */
export async function readGig(db: Db, caller: { user_id: null } | User, idOrSlug: string) {
  const row = await selectGigs(db)
    .where(isVisibleTo(caller))
    .where(isId(idOrSlug) ? 'gig.id' : 'gig.slug', '=', idOrSlug)
    .executeTakeFirst()
  if (!row) throw notFound()
  return gigRecord(row)
}
