import { sql } from 'kysely'
import { problem } from '../../errors.ts'
import { minIdAt, type Tx } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Role } from '../../lib/http/access.ts'
import { languageOf } from '../../lib/language.ts'
import { queueMail } from '../mail/mail.ts'
import { roleNames } from '../mail/templates/texts.ts'

const DAY_MS = 24 * 3600_000
const MAX_PER_WORKSPACE = 100
const MAX_PER_ADDRESS = 5

const tooMany = (detail: string, oldest: Date, now: Date) =>
  problem('too_many_requests', {
    detail,
    retryAfter: Math.max(1, Math.ceil((oldest.getTime() + DAY_MS - now.getTime()) / 1000)),
  })

/** Limits mails to strangers, and repeated mails to one person. The workspace must be locked. */
async function checkMails(tx: Tx, { workspace_id, email }: { workspace_id: string; email: string }, now: Date) {
  const since = new Date(now.getTime() - DAY_MS)
  const ofWorkspace = await tx
    .selectFrom('audit_entry')
    .select('at')
    .where('workspace_id', '=', workspace_id)
    .where('action', 'in', ['invitation.created', 'invitation.resent'])
    .where('at', '>', since)
    .where('id', '>=', minIdAt(since))
    .orderBy('id', 'desc')
    .offset(MAX_PER_WORKSPACE - 1)
    .limit(1)
    .executeTakeFirst()
  if (ofWorkspace)
    throw tooMany(`A workspace can send at most ${MAX_PER_WORKSPACE} invitations a day.`, ofWorkspace.at, now)
  // Other workspaces count for the address too, and each of them has its own lock.
  await sql`select pg_advisory_xact_lock(${locks.invitationMail}, hashtext(${email}))`.execute(tx)
  const toAddress = await tx
    .selectFrom('mail')
    .select('created_at')
    .where('to_address', '=', email)
    .where('key', '=', 'invitation')
    .where('created_at', '>', since)
    .where('id', '>=', minIdAt(since))
    .orderBy('id', 'desc')
    .offset(MAX_PER_ADDRESS - 1)
    .limit(1)
    .executeTakeFirst()
  if (toAddress)
    throw tooMany(`One address can receive at most ${MAX_PER_ADDRESS} invitations a day.`, toAddress.created_at, now)
}

type Letter = {
  workspace: { id: string; name: string; timezone: string }
  invited_by: string
  person: { name: string } | undefined
  invitation: { email: string; role: Role; locale: string }
  link: { token: string; expires_at: Date }
}

/** The link is only in the mail, so following it proves access to that address. */
export async function mailInvitation(
  deps: Deps,
  tx: Tx,
  { workspace, invited_by, person, invitation: { email, role, locale }, link }: Letter,
) {
  await checkMails(tx, { workspace_id: workspace.id, email }, deps.clock.now())
  const inviter = await tx.selectFrom('user').select('name').where('id', '=', invited_by).executeTakeFirst()
  if (!inviter) throw problem('unauthenticated')
  const language = languageOf(locale)
  const until = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: workspace.timezone,
  })
  await queueMail(tx, deps, {
    key: 'invitation',
    to: { address: email, name: person?.name ?? '' },
    locale,
    variables: {
      workspace_name: workspace.name,
      inviter_name: inviter.name,
      role: roleNames[language][role],
      accept_url: `${deps.baseUrl}/invitation?token=${link.token}`,
      expires_at: until.format(link.expires_at),
    },
  })
}
