import { sql } from 'kysely'
import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { languageOf, mailTimeFormat } from '../../lib/language.ts'
import { quoted } from '../../lib/text.ts'
import { queueMail } from '../mail/mail.ts'
import { disabledBecause } from '../mail/templates/texts/phrases.ts'
import { daysKept } from './retention.ts'

type Occasion = { key: 'webhook-failing' } | { key: 'webhook-disabled'; reason: 'failing' | 'gone' }

const MAX_QUOTED_LENGTH = 200

const quote = (text: string) => quoted(text, MAX_QUOTED_LENGTH)

/** Queues a mail to each owner of a webhook's workspace who is verified and not banned. */
export async function mailOwners(
  deps: Pick<Deps, 'clock' | 'config' | 'options' | 'baseUrl' | 'log'>,
  tx: Tx,
  webhook_id: string,
  occasion: Occasion,
) {
  const owners = await tx
    .selectFrom('webhook')
    .innerJoin('webhook_health', 'webhook_health.webhook_id', 'webhook.id')
    .innerJoin('workspace', 'workspace.id', 'webhook.team_id')
    .innerJoin('workspace_member', 'workspace_member.workspace_id', 'workspace.id')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select(['webhook.url', 'webhook.description', 'webhook_health.first_failure_at'])
    .select(['workspace.name as workspace_name', 'workspace.slug', 'workspace.timezone'])
    .select(['user.email', 'user.name', 'user.locale'])
    .where('webhook.id', '=', webhook_id)
    .where('workspace.deleted_at', 'is', null)
    .where('workspace_member.role', '=', 'owner')
    .where('user.email_verified', '=', true)
    .where('user.banned_at', 'is', null)
    .orderBy('user.id')
    .execute()
  if (owners.length === 0) return
  const attempt = await lastFailure(tx, webhook_id)
  const outcome = [attempt?.status && `HTTP ${attempt.status}`, attempt?.error && quote(attempt.error)]
    .filter(Boolean)
    .join(', ')
  for (const { email, name, locale, url, description, timezone, slug, workspace_name, ...health } of owners) {
    const language = languageOf(locale)
    const time = mailTimeFormat(language, timezone)
    const since = health.first_failure_at ?? deps.clock.now()
    await queueMail(tx, deps, {
      key: occasion.key,
      to: { address: email, name },
      locale,
      variables: {
        workspace_name,
        endpoint: description ? `${quote(url)} (${quote(description)})` : quote(url),
        since: time.format(since),
        event_type: attempt?.type ?? '–',
        outcome: outcome || '–',
        disabled_from: time.format(since.getTime() + deps.config.WEBHOOK_DISABLE_AFTER_S * 1000),
        kept_days: String(await daysKept(deps.options, tx)),
        reason: 'reason' in occasion ? disabledBecause[language][occasion.reason](time.format(since)) : '',
        page_url: `${deps.baseUrl}/w/${slug}/webhooks/${webhook_id}`,
      },
    })
  }
}

/** Reads the attempt that failed last. */
async function lastFailure(tx: Tx, webhook_id: string) {
  const { rows } = await sql<{ type: string; status: number | null; error: string | null }>`
    select type, status, error from webhook_health
    join attempt on attempt.webhook_id = webhook_health.webhook_id and delivery_id = last_failed_delivery
    where webhook_health.webhook_id = ${webhook_id} and not ok order by n desc limit 1`.execute(tx)
  return rows[0]
}
