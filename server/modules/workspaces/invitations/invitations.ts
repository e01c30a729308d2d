import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { invalidTransition, limitExceeded, notFound, problem } from '../../../errors.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { storedEmail } from '../../../lib/email.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member, User } from '../../../lib/http/access.ts'
import { checkLocale } from '../../auth/locale.ts'
import { personById } from '../../auth/users/users.ts'
import { assertWithinLimit } from '../../usage/quotas.ts'
import { checkGrant, findRole, lockWorkspace, lockWorkspaceAs, readMember } from '../members/members.ts'
import { joinedMembers, teamMembers } from '../workspaces.meters.ts'
import { readWorkspace } from '../workspaces.ts'
import { mailInvitation } from './invitation-mails.ts'
import { invitationEvents } from './invitations.events.ts'
import type { Invitation, InvitationQuery, NewInvitation } from './invitations.schema.ts'

const VALID_MS = 7 * DAY
const MAX_PENDING = 100

type State = Static<typeof Invitation>['state']

/** A pending invitation past its expiry counts as expired, although its row has not changed. */
const stateAt = (now: Date) => sql<State>`case when invitation.state = 'pending' and invitation.expires_at <= ${now}
  then 'expired' else invitation.state::text end`

const selectInvitations = (db: Db, now: Date) =>
  db
    .selectFrom('invitation')
    .select([
      'invitation.id',
      'invitation.workspace_id',
      'invitation.email',
      'invitation.role',
      'invitation.locale',
      stateAt(now).as('state'),
      'invitation.invited_by',
      'invitation.expires_at',
      'invitation.created_at',
    ])

export function listInvitations(
  { db, clock }: Deps,
  { workspace_id }: Member,
  { state }: Static<typeof InvitationQuery>,
) {
  const now = clock.now()
  const all = selectInvitations(db, now).where('invitation.workspace_id', '=', workspace_id)
  return state ? all.where(stateAt(now), '=', state) : all
}

async function lockInvitation({ tx, now }: { tx: Tx; now: Date }, { workspace_id }: Member, id: string) {
  const invitation = await selectInvitations(tx, now)
    .where('invitation.id', '=', id)
    .where('invitation.workspace_id', '=', workspace_id)
    .forUpdate()
    .executeTakeFirst()
  if (!invitation) throw notFound()
  return invitation
}

/** The link is no proof of the address, because its sender sees it too. */
const newLink = (baseUrl: string, now: Date) => {
  const token = randomBytes(32).toString('base64url')
  return {
    url: `${baseUrl}/invitation?token=${token}`,
    hashed_token: sha256(token),
    expires_at: new Date(now.getTime() + VALID_MS),
  }
}

/** The user with this address. It must be verified, because anybody can sign up with another person's address. */
const findPerson = (tx: Tx, email: string) =>
  tx
    .selectFrom('user')
    .select(['id', 'name', 'locale'])
    .where('email', '=', email)
    .where('email_verified', '=', true)
    .executeTakeFirst()

async function refuseMember(tx: Tx, workspace_id: string, user_id: string | undefined) {
  if (user_id !== undefined && (await findRole(tx, workspace_id, user_id))) throw problem('member_taken')
}

/** The workspace must be locked. */
async function assertPendingQuota(tx: Tx, workspace_id: string, now: Date) {
  const { used } = await tx
    .selectFrom('invitation')
    .select(sql<number>`count(*)::int`.as('used'))
    .where('workspace_id', '=', workspace_id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (used >= MAX_PENDING)
    throw limitExceeded(
      'invitations',
      MAX_PENDING,
      used,
      `A workspace can have at most ${MAX_PENDING} pending invitations; this one has ${used}.`,
    )
}

export const createInvitation = (deps: Deps, caller: Member, input: Static<typeof NewInvitation>) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const { workspace_id, user_id } = caller
    const { workspace, own } = await lockWorkspaceAs(tx, caller, 'admin')
    checkGrant(own, input.role)
    const email = storedEmail(input.email)
    const wanted = input.locale && checkLocale(input.locale)
    const person = await findPerson(tx, email)
    await refuseMember(tx, workspace_id, person?.id)
    await assertPendingQuota(tx, workspace_id, now)
    // Revokes an expired invitation, so that the unique index covers valid ones only.
    await tx
      .updateTable('invitation')
      .set({ state: 'revoked', updated_at: now })
      .where('workspace_id', '=', workspace_id)
      .where('email', '=', email)
      .where('state', '=', 'pending')
      .where('expires_at', '<=', now)
      .execute()
    const link = newLink(deps.baseUrl, now)
    const invitation = {
      workspace_id,
      email,
      role: input.role,
      locale: wanted ?? person?.locale ?? workspace.locale,
      expires_at: link.expires_at,
      invited_by: user_id,
    }
    const { id, created_at } = await tx
      .insertInto('invitation')
      .values({ ...invitation, hashed_token: link.hashed_token, created_at: now, updated_at: now })
      .returning(['id', 'created_at'])
      .executeTakeFirstOrThrow()
    await mailInvitation(deps, tx, { workspace, invited_by: user_id, person, invitation, link })
    await audit(tx, caller, 'invitation.created', id, { after: { email, role: input.role } })
    await assertWithinLimit(tx, teamMembers, { workspace_id, now })
    return { ...invitation, id, created_at, state: 'pending' as const, url: link.url }
  })

