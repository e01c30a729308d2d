import { type SqlBool, sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import { queueMail } from '../../mail/mail.ts'
import { pagePath } from '../gigs/gig-record.ts'
import type { AdminGigQuery } from './moderation.schema.ts'

const selectForAdmin = (db: Db) =>
  db
    .selectFrom('gig')
    .select(['gig.id', 'gig.slug', 'gig.title', 'gig.price', 'gig.currency', 'gig.status', 'gig.workspace_id'])
    .select(['gig.taken_down_at', 'gig.take_down_reason', 'gig.created_at', pagePath.as('url')])
    .select(
      sql<number>`(select count(*)::int from gig_report as r where r.gig_id = gig.id and r.status = 'open')`.as(
        'open_reports',
      ),
    )
    .select((gig) =>
      jsonObjectFrom(
        gig.selectFrom('user').select(['id', 'name', 'email']).whereRef('user.id', '=', 'gig.owner_id'),
      ).as('owner'),
    )

type Row = Awaited<ReturnType<ReturnType<typeof selectForAdmin>['executeTakeFirstOrThrow']>>
const forAdmin = (row: Row) => ({ ...row, price: toMajor(row.price) })

export async function listGigsForAdmin(
  db: Db,
  { taken_down, search, ...query }: Static<typeof AdminGigQuery> & PageInput,
) {
  let gigs = selectForAdmin(db)
  if (taken_down !== undefined) gigs = gigs.where('gig.taken_down_at', taken_down ? 'is not' : 'is', null)
  if (search !== undefined)
    gigs = gigs.where(
      sql<SqlBool>`gig.id = any(array(
        select g.id from gig as g where g.slug = ${search} union all select g.id from gig as g where g.id::text = ${search}
        union all select g.id from gig as g join "user" as u on u.id = g.owner_id where u.email = ${search.toLowerCase()}))`,
    )
  const { data, next_cursor } = await page(gigs, 'gig.id', query)
  return { data: data.map(forAdmin), next_cursor }
}

async function lockForAdmin(tx: Tx, id: string) {
  const gig = await tx
    .selectFrom('gig')
    .leftJoin('user', 'user.id', 'gig.owner_id')
    .select(['gig.title', 'gig.slug', 'gig.workspace_id', 'gig.taken_down_at'])
    .select(['user.name', 'user.email', 'user.locale'])
    .where('gig.id', '=', id)
    .forUpdate('gig')
    .executeTakeFirst()
  if (!gig) throw notFound()
  return gig
}

const readForAdmin = async (db: Db, id: string) =>
  forAdmin(await selectForAdmin(db).where('gig.id', '=', id).executeTakeFirstOrThrow())

/** Hides a gig, mails its owner, and upholds the open reports. Repeating it changes nothing. */
export const takeDownGig = (deps: Deps, caller: User, id: string, { reason }: { reason: string }) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const gig = await lockForAdmin(tx, id)
    if (gig.taken_down_at) return readForAdmin(tx, id)
    await tx
      .updateTable('gig')
      .set({ taken_down_at: now, take_down_reason: reason, updated_at: nextUpdatedAt(now) })
      .where('id', '=', id)
      .execute()
    await tx
      .updateTable('gig_report')
      .set({ status: 'upheld', decided_by: caller.user_id, decided_at: now })
      .where('gig_id', '=', id)
      .where('status', '=', 'open')
      .execute()
    await audit(tx, { ...caller, workspace_id: gig.workspace_id }, 'gig.taken_down', id, { title: gig.title, reason })
    if (gig.email !== null && gig.name !== null && gig.locale !== null)
      await queueMail(tx, deps, {
        key: 'gig-taken-down',
        to: { address: gig.email, name: gig.name },
        locale: gig.locale,
        variables: { gig_title: gig.title, reason },
      })
    return readForAdmin(tx, id)
  })

/** Shows a gig again that was hidden. Repeating it changes nothing. */
export const restoreGig = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: User, id: string) =>
  inTransaction(db, async (tx) => {
    const gig = await lockForAdmin(tx, id)
    if (!gig.taken_down_at) return readForAdmin(tx, id)
    await tx
      .updateTable('gig')
      .set({ taken_down_at: null, take_down_reason: null, updated_at: nextUpdatedAt(clock.now()) })
      .where('id', '=', id)
      .execute()
    await audit(tx, { ...caller, workspace_id: gig.workspace_id }, 'gig.restored', id, { title: gig.title })
    return readForAdmin(tx, id)
  })
