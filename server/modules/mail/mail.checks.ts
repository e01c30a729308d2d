import { sql } from 'kysely'
import { check, error, ok, warning } from '../../lib/runtime/checks/check.ts'
import { reasonOf } from '../../lib/runtime/checks/run-checks.ts'
import { verifyServer } from './transport.ts'

const server = check({
  name: 'mail_server',
  group: 'mail',
  outcomes: {
    ok: ok('The mail server accepts the sign-in.'),
    none: warning(
      'No mail server is set: e-mails stay in the outbox, and nobody can verify an address or reset a password.',
      'Set SMTP_URL, or the option mail.smtp_url.',
    ),
    refused: error(
      'The mail server cannot be used: {{reason}}',
      'Check host, port, user and password in SMTP_URL or in the option mail.smtp_url, then send a test e-mail from the options.',
    ),
  },
  find: async ({ options }) => {
    const url = await options().secret('mail.smtp_url')
    if (url === undefined) return { outcome: 'none' }
    try {
      await verifyServer(url)
      return { outcome: 'ok' }
    } catch (fault) {
      return { outcome: 'refused', values: { reason: reasonOf(fault) } }
    }
  },
})

/** Time in which a mail is retried several times. */
const LATE_MIN = 15

const outbox = check({
  name: 'outbox',
  group: 'mail',
  outcomes: {
    ok: ok('No e-mail waits for long, and none failed in the last day.'),
    waiting: warning(
      'The oldest e-mail that is not sent has waited for {{minutes}} min. Last error: {{reason}}',
      'Check the mail server. The outbox shows each e-mail with its error.',
    ),
    failed: warning(
      'E-mails that failed in the last day: {{count}}. Last error: {{reason}}',
      'Open the outbox, mend what the error says, and send them again.',
    ),
  },
  find: async ({ database }) => {
    const { rows } = await sql<{ minutes: number; failed: number; reason: string | null }>`
      select coalesce(extract(epoch from now() - min(created_at) filter (where state = 'queued')) / 60, 0)::int as minutes,
        count(*) filter (where state = 'failed')::int as failed,
        (array_agg(error order by id desc) filter (where error is not null))[1] as reason
      from mail where state = 'queued' or (state = 'failed' and created_at > now() - interval '1 day')`.execute(
      database(),
    )
    const { minutes = 0, failed = 0, reason } = rows[0] ?? {}
    if (minutes >= LATE_MIN) return { outcome: 'waiting', values: { minutes, reason: reason ?? '–' } }
    if (failed > 0) return { outcome: 'failed', values: { count: failed, reason: reason ?? '–' } }
    return { outcome: 'ok' }
  },
})

export const mailChecks = [server, outbox]
