import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { invalidTransition, notFound, problem } from '../../errors.ts'
import type { User } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { type Db, inTransaction, leastId } from '../../lib/database.ts'
import { addJob } from '../../lib/jobs.ts'
import type { Mail, outboxFilters } from './mail.schema.ts'
import { jobKey } from './mail.ts'
import { canSendMail } from './mailer.ts'

type Filters = { [Name in keyof typeof outboxFilters]: Static<(typeof outboxFilters)[Name]> | undefined }

export function listMails(db: Db, { state, search = '' }: Partial<Filters> = {}) {
  let mails = db.selectFrom('mail').selectAll()
  if (state !== undefined) mails = mails.where('state', '=', state)
  if (search !== '') {
    const has = (column: string) => sql<boolean>`strpos(folded(${sql.ref(column)}), folded(${search})) > 0`
    mails = mails.where((where) => where.or(['to_address', 'to_name', 'subject', 'key'].map(has)))
  }
  return mails
}

export async function readMail(db: Db, id: string): Promise<Static<typeof Mail>> {
  const mail = await listMails(db).where('id', '=', id).executeTakeFirst()
  if (!mail) throw notFound()
  return mail
}

/** Has a mail sent that failed, or was kept because there was no mail server. */
export async function retryMail(deps: Deps, caller: User, id: string) {
  return inTransaction(deps.db, async (tx) => {
    const canSend = await canSendMail(deps, tx)
    const mail = canSend
      ? await tx
          .updateTable('mail')
          .set({ state: 'queued', error: null })
          .where('id', '=', id)
          .where('state', 'in', ['failed', 'kept'])
          .returning(['id', 'key', 'to_address'])
          .executeTakeFirst()
      : undefined
    if (!mail) {
      const { state } = await readMail(tx, id)
      if (canSend || state === 'sent' || state === 'queued') throw invalidTransition(state, 'send it again')
      throw problem('invalid_transition', {
        detail: 'No mail server is set, so nothing can be sent. Set one first.',
        extra: { state },
      })
    }
    await addJob(tx, 'send-mail', { mail_id: id }, { key: jobKey(id) })
    await audit(tx, { ...caller, workspace_id: null }, 'mail.retried', id, { key: mail.key, to: mail.to_address })
    return readMail(tx, id)
  })
}

const KEPT_DAYS = 90
const AT_ONCE = 5000

/** Erases mails that nobody asks about any more, a few at a time. */
export async function eraseOldMails({ db, clock }: Deps) {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)
  for (;;) {
    const { rows } = await sql`
      delete from mail where id in
        (select id from mail where id < ${leastId(before)}::uuid and created_at < ${before} order by id limit ${AT_ONCE})
      returning id`.execute(db)
    if (rows.length < AT_ONCE) return
  }
}
