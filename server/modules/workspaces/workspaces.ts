import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound } from '../../errors.ts'
import type { Member, User } from '../../lib/access.ts'
import { type Actor, audit } from '../../lib/audit.ts'
import { compiledOnce, type Db, inTransaction, type Tx } from '../../lib/database.ts'
import { locks } from '../../lib/locks.ts'
import { checkLocale, checkTimeZone } from '../auth/auth.ts'
import type { ChangeWorkspace, NewWorkspace } from './workspaces.schema.ts'

/** Slugs that would be mistaken for parts of addresses. */
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

export const readMembership = compiledOnce((db, input: { user_id: string; workspace: string }) =>
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
    ),
)

/** The membership of a user who has only one; undefined for none and for several. */
export async function readOnlyMembership(db: Db, user_id: string) {
  const rows = await db
    .selectFrom('workspace_member')
    .select(['workspace_id', 'role'])
    .where('user_id', '=', user_id)
    .limit(2)
    .execute()
  return rows.length === 1 ? rows[0] : undefined
}

const workspacesOf = (db: Db, user_id: string) =>
  db
    .selectFrom('workspace')
    .innerJoin('workspace_member', 'workspace_member.workspace_id', 'workspace.id')
    .selectAll('workspace')
    .select('workspace_member.role')
    .where('workspace_member.user_id', '=', user_id)

/** A token that is bound to a workspace sees that one only. */
export function listWorkspaces(db: Db, { user_id, token }: User) {
  const all = workspacesOf(db, user_id)
  return token?.membership ? all.where('workspace.id', '=', token.membership.workspace_id) : all
}

export async function readWorkspace(db: Db, caller: { user_id: string; workspace_id: string }) {
  const found = await workspacesOf(db, caller.user_id)
    .where('workspace.id', '=', caller.workspace_id)
    .executeTakeFirst()
  if (!found) throw notFound()
  return found
}

function checkSlug(slug: string) {
  if (reserved.includes(slug)) throw invalid('/slug', 'This slug is reserved.')
  if (uuidShape.test(slug)) throw invalid('/slug', 'A slug must not look like an id.')
}

const turkish: Record<string, string> = { ı: 'i', ş: 's', ğ: 'g', ç: 'c', ö: 'o', ü: 'u' }

/** A slug made from a name: letters without their marks, everything else a hyphen. */
function slugFrom(name: string) {
  const slug = name
    .toLowerCase()
    .replace(/[ışğçöü]/g, (letter) => turkish[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 35)
    .replace(/^-+|-+$/g, '')
  return slug.length < 2 || reserved.includes(slug) || uuidShape.test(slug)
    ? `workspace-${slug}`.replace(/-$/, '')
    : slug
}

/** The slug itself when it is free, else with the first free number behind it: -2, -3 … */
async function freeSlug(tx: Tx, slug: string) {
  const { rows } = await sql<{ free: string }>`
    select candidate as free from (
      select case when n = 1 then ${slug}::text else ${slug}::text || '-' || n end as candidate, n
      from generate_series(1, 1000) n
    ) candidates
    where not exists (select from workspace where workspace.slug = candidate) order by n limit 1`.execute(tx)
  return rows[0]?.free ?? `${slug.slice(0, 30)}-${randomBytes(4).toString('hex')}`
}

export const createWorkspace = (
  db: Db,
  caller: Actor & { user_id: string },
  { name, slug, locale, timezone }: Static<typeof NewWorkspace>,
) =>
  inTransaction(db, async (tx) => {
    if (timezone) checkTimeZone(timezone)
    if (slug) checkSlug(slug)
    else {
      // Two workspaces of one name at once would choose the same free slug; the one that waits sees the other's.
      await sql`select pg_advisory_xact_lock(${locks.freeSlug})`.execute(tx)
    }
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
      name,
      slug: workspace.slug,
    })
    return { ...workspace, role: 'owner' as const }
  })

export const changeWorkspace = (db: Db, caller: Member, input: Static<typeof ChangeWorkspace>) =>
  inTransaction(db, async (tx) => {
    if (input.slug) checkSlug(input.slug)
    if (input.timezone) checkTimeZone(input.timezone)
    const { billing_address, name, locale, ...rest } = input
    const before = await tx
      .selectFrom('workspace')
      .selectAll()
      .where('id', '=', caller.workspace_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('workspace')
      .set({
        ...rest,
        ...(locale && { locale: checkLocale(locale) }),
        ...(name !== undefined && { name: name.trim() }),
        ...(billing_address !== undefined && { billing_address: billing_address && JSON.stringify(billing_address) }),
        updated_at: sql`now()`,
      })
      .where('id', '=', caller.workspace_id)
      .execute()
    const changed = Object.keys(input) as (keyof typeof input)[]
    await audit(tx, caller, 'workspace.updated', caller.workspace_id, {
      before: Object.fromEntries(changed.map((field) => [field, before[field]])),
      after: input,
    })
    return readWorkspace(tx, caller)
  })
