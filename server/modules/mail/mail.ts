import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { type Db, inTransaction } from '../../lib/database.ts'
import { addJob } from '../../lib/jobs.ts'
import { canSendMail } from './mailer.ts'
import { type MailKey, renderMail } from './texts.ts'

export type NewMail = {
  key: MailKey
  to: { address: string; name: string }
  locale: string
  variables: Record<string, string>
}

/** Writes a mail into the outbox, and has it sent when there is a server to send it to. */
export const queueMail = (
  db: Db,
  { options, baseUrl }: Pick<Deps, 'options' | 'baseUrl'>,
  { key, to, locale, variables }: NewMail,
) =>
  inTransaction(db, async (tx) => {
    const canSend = await canSendMail({ options }, tx)
    const app_name = await options.get('app.name', tx)
    const { id } = await tx
      .insertInto('mail')
      .values({
        to_address: to.address,
        to_name: to.name,
        key,
        locale,
        state: canSend ? 'queued' : 'kept',
        ...renderMail(key, locale, {
          app_name,
          app_url: baseUrl,
          user_name: to.name || to.address,
          ...variables,
        }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (canSend) await addJob(tx, 'send-mail', { mail_id: id })
  })

/**
 * Sends one mail of the outbox. A mail whose answer was lost is sent again: twice is better than never here, and its
 * Message-ID stays the same.
 */
export async function sendMail(
  { db, mailTransport, options, clock, baseUrl }: Deps,
  { mail_id }: { mail_id: string },
  isLastAttempt: boolean,
) {
  const mail = await db
    .selectFrom('mail')
    .selectAll()
    .where('id', '=', mail_id)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  if (!mail) return
  if (!(await canSendMail({ options }))) {
    // The mail server was taken out of the options meanwhile.
    await db.updateTable('mail').set({ state: 'kept' }).where('id', '=', mail_id).execute()
    return
  }
  try {
    await mailTransport.send({
      to: { name: mail.to_name, address: mail.to_address },
      subject: mail.subject,
      text: mail.body_text,
      html: mail.body_html,
      messageId: `<${mail.id}@${new URL(baseUrl).hostname}>`,
    })
  } catch (error) {
    const text = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    await db
      .updateTable('mail')
      .set({ error: text, state: isLastAttempt ? 'failed' : 'queued' })
      .where('id', '=', mail_id)
      .execute()
    throw error
  }
  await db
    .updateTable('mail')
    .set({ state: 'sent', sent_at: clock.now(), error: null })
    .where('id', '=', mail_id)
    .execute()
}

export const listMails = (db: Db) => db.selectFrom('mail').selectAll()

export async function readMail(db: Db, id: string) {
  const mail = await listMails(db).where('id', '=', id).executeTakeFirst()
  if (!mail) throw notFound()
  return mail
}
