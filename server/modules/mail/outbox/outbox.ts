import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { invalidTransition, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { contains } from '../../../lib/db/contains.ts'
import { type Db, inTransaction, minIdAt, type Tx } from '../../../lib/db/database.ts'
import { type PageInput, pageWhere } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { type Reading, secondsSince } from '../../../lib/runtime/installation-metrics.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { jobKey } from '../mail.ts'
import { canSendMail } from '../mailer.ts'
import type { Mail, outboxFilters } from './outbox.schema.ts'

type Filters = { [Name in keyof typeof outboxFilters]?: Static<(typeof outboxFilters)[Name]> }

const selectMails = (db: Db) => db.selectFrom('mail').selectAll()

/** Lists e-mails, the newest first. */
export function listMails(db: Db, { state, search = '', ...cut }: Filters & PageInput) {
  let mails = selectMails(db)
  if (search !== '') {
    const columns = ['to_address', 'to_name', 'subject', 'key']
    mails = mails.where((where) => where.or(columns.map((column) => contains(column, search))))
  }
  return pageWhere(mails, 'mail.state', state, cut, { db, columns: ['body_text', 'body_html'] })
}

export async function readMail(db: Db, id: string): Promise<Static<typeof Mail>> {
  const mail = await selectMails(db).where('id', '=', id).executeTakeFirst()
  if (!mail) throw notFound()
  return mail
}

/** Whether a mail will be tried again. If not, its worker died at the last attempt and could not record that. */
async function hasJob(tx: Tx, mail_id: string) {
  const { rows } = await sql`select from graphile_worker.jobs
    where key = ${jobKey(mail_id)} and (attempts < max_attempts or locked_at is not null)`.execute(tx)
  return rows.length > 0
}

/** Queues a mail that failed, or that was kept because there was no mail server. */
export async function retryMail(deps: Deps, caller: User, id: string) {
  return inTransaction(deps.db, async (tx) => {
    const mail = await selectMails(tx).where('id', '=', id).forUpdate().executeTakeFirst()
    if (!mail) throw notFound()
    const { state, key, to_address } = mail
    if (state === 'sent' || (state === 'queued' && (await hasJob(tx, id))))
      throw invalidTransition(state, 'retry an e-mail')
    if (!(await canSendMail(deps, tx)))
      throw problem('invalid_transition', {
        detail: 'No mail server is set. Set one first.',
        extra: { state },
      })
    await tx.updateTable('mail').set({ state: 'queued', error: null }).where('id', '=', id).execute()
    await addJob(tx, 'send-mail', { mail_id: id }, { key: jobKey(id) })
    await audit(tx, { ...caller, workspace_id: null }, 'mail.retried', id, { key, to: to_address })
    return readMail(tx, id)
  })
}

const KEPT_DAYS = 90
const AT_ONCE = 5000

/** Deletes old mails in small batches. */
export async function eraseOldMails({ db, clock }: Deps) {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY)
  for (;;) {
    const { rows } = await sql`
      delete from mail where id in
        (select id from mail where id < ${minIdAt(before)}::uuid and created_at < ${before} order by id limit ${AT_ONCE})
      returning id`.execute(db)
    if (rows.length < AT_ONCE) return
  }
}

export const eraseMailsTo = (tx: Tx, address: string) =>
  tx.deleteFrom('mail').where('to_address', '=', address).execute()

export const mailBacklog: Reading = {
  query: sql`
    select count(*) as mails_queued, ${secondsSince(sql`min(created_at)`)} as mails_oldest_seconds
    from mail where state = 'queued'`,
  gauges: {
    mails_queued: 'Mails that wait to be sent.',
    mails_oldest_seconds: 'Time for which the oldest mail that is not sent has waited.',
  },
}