/** Invalidates the link. Repeating it changes nothing. */
export const revokeInvitation = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockWorkspaceAs(tx, caller, 'admin')
    const { state, email, role } = await lockInvitation({ tx, now }, caller, id)
    if (state === 'revoked') return
    if (state === 'accepted') throw invalidTransition(state, 'revoke an invitation')
    await tx.updateTable('invitation').set({ state: 'revoked', updated_at: now }).where('id', '=', id).execute()
    await audit(tx, caller, 'invitation.revoked', id, { before: { state, email, role } })
  })

/** Mails and returns a new link, and invalidates the previous one. */
export const resendInvitation = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const { workspace_id, user_id } = caller
    const { workspace, own } = await lockWorkspaceAs(tx, caller, 'admin')
    const before = await lockInvitation({ tx, now }, caller, id)
    checkGrant(own, before.role)
    if (before.state !== 'pending' && before.state !== 'expired')
      throw invalidTransition(before.state, 'resend an invitation')
    const person = await findPerson(tx, before.email)
    await refuseMember(tx, workspace_id, person?.id)
    if (before.state === 'expired') await assertPendingQuota(tx, workspace_id, now)
    const link = newLink(deps.baseUrl, now)
    const { hashed_token, expires_at } = link
    await tx
      .updateTable('invitation')
      .set({ hashed_token, expires_at, invited_by: user_id, updated_at: now })
      .where('id', '=', id)
      .execute()
    await mailInvitation(deps, tx, { workspace, invited_by: user_id, person, invitation: before, link })
    await audit(tx, caller, 'invitation.resent', id, {
      before: { expires_at: before.expires_at },
      after: { expires_at, email: before.email, role: before.role },
    })
    if (before.state === 'expired') await assertWithinLimit(tx, teamMembers, { workspace_id, now })
    return { ...before, expires_at, invited_by: user_id, state: 'pending' as const, url: link.url }
  })

export async function previewInvitation({ db, clock }: Deps, token: string) {
  const preview = await db
    .selectFrom('invitation')
    .innerJoin('workspace', 'workspace.id', 'invitation.workspace_id')
    .leftJoin('user', 'user.id', 'invitation.invited_by')
    .select([
      'workspace.name as workspace_name',
      'user.name as inviter_name',
      'invitation.email',
      'invitation.role',
      stateAt(clock.now()).as('state'),
      'invitation.expires_at',
    ])
    .where('invitation.hashed_token', '=', sha256(token))
    .where('workspace.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!preview) throw notFound()
  return preview
}

/** Makes the user with the invited, verified address a member. Works once. */
export const acceptInvitation = ({ db, clock }: Deps, caller: User, token: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const hashed_token = sha256(token)
    const { user_id } = caller
    const row = await tx
      .selectFrom('invitation')
      .select('workspace_id')
      .where('hashed_token', '=', hashed_token)
      .executeTakeFirst()
    if (!row) throw notFound()
    const { workspace_id } = row
    await lockWorkspace(tx, workspace_id)
    const invitation = await selectInvitations(tx, now)
      .where('invitation.hashed_token', '=', hashed_token)
      .forUpdate()
      .executeTakeFirst()
    if (!invitation) throw notFound()
    // A concurrent deletion of the user ends before this lock, or waits for this transaction.
    const person = await tx
      .selectFrom('user')
      .select(['email', 'email_verified'])
      .where('id', '=', user_id)
      .forKeyShare()
      .executeTakeFirst()
    if (!person) throw problem('unauthenticated')
    if (!person.email_verified || person.email.toLowerCase() !== invitation.email)
      throw problem('forbidden_role', {
        detail: 'This invitation is for another e-mail address. Sign in with the address that it was sent to.',
      })
    if (invitation.state !== 'pending') throw invalidTransition(invitation.state, 'accept an invitation')
    await refuseMember(tx, workspace_id, user_id)
    await tx
      .insertInto('workspace_member')
      .values({ workspace_id, user_id, role: invitation.role, created_at: now })
      .execute()
    await tx
      .updateTable('invitation')
      .set({ state: 'accepted', accepted_by: user_id, updated_at: now })
      .where('id', '=', invitation.id)
      .execute()
    const member = await readMember(tx, { workspace_id }, user_id)
    const accepted = { ...invitation, state: 'accepted' as const }
    const inviter = (await personById(tx, invitation.invited_by)) ?? null
    await emit(
      tx,
      invitationEvents['team.invitation.accepted'],
      workspace_id,
      { invitation: accepted, inviter, member },
      now,
    )
    await audit(tx, { ...caller, workspace_id }, 'invitation.accepted', invitation.id, {
      before: { state: 'pending' },
      after: { state: 'accepted', role: invitation.role },
    })
    // There was room when the invitation was sent, but the plan's limit may be lower now.
    await assertWithinLimit(tx, joinedMembers, { workspace_id, now })
    return readWorkspace(tx, { workspace_id, user_id })
  })
