import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { notFound, problem } from '../../../errors.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { matchesSecret } from '../../../lib/crypto/hashed-secrets.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Origin } from '../../../lib/http/access.ts'
import { matchesPassword } from '../../auth/sign-in/passwords.ts'
import { isValid } from '../approval/client-link-scope.ts'

const COOKIE = 'meydan.review'
/** Sessions of one link. A further one ends the oldest. */
const MAX_SESSIONS = 200

/** Links that can be used. All others get the response of an unknown one. */
export const validLinks = (db: Db, id: string, now: Date) =>
  db
    .selectFrom('client_link')
    .innerJoin('workspace', 'workspace.id', 'client_link.workspace_id')
    .select(['client_link.id', 'client_link.workspace_id', 'client_link.name', 'client_link.hashed_secret'])
    .select(['client_link.hashed_password', 'client_link.client_email', 'client_link.mails_stopped_at'])
    .select(['client_link.timezone', 'client_link.may_decide', 'client_link.expires_at', 'client_link.created_by'])
    .select([
      sql<string>`client_link.starts_on::text`.as('starts_on'),
      sql<string>`client_link.ends_on::text`.as('ends_on'),
      'workspace.name as workspace_name',
      sql<string | null>`(select id from media where id = workspace.picture_id and deleted_at is null
        and thumbnail_bytes is not null)`.as('picture_id'),
    ])
    .where('client_link.id', '=', id)
    .where('workspace.deleted_at', 'is', null)
    .where(isValid(now))

type Opening = Pick<Deps, 'db' | 'clock' | 'keyring'>

export type OpenLink = NonNullable<Awaited<ReturnType<typeof findLinkOfSession>>>

/** A link that is revoked at the same time changes nothing after that. */
export async function lockLink(tx: Tx, { id }: OpenLink, now: Date) {
  const link = await tx
    .selectFrom('client_link')
    .select('id')
    .where('id', '=', id)
    .where(isValid(now))
    .forShare()
    .executeTakeFirst()
  if (!link) throw notFound()
}

/** Returns the hash of the link's password. 404 for a wrong secret, and for an unknown, expired or revoked link. */
export async function checkSecret({ db, clock, keyring }: Opening, id: string, secret: string) {
  const link = await validLinks(db, id, clock.now()).executeTakeFirst()
  if (!link || !matchesSecret(keyring, link.hashed_secret, secret)) throw notFound()
  return link.hashed_password
}

export async function checkLinkPassword({ auth }: Pick<Deps, 'auth'>, hash: string, password: string) {
  if (!(await matchesPassword(auth, hash, password))) throw problem('password_wrong')
}

/** Counts an opening of a link. Keeps neither an address nor the browser. */
export const countOpening = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string) =>
  db
    .updateTable('client_link')
    .set({ opened_at: clock.now(), opened_count: sql<number>`opened_count + 1` })
    .where('id', '=', id)
    .execute()

/** Begins a session of a link whose password was checked against a hash. Returns the header that sets its cookie, for the paths of this link. */
export const openClientLink = (
  { db, clock, baseUrl }: Pick<Deps, 'db' | 'clock' | 'baseUrl'>,
  origin: Origin,
  id: string,
  hash: string | null,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const link = await validLinks(tx, id, now).forUpdate('client_link').executeTakeFirst()
    if (!link) throw notFound()
    // The password was changed or set since it was checked.
    if (link.hashed_password !== null && link.hashed_password !== hash) throw problem('password_required')
    const token = randomBytes(32).toString('base64url')
    await tx
      .insertInto('client_link_session')
      .values({ client_link_id: id, hashed_token: sha256(token), created_at: now })
      .execute()
    await tx
      .deleteFrom('client_link_session')
      .where('id', 'in', (of) =>
        of
          .selectFrom('client_link_session')
          .select('id')
          .where('client_link_id', '=', id)
          .orderBy('id', 'desc')
          .offset(MAX_SESSIONS),
      )
      .execute()
    await countOpening({ db: tx, clock }, id)
    const actor = { ...origin, user_id: null, workspace_id: link.workspace_id, client_link_id: id }
    await audit(tx, actor, 'client_link.opened', id, { name: link.name })
    const seconds = Math.floor((link.expires_at.getTime() - now.getTime()) / 1000)
    const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
    return `${COOKIE}=${token}; Path=/api/v1/review/${id}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  })

/** The link of the session in the cookies of a call. Asked at each call, so that a revoked link ends at once. */
export async function findLinkOfSession(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  cookies: string | undefined,
  id: string,
) {
  const token = /(?:^|;\s*)meydan\.review=([\w-]{43})(?:;|$)/.exec(cookies ?? '')?.[1]
  if (!token) return
  return validLinks(db, id, clock.now())
    .innerJoin('client_link_session', 'client_link_session.client_link_id', 'client_link.id')
    .where('client_link_session.hashed_token', '=', sha256(token))
    .executeTakeFirst()
}
