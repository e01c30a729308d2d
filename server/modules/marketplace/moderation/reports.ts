import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import { invalidTransition, limitExceeded, notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import { pageWhere } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { pagePath, readGig } from '../gigs/gig-record.ts'
import type { GigReportQuery, NewGigReport } from './moderation.schema.ts'

/** Reports of a user that no instance admin has decided. */
const MAX_OPEN = 50

/** Reports a public gig. The database refuses a second report of the same user. */
export const reportGig = (db: Db, caller: User, id: string, { reason, text = '' }: Static<typeof NewGigReport>) =>
  inTransaction(db, async (tx) => {
    await tx.selectFrom('user').select('id').where('id', '=', caller.user_id).forNoKeyUpdate().execute()
    const gig = await readGig(tx, caller, id)
    const open = await tx
      .selectFrom('gig_report')
      .select('id')
      .where('reporter_id', '=', caller.user_id)
      .where('status', '=', 'open')
      .limit(MAX_OPEN)
      .execute()
    if (open.length === MAX_OPEN)
      throw limitExceeded('open_reports', MAX_OPEN, MAX_OPEN, `At most ${MAX_OPEN} of your reports can be open.`)
    const report = await tx
      .insertInto('gig_report')
      .values({ gig_id: gig.id, reporter_id: caller.user_id, reason, text })
      .returning(['id', 'gig_id', 'reason', 'text', 'created_at'])
      .executeTakeFirstOrThrow()
    await audit(tx, { ...caller, workspace_id: null }, 'gig.reported', gig.id, { reason })
    return report
  })

const selectReports = (db: Db) =>
  db
    .selectFrom('gig_report')
    .innerJoin('gig', 'gig.id', 'gig_report.gig_id')
    .select(['gig_report.id', 'gig_report.gig_id', 'gig_report.reason', 'gig_report.text', 'gig_report.status'])
    .select(['gig_report.decided_by as decided_by_id', 'gig_report.decided_at', 'gig_report.created_at'])
    .select(['gig.title as gig_title', pagePath.as('gig_url')])
    .select((report) =>
      jsonObjectFrom(
        report.selectFrom('user').select(['id', 'name', 'email']).whereRef('user.id', '=', 'gig_report.reporter_id'),
      ).as('reporter'),
    )

export const listReports = (db: Db, { status, ...cut }: Static<typeof GigReportQuery>) =>
  pageWhere(selectReports(db), 'gig_report.status', status, cut)

/** Closes a report without hiding the gig. Repeating it changes nothing. */
export const dismissReport = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: User, id: string) =>
  inTransaction(db, async (tx) => {
    const report = await tx
      .selectFrom('gig_report')
      .select(['status', 'gig_id'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!report) throw notFound()
    if (report.status === 'upheld') throw invalidTransition('upheld', 'dismiss a report')
    if (report.status === 'open') {
      await tx
        .updateTable('gig_report')
        .set({ status: 'dismissed', decided_by: caller.user_id, decided_at: clock.now() })
        .where('id', '=', id)
        .execute()
      await audit(tx, { ...caller, workspace_id: null }, 'gig.report_dismissed', report.gig_id, { report_id: id })
    }
    return selectReports(tx).where('gig_report.id', '=', id).executeTakeFirstOrThrow()
  })
