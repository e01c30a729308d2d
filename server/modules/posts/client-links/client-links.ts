import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { invalid, limitExceeded, notFound, problem } from '../../../errors.ts'
import { seal } from '../../../lib/crypto/crypto.ts'
import { hashSecret } from '../../../lib/crypto/hashed-secrets.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { codeOf } from '../../../lib/error-code.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { type Complete, nothingToKeep } from '../../../lib/http/idempotency.ts'
import { atLeast, type Role } from '../../../lib/http/roles.ts'
import { parseDay } from '../../../lib/http/schema/day.ts'
import { distinctLabels } from '../../../lib/text.ts'
import { lockAccounts } from '../../accounts/accounts.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { checkTimeZone } from '../../auth/locale.ts'
import { hashPassword } from '../../auth/sign-in/passwords.ts'
import { isValid } from '../approval/client-link-scope.ts'
import { clientLinkEvents } from './client-links.events.ts'
import type { ClientLinkPassword, NewClientLink } from './client-links.schema.ts'
import { findStop, hashAddress } from './client-unsubscribe.ts'

const MAX_VALID = 100
const MAX_SPAN_DAYS = 366

const stateAt = (now: Date) =>
  sql<'valid' | 'expired' | 'revoked'>`case when client_link.revoked_at is not null then 'revoked'
    when client_link.expires_at <= ${now} then 'expired' else 'valid' end`

export const listClientLinks = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace_id }: Pick<Member, 'workspace_id'>,
) =>
  db
    .selectFrom('client_link')
    .select(['id', 'name', 'timezone', 'account_ids', 'labels', 'may_decide', 'created_by'])
    .select(['expires_at', 'revoked_at', 'opened_at', 'created_at'])
    .select(['client_email', 'locale', 'mails_stopped_at'])
    .select([sql<string>`starts_on::text`.as('starts_on'), sql<string>`ends_on::text`.as('ends_on')])
    // A node of a former version did not count.
    .select(sql<number>`case when opened_at is null then 0 else greatest(opened_count, 1) end`.as('opened_count'))
    .select(sql<boolean>`hashed_password is not null`.as('has_password'))
    .select(stateAt(clock.now()).as('state'))
    .where('workspace_id', '=', workspace_id)

export async function readClientLink(deps: Pick<Deps, 'db' | 'clock'>, caller: Member, id: string) {
  const link = await listClientLinks(deps, caller).where('client_link.id', '=', id).executeTakeFirst()
  if (!link) throw notFound()
  return link
}

const withoutAddress = ({ client_email: _, ...link }: Awaited<ReturnType<typeof readClientLink>>) => link

function checkSpan({ starts_on, ends_on }: Static<typeof NewClientLink>) {
  const [start, end] = [parseDay('/starts_on', starts_on), parseDay('/ends_on', ends_on)]
  if (end < start) throw invalid('/ends_on', { en: 'This is before the first day.', tr: 'Bu, ilk günden önce.' })
  if (end - start > MAX_SPAN_DAYS * DAY)
    throw invalid('/ends_on', {
      en: `A link covers at most ${MAX_SPAN_DAYS} days.`,
      tr: `Bir bağlantı en çok ${MAX_SPAN_DAYS} günü kapsar.`,
    })
}

/** Also asks PostgreSQL, which finds the days of posts. */
async function checkZone(tx: Tx, timezone: string) {
  checkTimeZone(timezone)
  await sql`select now() at time zone ${timezone}`.execute(tx).catch((error: unknown) => {
    if (codeOf(error) !== '22023') throw error
    throw invalid('/timezone', 'This is not a known time zone.')
  })
}

async function localeOf(tx: Tx, user_id: string) {
  const user = await tx.selectFrom('user').select('locale').where('id', '=', user_id).executeTakeFirst()
  return user?.locale ?? 'en'
}

