import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, limitExceeded, notFound, problem } from '../../errors.ts'
import { type Actor, audit, changedFields } from '../../lib/db/audit.ts'
import { type Db, inTransaction, prepared, type Tx } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member, User } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import { toSlug } from '../../lib/text.ts'
import { checkLocale, checkTimeZone } from '../auth/locale.ts'
import { planCode } from '../usage/plan-in-force.ts'
import { checkHolidayCountry } from './holidays.ts'
import { lockWorkspaceAs } from './members/members.ts'
import { checkTaxId } from './tax-ids.ts'
import { type BillingAddress, type ChangeWorkspace, type NewWorkspace, workspaceColors } from './workspaces.schema.ts'

/** Slugs that could be confused with parts of addresses. */
const reserved = [
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'docs',
  'healthz',
  'me',
  'new',
  'public',
  'readyz',
  'setup',
  'www',
]
const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const readMembership = prepared((db, input: { user_id: string; workspace: string }) =>
  db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
    .select(['workspace_id', 'role'])
    .where('user_id', '=', input.user_id)
    .where((where) =>
      where.or([
        where(sql`workspace.id::text`, '=', sql`lower(${input.workspace})`),
        where('workspace.slug', '=', input.workspace),
      ]),
    )
    .where('workspace.deleted_at', 'is', null),
)

/** The membership of a user who has only one; undefined for no or several memberships. */
export async function readOnlyMembership(db: Db, user_id: string) {
  const rows = await db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
    .select(['workspace_id', 'role'])
    .where('user_id', '=', user_id)
    .where('workspace.deleted_at', 'is', null)
    .limit(2)
    .execute()
  return rows.length === 1 ? rows[0] : undefined
}

/** The color that was chosen, otherwise one that follows from the random end of the id, so that workspaces differ. */
const color = sql<(typeof workspaceColors)[number]>`coalesce(workspace.color::text,
  (${[...workspaceColors]}::text[])[1 + get_byte(uuid_send(workspace.id), 15) % ${workspaceColors.length}])`

const pictureUrl = sql<string | null>`(select '/api/v1/media/' || id || '/thumbnail' from media
  where id = workspace.picture_id and workspace_id = workspace.id and deleted_at is null and thumbnail_bytes is not null)`

const workspacesOf = (db: Db, user_id: string) =>
  db
    .selectFrom('workspace')
    .innerJoin('workspace_member', 'workspace_member.workspace_id', 'workspace.id')
    .selectAll('workspace')
    .select(['workspace_member.role', planCode.as('plan_code'), color.as('color'), pictureUrl.as('picture_url')])
    .where('workspace_member.user_id', '=', user_id)
    .where('workspace.deleted_at', 'is', null)

/** A token bound to a workspace sees only that one. */
export function listWorkspaces(db: Db, { user_id, token }: User) {
  const all = workspacesOf(db, user_id)
  return token?.membership ? all.where('workspace.id', '=', token.membership.workspace_id) : all
}

export async function readWorkspace(db: Db, caller: { user_id: string; workspace_id: string }) {
  const workspace = await workspacesOf(db, caller.user_id)
    .where('workspace.id', '=', caller.workspace_id)
    .executeTakeFirst()
  if (!workspace) throw notFound()
  return workspace
}

function checkSlug(slug: string) {
  if (reserved.includes(slug)) throw invalid('/slug', 'This slug is reserved.')
  if (uuidShape.test(slug)) throw invalid('/slug', 'A slug must not look like an id.')
}

function slugFrom(name: string) {
  const slug = toSlug(name, 35)
  return slug.length < 2 || reserved.includes(slug) || uuidShape.test(slug)
    ? `workspace-${slug}`.replace(/-$/, '')
    : slug
}

/** The slug itself if it is free, otherwise with the first free number appended: -2, -3 … */
async function freeSlug(tx: Tx, slug: string) {
  const { rows } = await sql<{ free: string }>`
    select candidate as free from (
      select case when n = 1 then ${slug}::text else ${slug}::text || '-' || n end as candidate, n
      from generate_series(1, 1000) n
    ) candidates
    where not exists (select from workspace where workspace.slug = candidate) order by n limit 1`.execute(tx)
  return rows[0]?.free ?? `${slug.slice(0, 30)}-${randomBytes(4).toString('hex')}`
}

/** Maximum workspaces per owner. Deleted ones count: they keep their names until they are erased. */
const MAX_OWNED = 100

async function assertOwnedQuota(tx: Tx, user_id: string) {
  // Without the lock, simultaneous creations would not count each other. References to the user are not blocked.
  const user = await tx.selectFrom('user').select('id').where('id', '=', user_id).forNoKeyUpdate().executeTakeFirst()
  if (!user) throw problem('unauthenticated')
  const { used } = await tx
    .selectFrom('workspace_member')
    .select(sql<number>`count(*)::int`.as('used'))
    .where('user_id', '=', user_id)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  if (used >= MAX_OWNED)
    throw limitExceeded('workspaces', MAX_OWNED, used, `You can own at most ${MAX_OWNED} workspaces; you own ${used}.`)
}

