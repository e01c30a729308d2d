import { randomBytes } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { Static } from 'typebox'
import { featureNotAvailable, invalidTransition, limitExceeded, notFound, problem } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Gig as GigTable } from '../../../lib/db/database-types.ts'
import { pageOfWorkspace } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { isId } from '../../../lib/http/schema/schema.ts'
import { toMinor } from '../../../lib/money.ts'
import { distinctLabels, toSlug } from '../../../lib/text.ts'
import { gigRecord, readGig, selectGigs } from './gig-record.ts'
import type { ChangeGig, NewGig, OwnGigQuery } from './gigs.schema.ts'
import { writeSamples } from './samples.ts'

const MAX_GIGS = 500
const SLUG_LENGTH = 60
const FEATURE = 'marketplace.sell'

/** Slugs that are parts of other addresses. */
const reserved = ['mine']

/** The slug of a title. It never looks like an id, because addresses of gigs accept ids too. */
function slugOf(title: string) {
  const slug = toSlug(title, SLUG_LENGTH)
  if (slug === '') return 'gig'
  return reserved.includes(slug) || isId(slug) ? `gig-${slug}` : slug
}

/** Inserts a gig under the slug of its title, or under one with random letters when that is taken. */
async function insertGig(tx: Tx, values: Omit<Insertable<GigTable>, 'slug'>) {
  const slug = slugOf(values.title)
  const random = () => `${slug}-${randomBytes(4).toString('hex')}`
  const id = (await insertAs(tx, { ...values, slug })) ?? (await insertAs(tx, { ...values, slug: random() }))
  if (!id) throw new Error('The random slug of a gig is taken')
  return id
}

async function insertAs(tx: Tx, values: Insertable<GigTable>) {
  const row = await tx
    .insertInto('gig')
    .values(values)
    .onConflict((slug) => slug.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Keeps concurrent calls from exceeding the limit. */
const lockWorkspace = (tx: Tx, id: string) =>
  tx.selectFrom('workspace').select('id').where('id', '=', id).forNoKeyUpdate().execute()

/** Throws when the workspace has as many gigs as it can have. Archived ones do not count. */
async function requireRoom(tx: Tx, workspace_id: string) {
  const { count } = await tx
    .selectFrom('gig')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', workspace_id)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= MAX_GIGS) throw limitExceeded('gigs', MAX_GIGS, count, `A workspace can have at most ${MAX_GIGS} gigs.`)
}

export const createGig = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: Member, input: Static<typeof NewGig>) =>
  inTransaction(db, async (tx) => {
    const { sample_media = [], categories = [], status = 'draft', price, ...rest } = input
    const { workspace_id, user_id: owner_id } = caller
    await lockWorkspace(tx, workspace_id)
    await requireRoom(tx, workspace_id)
    const id = await insertGig(tx, {
      ...rest,
      ...{ workspace_id, owner_id, categories: distinctLabels(categories), status },
      price: String(toMinor(price, '/price')),
      published_at: status === 'published' ? clock.now() : null,
    })
    await writeSamples(tx, workspace_id, id, sample_media)
    await audit(tx, caller, 'gig.created', id, { title: rest.title, price, currency: rest.currency, status })
    return readGig(tx, caller, id)
  })

async function lockGig(tx: Tx, { workspace_id, user_id }: Member, id: string) {
  const locked = await tx
    .selectFrom('gig')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('owner_id', '=', user_id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw notFound()
}

const audited = [
  'title',
  'description',
  'price',
  'currency',
  'delivery_days',
  'categories',
  'sample_media',
  'status',
] as const

type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'authenticator'>

export const changeGig = (
  { db, clock, authenticator }: ChangeDeps,
  caller: Member,
  id: string,
  input: Static<typeof ChangeGig>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    await lockGig(tx, caller, id)
    const before = await readGig(tx, caller, id)
    ifMatch(before.version)
    if (before.archived_at) throw invalidTransition('archived', 'change a gig')
    const { sample_media, price, ...rest } = input
    if (rest.status === 'draft' && before.published_at)
      throw invalidTransition(before.status, 'make a gig a draft again')
    const isPublished = rest.status === 'published' && before.status !== 'published'
    if (isPublished && !(await authenticator.hasFeature(caller.workspace_id, FEATURE)))
      throw featureNotAvailable(FEATURE)
    await tx
      .updateTable('gig')
      .set({
        ...rest,
        ...(rest.categories && { categories: distinctLabels(rest.categories) }),
        ...(price !== undefined && { price: String(toMinor(price, '/price')) }),
        ...(isPublished && !before.published_at && { published_at: clock.now() }),
        updated_at: nextUpdatedAt(clock.now()),
      })
      .where('id', '=', id)
      .execute()
    if (sample_media) await writeSamples(tx, caller.workspace_id, id, sample_media)
    const after = await readGig(tx, caller, id)
    const changed = audited.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    if (changed.length > 0) await audit(tx, caller, 'gig.updated', id, changedFields(before, after, changed))
    return after
  })

/** Deletes a gig that nobody ordered. */
export const deleteGig = (db: Db, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    await lockGig(tx, caller, id)
    const ordered = await tx.selectFrom('gig_order').select('id').where('gig_id', '=', id).limit(1).executeTakeFirst()
    if (ordered) throw problem('gig_has_orders', { detail: 'Archive the gig instead. Its orders go on.' })
    const { title } = await tx.deleteFrom('gig').where('id', '=', id).returning('title').executeTakeFirstOrThrow()
    await audit(tx, caller, 'gig.deleted', id, { title })
  })