/** Creates a link. Its secret is returned once and only its hash is stored. */
export async function createClientLink(
  deps: Deps,
  caller: Member,
  input: Static<typeof NewClientLink>,
  complete: Complete = nothingToKeep,
) {
  const hashed_password = await hashOf(deps, input.password)
  return inTransaction(deps.db, async (tx) => {
    const { workspace_id, user_id } = caller
    const now = deps.clock.now()
    checkSpan(input)
    const account_ids = (input.account_ids ?? []).map((id) => id.toLowerCase())
    await lockAccounts(tx, workspace_id, account_ids)
    // The lock keeps concurrent calls from exceeding the limit.
    const { timezone } = await tx
      .selectFrom('workspace')
      .select('timezone')
      .where('id', '=', workspace_id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    await checkZone(tx, input.timezone ?? timezone)
    const { count } = await tx
      .selectFrom('client_link')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('workspace_id', '=', workspace_id)
      .where(isValid(now))
      .executeTakeFirstOrThrow()
    if (count >= MAX_VALID)
      throw limitExceeded('client_links', MAX_VALID, count, `A workspace can have at most ${MAX_VALID} valid links.`)
    const id = await newId(tx)
    const secret = randomBytes(32).toString('base64url')
    await tx
      .insertInto('client_link')
      .values({
        ...{ id, workspace_id, created_by: user_id, account_ids, created_at: now },
        name: input.name.trim(),
        hashed_secret: hashSecret(deps.keyring, 'client_link', secret),
        starts_on: input.starts_on,
        ends_on: input.ends_on,
        timezone: input.timezone ?? timezone,
        labels: distinctLabels(input.labels ?? []),
        may_decide: input.may_decide ?? true,
        hashed_password,
        ...(input.client_email && {
          client_email: input.client_email,
          client_email_hash: hashAddress(deps, input.client_email),
          mails_stopped_at: await findStop(tx, deps, { workspace_id, email: input.client_email }),
          locale: input.locale ?? (await localeOf(tx, user_id)),
          sealed_secret: seal(deps.keyring, secret, `client_link|${id}|sealed_secret`),
        }),
        expires_at: new Date(now.getTime() + (input.expires_in_days ?? 30) * DAY),
      })
      .execute()
    const link = await readClientLink({ ...deps, db: tx }, caller, id)
    await emit(
      tx,
      clientLinkEvents['client_link.created'],
      workspace_id,
      { client_link: withoutAddress(link), by: doneBy(caller) },
      now,
    )
    await audit(tx, caller, 'client_link.created', id, {
      after: { name: link.name, starts_on: link.starts_on, ends_on: link.ends_on, account_ids, labels: link.labels },
    })
    const created = { ...link, url: `${deps.baseUrl}/review/${id}#${secret}` }
    await complete(tx, created)
    return created
  })
}

const hashOf = ({ auth }: Deps, password: string | null | undefined) =>
  typeof password === 'string' ? hashPassword(auth, password) : null

/** Sets or removes the password of a link. Ends its sessions, which the former password opened. */
export async function setClientLinkPassword(
  deps: Deps,
  caller: Member,
  id: string,
  { password }: Static<typeof ClientLinkPassword>,
) {
  const former = await readClientLink(deps, caller, id)
  if (password === undefined || (password === null && !former.has_password)) return former
  const hashed_password = await hashOf(deps, password)
  return inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const { numUpdatedRows } = await tx
      .updateTable('client_link')
      .set({ hashed_password })
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .where(isValid(now))
      .executeTakeFirst()
    const within = { ...deps, db: tx }
    const link = await readClientLink(within, caller, id)
    if (numUpdatedRows === 0n) throw problem('invalid_transition', { extra: { state: link.state } })
    await tx.deleteFrom('client_link_session').where('client_link_id', '=', id).execute()
    const action = hashed_password === null ? 'client_link.password_removed' : 'client_link.password_set'
    await audit(tx, caller, action, id, { name: link.name })
    return link
  })
}

/** Revokes the valid links that a member created: whoever has the address of one sees and decides. */
export async function revokeLinksOfMember(deps: Deps, tx: Tx, caller: Member, user_id: string) {
  const links = await tx
    .selectFrom('client_link')
    .select('id')
    .where('workspace_id', '=', caller.workspace_id)
    .where('created_by', '=', user_id)
    .where(isValid(deps.clock.now()))
    .execute()
  for (const { id } of links) await revokeClientLink({ ...deps, db: tx }, caller, id)
}

/** Revokes the valid links of a member who may no longer create any. */
export const revokeLinksBelowEditor = async (deps: Deps, tx: Tx, caller: Member, user_id: string, role: Role) =>
  atLeast(role, 'editor') ? undefined : revokeLinksOfMember(deps, tx, caller, user_id)

/** Ends a link and its sessions at once. Decisions made through it stay. Repeating it changes nothing. */
export const revokeClientLink = (deps: Pick<Deps, 'db' | 'clock'>, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const before = await tx
      .selectFrom('client_link')
      .select('revoked_at')
      .where('id', '=', id)
      .where('workspace_id', '=', caller.workspace_id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound()
    const within = { ...deps, db: tx }
    if (before.revoked_at) return readClientLink(within, caller, id)
    await tx
      .updateTable('client_link')
      .set({ revoked_at: now, client_email: null, sealed_secret: null, hashed_password: null })
      .where('id', '=', id)
      .execute()
    await tx.deleteFrom('client_link_session').where('client_link_id', '=', id).execute()
    const link = await readClientLink(within, caller, id)
    const data = { client_link: withoutAddress(link), by: doneBy(caller) }
    await emit(tx, clientLinkEvents['client_link.revoked'], caller.workspace_id, data, now)
    await audit(tx, caller, 'client_link.revoked', id, { before: { name: link.name } })
    return link
  })
