import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { User } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { inTransaction, newId } from '../../lib/database.ts'
import { escapeHtml } from '../../lib/html.ts'
import type { Complete } from '../../lib/idempotency.ts'
import { foreignText } from '../../lib/text.ts'
import type { TestMail, TestMailInput } from './test-mail.schema.ts'
import { sendOnce } from './transport.ts'

const TIMEOUT_MS = 15_000

/** The test is for who runs Meydan, so its text is Meydan's own and no template. */
const texts = {
  en: (app: string, url: string) => ({
    subject: `${app} can send mail`,
    lines: [`This is a test mail of ${app} at ${url}.`, 'Its mail server works.'],
  }),
  tr: (app: string, url: string) => ({
    subject: `${app} e-posta gönderebiliyor`,
    lines: [`Bu, ${url} adresindeki ${app} uygulamasının deneme iletisidir.`, 'E-posta sunucusu çalışıyor.'],
  }),
}

/** Sends one mail with the options as they are now, over a connection of its own. */
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
    detail: foreignText(detail),
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
    if (timeout.aborted) return { ok: false, detail: `There was no answer within ${TIMEOUT_MS / 1000} seconds.` }
    return { ok: false, detail: error instanceof Error ? error.message : 'The mail could not be sent.' }
  }
}
