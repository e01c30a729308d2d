import { type ExpressionBuilder, sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { seal, unseal } from '../../../lib/crypto/crypto.ts'
import { type Db, newId, type Tx } from '../../../lib/db/database.ts'
import type { DB } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { AuthorizationServer } from '../../networks/oauth/provider.ts'
import type { Tokens } from '../../networks/oauth/tokens.ts'

/** Tokens with the id of the client that they belong to. */
type Secrets = { tokens: Tokens; client_id: string }

/** Time before the end of a sign-in that the network does not renew from which somebody is asked to sign in again. */
export const ENDS_SOON_MS = 10 * DAY

const contextOf = (id: string) => `oauth_grant|${id}|tokens`

const canRenew = ({ renewal }: AuthorizationServer, { refresh_token, expires_in }: Tokens) =>
  expires_in !== null && (renewal.kind === 'exchange' || (renewal.kind === 'refresh_token' && refresh_token !== null))

/** Share of its lifetime after which a token is renewed. Random, so that accounts connected together renew apart. */
const renewalShare = () => 0.45 + Math.random() * 0.1

/** Seconds until tokens are renewed by the job. Calls renew tokens that have ended. */
const secondsToRenewal = ({ renewal }: AuthorizationServer, expires_in: number) =>
  Math.max(expires_in, renewal.kind === 'refresh_token' ? (renewal.idle_s ?? 0) : 0) * renewalShare()

/** Columns of tokens that were issued at `now`. */
function columnsOf(keyring: Deps['keyring'], id: string, provider: AuthorizationServer, secrets: Secrets, now: Date) {
  const { expires_in } = secrets.tokens
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  return {
    tokens: seal(keyring, JSON.stringify(secrets), contextOf(id)),
    expires_at: expires_in === null ? null : after(expires_in),
    renew_at:
      expires_in !== null && canRenew(provider, secrets.tokens) ? after(secondsToRenewal(provider, expires_in)) : null,
  }
}

type NewGrant = Secrets & {
  workspace_id: string
  network: string
  /** Origin of the server; null for a network with one server. */
  server: string | null
  provider: AuthorizationServer
  external_user_id: string | null
  now: Date
}

/** Stores the tokens of a sign-in. Returns the id of the grant. */
export async function createGrant(
  tx: Tx,
  { keyring }: Pick<Deps, 'keyring'>,
  { workspace_id, network, server, provider, external_user_id, now, ...secrets }: NewGrant,
) {
  const id = await newId(tx)
  await tx
    .insertInto('oauth_grant')
    .values({
      ...{ id, workspace_id, network, server, external_user_id, created_at: now },
      ...columnsOf(keyring, id, provider, secrets, now),
    })
    .execute()
  return id
}

const grants = (db: Db) =>
  db
    .selectFrom('oauth_grant')
    .select([
      'oauth_grant.id',
      'oauth_grant.workspace_id',
      'oauth_grant.network',
      'oauth_grant.server',
      'tokens',
      'renewals',
      'expires_at',
      'renew_at',
      'ended_at',
    ])
    .select(['leased_until', 'external_user_id', 'released_at'])

export type Grant = Awaited<ReturnType<ReturnType<typeof grants>['executeTakeFirstOrThrow']>>

export const readGrantOf = (db: Db, account_id: string) =>
  grants(db)
    .innerJoin('account', 'account.grant_id', 'oauth_grant.id')
    .where('account.id', '=', account_id)
    .executeTakeFirst()

/** `workspace_id`: the only one that is meant; null for all. */
type PersonAtNetworks = {
  networks: readonly string[]
  workspace_id: string | null
  external_user_id: string
  issued_at: Date
}

/**
 * The grants of a person that were made until `issued_at`, ended ones included. Some networks name the person by the id
 * of their account.
 */
export const readGrantsOfPerson = (db: Db, { networks, workspace_id, external_user_id, issued_at }: PersonAtNetworks) =>
  grants(db)
    .where('oauth_grant.network', 'in', networks)
    .$if(workspace_id !== null, (query) => query.where('oauth_grant.workspace_id', '=', workspace_id))
    .where('oauth_grant.created_at', '<=', issued_at)
    .where('released_at', 'is', null)
    .where((where) =>
      where.or([
        where('external_user_id', '=', external_user_id),
        where.exists(
          where
            .selectFrom('account')
            .select('account.id')
            .whereRef('account.grant_id', '=', 'oauth_grant.id')
            .whereRef('account.network', '=', 'oauth_grant.network')
            .where('account.external_id', '=', external_user_id),
        ),
      ]),
    )
    .orderBy('oauth_grant.id')
    .execute()

export const readGrant = (db: Db, id: string) => grants(db).where('oauth_grant.id', '=', id).executeTakeFirst()

/** Opens the tokens of a grant. Undefined if the key ring has lost their key. */
export function openTokens(
  { keyring, log }: Pick<Deps, 'keyring' | 'log'>,
  { id, tokens }: Pick<Grant, 'id' | 'tokens'>,
): Secrets | undefined {
  try {
    return JSON.parse(unseal(keyring, tokens, contextOf(id)))
  } catch (err) {
    log.error({ err, grant_id: id }, 'the tokens of a grant cannot be decrypted')
    return
  }
}

/** Lets one node renew the tokens until `until`. False if another one does, or has done since they were read. */
export async function takeLease(db: Db, { id, renewals }: Grant, now: Date, until: Date) {
  const { numUpdatedRows } = await db
    .updateTable('oauth_grant')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('renewals', '=', renewals)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', now)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores renewed tokens, unless others were stored since the renewal began. */
export async function keepTokens(
  { db, keyring }: Pick<Deps, 'db' | 'keyring'>,
  { id, renewals }: Grant,
  provider: AuthorizationServer,
  secrets: Secrets,
  now: Date,
) {
  await db
    .updateTable('oauth_grant')
    .set({ ...columnsOf(keyring, id, provider, secrets, now), renewals: renewals + 1, leased_until: null })
    .where('id', '=', id)
    .where('renewals', '=', renewals)
    .execute()
}

/** Puts off the next renewal. */
export const postponeRenewal = (db: Db, { id, renewals }: Grant, until: Date) =>
  db
    .updateTable('oauth_grant')
    .set({ leased_until: null, renew_at: until })
    .where('id', '=', id)
    .where('renewals', '=', renewals)
    .execute()

/** Marks a grant whose tokens no longer count. Returns false if they were renewed since they were read. */
export async function endGrant(tx: Tx, { id, renewals }: Pick<Grant, 'id' | 'renewals'>, now: Date) {
  const ended = await tx
    .updateTable('oauth_grant')
    .set({ ended_at: now, leased_until: null })
    .where('id', '=', id)
    .where('renewals', '=', renewals)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** The grant with this id, if no account uses it any more. */
const ifUnused = (where: ExpressionBuilder<DB, 'oauth_grant'>, id: string) =>
  where.and([
    where('id', '=', id),
    where.not(where.exists(where.selectFrom('account').select('id').whereRef('grant_id', '=', 'oauth_grant.id'))),
  ])

/** Its last accounts may stop using a grant at once, and neither transaction would see the other. */
const lockGrant = (tx: Tx, id: string) =>
  tx.selectFrom('oauth_grant').select('id').where('id', '=', id).forUpdate().execute()

/** Deletes the tokens of a sign-in if no account uses it any more. */
export async function deleteIfUnused(tx: Tx, id: string) {
  await lockGrant(tx, id)
  await tx
    .deleteFrom('oauth_grant')
    .where((where) => ifUnused(where, id))
    .execute()
}

/** Columns of a grant whose tokens are kept only to revoke them. */
const released = (now: Date) => ({ released_at: now, ended_at: now, renew_at: null })

/** Takes a grant out of use if no account uses it any more and the network still accepts it. */
export async function releaseIfUnused(tx: Tx, id: string, now: Date) {
  await lockGrant(tx, id)
  const grant = await tx
    .updateTable('oauth_grant')
    .set(released(now))
    .where((where) => ifUnused(where, id))
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return grant !== undefined
}

/** Takes the grants of a workspace that is erased out of use, and keeps those of `networks`. */
export const releaseOfWorkspace = (tx: Tx, workspace_id: string, networks: string[], now: Date) =>
  tx
    .updateTable('oauth_grant')
    .set({ ...released(now), workspace_id: null })
    .where('workspace_id', '=', workspace_id)
    .where('network', '=', sql<string>`any(${networks}::text[])`)
    .where('ended_at', 'is', null)
    .returning(['id', 'network'])
    .execute()

/** Deletes a grant that was taken out of use. */
export const deleteReleased = (db: Db, id: string) =>
  db.deleteFrom('oauth_grant').where('id', '=', id).where('released_at', 'is not', null).execute()
