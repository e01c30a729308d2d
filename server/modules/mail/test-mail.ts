import type { Static } from 'typebox'
import { audit } from '../../lib/db/audit.ts'
import { inTransaction, newId } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { escapeHtml } from '../../lib/html.ts'
import type { User } from '../../lib/http/access.ts'
import type { Complete } from '../../lib/http/idempotency.ts'
import { sanitizeExternalText } from '../../lib/text.ts'
import type { TestMail, TestMailInput } from './test-mail.schema.ts'
import { sendOnce } from './transport.ts'

const TIMEOUT_MS = 15_000

/** The test is for the operator, so it uses Meydan's own text and no template. */
const texts = {
  en: (app: string, url: string) => ({
    subject: `${app} can send emails`,
    lines: [`This is a test email from ${app} at ${url}.`, 'The mail server works.'],
  }),
  tr: (app: string, url: string) => ({
    subject: `${app} e-posta gönderebiliyor`,
    lines: [
      `Bu, ${url} adresindeki ${app} uygulamasından gönderilen bir test e-postasıdır.`,
      'E-posta sunucusu çalışıyor.',
    ],
  }),
}

/** Sends one mail with the current options, over a new connection. */
export async function sendTestMail(
  deps: Deps,
  caller: User,
  { to = caller.email }: Static<typeof TestMailInput>,
  complete: Complete,
): Promise<Static<typeof TestMail>> {
  const { db, options } = deps
  const smtpUrl = await options.secret('mail.smtp_url')
  const started = performance.now()
  const { ok, detail } = smtpUrl
    ? await attempt(deps, caller, to, smtpUrl)
    : { ok: false, detail: 'No mail server is set.' }
  const result = {
    ok,
    detail: sanitizeExternalText(detail),
    latency_ms: smtpUrl ? Math.round(performance.now() - started) : 0,
  }
  await inTransaction(db, async (tx) => {
    await audit(tx, caller, 'options.mail_tested', 'mail.smtp_url', { to, ok })
    await complete(tx, result)
  })
  return result
}

async function attempt(
  { options, db, baseUrl }: Pick<Deps, 'options' | 'db' | 'baseUrl'>,
  { user_id }: User,
  address: string,
  url: string,
) {
  const user = await db.selectFrom('user').select('locale').where('id', '=', user_id).executeTakeFirst()
  const text = texts[user?.locale.split('-')[0] === 'tr' ? 'tr' : 'en']
  const { subject, lines } = text(await options.get('app.name'), baseUrl)
  const mail = {
    to: { name: '', address },
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n'),
    messageId: `<${await newId(db)}@${new URL(baseUrl).hostname}>`,
  }
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    return { ok: true, detail: await sendOnce(url, await options.get('mail.from'), mail, timeout) }
  } catch (error) {
    if (timeout.aborted)
      return { ok: false, detail: `The mail server did not respond within ${TIMEOUT_MS / 1000} seconds.` }
    return { ok: false, detail: error instanceof Error ? error.message : 'The e-mail could not be sent.' }
  }
}