/** Puts a gig away: it is hidden like a paused one, and its orders go on. Repeating it changes nothing. */
export const archiveGig = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    await lockGig(tx, caller, id)
    const before = await readGig(tx, caller, id)
    if (before.archived_at) return before
    const status = before.status === 'published' ? 'paused' : before.status
    const now = clock.now()
    await tx
      .updateTable('gig')
      .set({ status, archived_at: now, updated_at: nextUpdatedAt(now) })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'gig.archived', id, { title: before.title })
    return readGig(tx, caller, id)
  })

/** Brings an archived gig back, as a draft or paused. Repeating it changes nothing. */
export const unarchiveGig = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    await lockWorkspace(tx, caller.workspace_id)
    await lockGig(tx, caller, id)
    const before = await readGig(tx, caller, id)
    if (!before.archived_at) return before
    await requireRoom(tx, caller.workspace_id)
    await tx
      .updateTable('gig')
      .set({ archived_at: null, updated_at: nextUpdatedAt(clock.now()) })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'gig.unarchived', id, { title: before.title })
    return readGig(tx, caller, id)
  })

/** The gigs of the caller in this workspace, newest first. */
export async function listOwnGigs(db: Db, caller: Member, { archived = false, ...query }: Static<typeof OwnGigQuery>) {
  const own = selectGigs(db)
    .where('gig.owner_id', '=', caller.user_id)
    .where('gig.archived_at', archived ? 'is not' : 'is', null)
  const { data, next_cursor } = await pageOfWorkspace(own, 'gig', caller.workspace_id, query)
  return { data: data.map(gigRecord), next_cursor }
}

/** Pauses the public gigs that a former member owns in the workspace: nobody else could serve their orders. */
export async function pauseGigsOfMember({ clock }: Pick<Deps, 'clock'>, tx: Tx, caller: Member, user_id: string) {
  const paused = await tx
    .updateTable('gig')
    .set({ status: 'paused', updated_at: nextUpdatedAt(clock.now()) })
    .where('workspace_id', '=', caller.workspace_id)
    .where('owner_id', '=', user_id)
    .where('status', '=', 'published')
    .returning('id')
    .execute()
  for (const { id } of paused)
    await audit(tx, caller, 'gig.updated', id, { before: { status: 'published' }, after: { status: 'paused' } })
}
