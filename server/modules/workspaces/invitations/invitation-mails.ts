import { DAY } from '../../../../shared/time.ts'
import { problem } from '../../../errors.ts'
import { minIdAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { mailboxOf } from '../../../lib/email.ts'
import type { Role } from '../../../lib/http/roles.ts'
import { languageOf, mailTimeFormat } from '../../../lib/language.ts'
import { countCall } from '../../auth/sign-in/attempt-counts.ts'
import { queueMail } from '../../mail/mail.ts'
import { roleNames } from '../../mail/templates/texts/phrases.ts'

const MAX_PER_WORKSPACE = 100
/** Mails to one mailbox within a day: from one workspace, from one sender in all workspaces, and from everybody. */
const MAX_PER_MAILBOX = { workspace: 5, sender: 10, all: 30 }

const secondsUntil = (time: Date, now: Date) => Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000))
const tooMany = (detail: string, retryAfter: number) => problem('too_many_requests', { detail, retryAfter })

type Sending = { workspace_id: string; invited_by: string; email: string }

/**
 * Limits mails to strangers, and repeated mails to one person. A workspace cannot use up what others may send: the limit
 * of a mailbox over all of them takes three senders. The workspace must be locked.
 */
async function checkMails(tx: Tx, { workspace_id, invited_by, email }: Sending, now: Date) {
  const since = new Date(now.getTime() - DAY)
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
    throw tooMany(
      `A workspace can send at most ${MAX_PER_WORKSPACE} invitations a day.`,
      secondsUntil(new Date(ofWorkspace.at.getTime() + DAY), now),
    )
  const mailbox = mailboxOf(email)
  const seconds = DAY / 1000
  const used = await countCall(
    tx,
    [
      { key: `invitation ${mailbox} workspace ${workspace_id}`, quota: MAX_PER_MAILBOX.workspace, seconds },
      { key: `invitation ${mailbox} sender ${invited_by}`, quota: MAX_PER_MAILBOX.sender, seconds },
      { key: `invitation ${mailbox}`, quota: MAX_PER_MAILBOX.all, seconds },
    ],
    now,
  )
  const exceeded = used.find(({ count, quota }) => count > quota)
  if (exceeded) throw tooMany('This address has received too many invitations within a day.', exceeded.wait)
}

type Letter = {
  workspace: { id: string; name: string; timezone: string }
  invited_by: string
  person: { name: string } | undefined
  invitation: { email: string; role: Role; locale: string }
  link: { url: string; expires_at: Date }
}

export async function mailInvitation(
  deps: Deps,
  tx: Tx,
  { workspace, invited_by, person, invitation: { email, role, locale }, link }: Letter,
) {
  await checkMails(tx, { workspace_id: workspace.id, invited_by, email }, deps.clock.now())
  const inviter = await tx.selectFrom('user').select('name').where('id', '=', invited_by).executeTakeFirst()
  if (!inviter) throw problem('unauthenticated')
  const language = languageOf(locale)
  const until = mailTimeFormat(language, workspace.timezone)
  await queueMail(tx, deps, {
    key: 'invitation',
    to: { address: email, name: person?.name ?? '' },
    locale,
    variables: {
      workspace_name: workspace.name,
      inviter_name: inviter.name,
      role: roleNames[language][role],
      accept_url: link.url,
      expires_at: until.format(link.expires_at),
    },
  })
}
