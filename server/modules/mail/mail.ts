import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { type Attempt, addJob } from '../../lib/runtime/jobs.ts'
import { sanitizeExternalText } from '../../lib/text.ts'
import { canSendMail } from './mailer.ts'
import { confidentialKeys, type MailKey } from './templates/catalogue.ts'
import { headerLine, type Rendered, renderFor } from './templates/render.ts'
import { Undeliverable } from './transport.ts'

type Recipient = { address: string; name: string }
/** Properties of a mail besides its text. */
type Sending = {
  /** Earliest time at which it is sent. */
  notBefore?: Date | undefined
  /** Address at which its reader stops mails of its kind. */
  unsubscribeUrl?: string | undefined
}
export type NewMail = {
  key: MailKey
  to: Recipient
  locale: string
  variables: Record<string, string>
} & Sending
type MailDeps = Pick<Deps, 'options' | 'baseUrl' | 'log'>

/** Key that allows one waiting job per mail. */
export const jobKey = (mail_id: string) => `mail ${mail_id}`

/** Writes a mail to the outbox, and queues its sending when a mail server is configured. */
export const queueMail = (db: Db, deps: MailDeps, { key, to, locale, variables, ...sending }: NewMail) =>
  inTransaction(db, async (tx) => {
    const values = {
      app_name: await deps.options.get('app.name', tx),
      app_url: deps.baseUrl,
      user_name: to.name || to.address,
      ...variables,
    }
    return writeMail(tx, deps, {
      key,
      to,
      locale,
      ...sending,
      ...(await renderFor(tx, deps.log, { key, locale, values })),
    })
  })

/** Like `queueMail`, with a text that is already rendered. */
export async function writeMail(
  tx: Tx,
  { options }: Pick<Deps, 'options'>,
  {
    key,
    to,
    locale,
    notBefore,
    unsubscribeUrl,
    ...text
  }: Rendered & Sending & { key: string; to: Recipient; locale: string },
) {
  const canSend = await canSendMail({ options }, tx)
  const mail = await tx
    .insertInto('mail')
    .values({
      to_address: to.address,
      to_name: headerLine(to.name, 80),
      key,
      locale,
      state: canSend ? 'queued' : 'kept',
      unsubscribe_url: unsubscribeUrl ?? null,
      ...text,
    })
    .returning(['id', 'state'])
    .executeTakeFirstOrThrow()
  if (canSend)
    await addJob(
      tx,
      'send-mail',
      { mail_id: mail.id },
      { key: jobKey(mail.id), ...(notBefore && { runAt: notBefore }) },
    )
  return mail
}

/** Whether the text is one address only. No character in it may end it and begin another address or a command. */
const isOneAddress = (address: string) => /^[^\s<>()[\],;:"\\@\p{Cc}]+@[^\s<>()[\],;:"\\@\p{Cc}]+$/u.test(address)

/**
 * Sends one mail of the outbox. If the server's response was lost, the mail is sent again: twice is better than never.
 * The Message-ID stays the same.
 */
export async function sendMail(
  { db, mailTransport, options, clock, baseUrl }: Deps,
  { mail_id }: { mail_id: string },
  { isLast }: Pick<Attempt, 'isLast'>,
) {
  const mail = await db
    .selectFrom('mail')
    .selectAll()
    .where('id', '=', mail_id)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  if (!mail) return
  const note = (values: { state: typeof mail.state; error?: string | null; sent_at?: Date }) =>
    db.updateTable('mail').set(values).where('id', '=', mail_id).execute()
  if (!isOneAddress(mail.to_address)) {
    await note({ state: 'failed', error: 'This is not a single e-mail address.' })
    return
  }
  if (!(await canSendMail({ options }))) {
    // The mail server was removed from the options after the mail was queued.
    await note({ state: 'kept' })
    return
  }
  await db.updateTable('mail').set({ attempts: sql`attempts + 1` }).where('id', '=', mail_id).execute()
  try {
    await mailTransport.send({
      to: { name: mail.to_name, address: mail.to_address },
      subject: mail.subject,
      text: mail.body_text,
      html: mail.body_html,
      messageId: `<${mail.id}@${new URL(baseUrl).hostname}>`,
      // RFC 8058: one call of the mail program stops these mails.
      ...(mail.unsubscribe_url !== null && {
        headers: {
          'List-Unsubscribe': `<${mail.unsubscribe_url}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
    })
  } catch (error) {
    const text = error instanceof Error ? sanitizeExternalText(error.message) : 'unknown'
    const isFinal = error instanceof Undeliverable
    await note({ state: isFinal || isLast ? 'failed' : 'queued', error: text })
    if (isFinal) return
    throw error
  }
  await note({
    state: 'sent',
    sent_at: clock.now(),
    error: null,
    ...(confidentialKeys.some((key) => key === mail.key) && {
      body_html: '',
      body_text: '',
      subject: mail.subject.replace(/\d{6}|https?:\/\/\S+/g, '••••••'),
    }),
  })
}