export const createWorkspace = (
  db: Db,
  caller: Actor & { user_id: string },
  { name, slug, locale, timezone }: Static<typeof NewWorkspace>,
) =>
  inTransaction(db, async (tx) => {
    if (timezone) checkTimeZone(timezone)
    if (slug) checkSlug(slug)
    await assertOwnedQuota(tx, caller.user_id)
    // Two simultaneous workspaces of one name would choose the same free slug. With the lock the second sees the first.
    if (!slug) await sql`select pg_advisory_xact_lock(${locks.freeSlug})`.execute(tx)
    const workspace = await tx
      .insertInto('workspace')
      .values({
        name: name.trim(),
        slug: slug ?? (await freeSlug(tx, slugFrom(name))),
        ...(locale && { locale: checkLocale(locale) }),
        ...(timezone && { timezone }),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('workspace_member')
      .values({ workspace_id: workspace.id, user_id: caller.user_id, role: 'owner' })
      .execute()
    await audit(tx, { ...caller, workspace_id: workspace.id }, 'workspace.created', workspace.id, {
      after: { name: workspace.name, slug: workspace.slug },
    })
    return readWorkspace(tx, { user_id: caller.user_id, workspace_id: workspace.id })
  })

/** Trims the lines and drops blank ones; null when no line is left. */
function cleanAddress(address: Static<typeof BillingAddress> | null) {
  const lines = Object.entries(address ?? {})
    .map(([field, line]) => [field, line.trim()])
    .filter(([, line]) => line !== '')
  return lines.length ? JSON.stringify(Object.fromEntries(lines)) : null
}

async function checkPicture(tx: Tx, workspace_id: string, id: string) {
  const file = await tx
    .selectFrom('media')
    .select('thumbnail_bytes')
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!file) throw invalid('/picture_id', { en: 'This file does not exist.', tr: 'Bu dosya yok.' })
  if (file.thumbnail_bytes === null)
    throw invalid('/picture_id', { en: 'This file has no thumbnail.', tr: 'Bu dosyanın küçük resmi yok.' })
}

export async function changeWorkspace(
  { db, invalidationBus }: Deps,
  caller: Member,
  { billing_address, name, locale, ...rest }: Static<typeof ChangeWorkspace>,
  ifMatch: IfMatch,
) {
  if (billing_address) await checkTaxId(billing_address)
  return inTransaction(db, async (tx) => {
    if (rest.slug) checkSlug(rest.slug)
    if (rest.timezone) checkTimeZone(rest.timezone)
    if (rest.holiday_country) checkHolidayCountry(rest.holiday_country)
    const change = {
      ...rest,
      ...(locale !== undefined && { locale: checkLocale(locale) }),
      ...(name !== undefined && { name: name.trim() }),
      ...(billing_address !== undefined && { billing_address: cleanAddress(billing_address) }),
    }
    const { workspace: before } = await lockWorkspaceAs(tx, caller, 'admin')
    ifMatch(before.version)
    if (rest.picture_id) await checkPicture(tx, caller.workspace_id, rest.picture_id)
    await tx
      .updateTable('workspace')
      .set({ ...change, updated_at: sql`now()` })
      .where('id', '=', caller.workspace_id)
      .execute()
    const after = await readWorkspace(tx, caller)
    // Memberships are cached by the slug that a call names.
    if (after.slug !== before.slug) await invalidationBus.invalidate(tx, 'access')
    const details = changedFields(before, after, Object.keys(change))
    await audit(tx, caller, 'workspace.updated', caller.workspace_id, details)
    return after
  })
}

/** For repeated calls that return a workspace: it may be deleted by now, or the caller no longer a member. */
export const recheckWorkspace = (db: Db, { user_id }: { user_id: string }, { id }: { id: string }) =>
  readWorkspace(db, { user_id, workspace_id: id })

/** Moves a workspace to a plan; null: to the default one. What depends on the plan changes in the same transaction. */
export async function setPlan(
  deps: Pick<Deps, 'clock' | 'invalidationBus' | 'lifecycle'>,
  tx: Tx,
  workspace_id: string,
  plan_code: string | null,
) {
  const changed = await tx
    .updateTable('workspace')
    .set({ plan_code })
    .where('id', '=', workspace_id)
    .where('plan_code', 'is distinct from', plan_code)
    .returning('id')
    .executeTakeFirst()
  if (!changed) return
  await deps.invalidationBus.invalidate(tx, 'plans')
  for (const step of deps.lifecycle.onPlanChanged) await step(tx, workspace_id, deps.clock.now())
}
