import { sql } from 'kysely'
import { exportRows } from '../../lib/export.ts'
import type { MailKey } from './templates/texts/texts.ts'

/** Mails whose subject holds a code. */
const CODE_MAILS: MailKey[] = ['signup-otp', 'email-change']

/** Codes are only for the mailbox. A person with a stolen session could read them here. */
export const mails = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('mail')
    .select(['id', 'key', 'locale', 'state', 'created_at', 'sent_at'])
    .select(
      sql<string>`case when key = any(${CODE_MAILS}::text[])
        then regexp_replace(subject, '[0-9]{6}', '******') else subject end`.as('subject'),
    )
    .where('to_address', '=', (of) => of.selectFrom('user').select('email').where('id', '=', user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
