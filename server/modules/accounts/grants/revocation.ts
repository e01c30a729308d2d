import { DAY } from '../../../../shared/time.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { type Attempt, addJob } from '../../../lib/runtime/jobs.ts'
import { networksAtServerOf, openApp, providerOf, readRows, type SealedApp } from '../../networks/apps/apps.ts'
import { authorizationServerAt, findIssuer, serversOf } from '../../networks/apps/server-apps.ts'
import { NetworkFault } from '../../networks/network.ts'
import { TokenRefusal } from '../../networks/oauth/token-response.ts'
import { networks } from '../../networks/registry.ts'
import {
  deleteIfUnused,
  deleteReleased,
  type Grant,
  openTokens,
  readGrant,
  releaseIfUnused,
  releaseOfWorkspace,
} from './grants.ts'

/** Attempts to reach the network, in half an hour. */
const MAX_ATTEMPTS = 8
/** Time after which a revocation that no job carries out any more is given up. */
const GIVE_UP_MS = DAY

const revocable = networks
  .filter((network) => serversOf(network) !== undefined || providerOf(network)?.revocation !== undefined)
  .map(({ id }) => id)

/** `app`: the own app of a workspace that was erased with it. */
export type Revocation = { grant_id: string; app?: SealedApp }

const enqueueRevocation = (tx: Tx, revocation: Revocation) =>
  addJob(tx, 'revoke-grant', revocation, { maxAttempts: MAX_ATTEMPTS })

/** Ends a sign-in if no account uses it any more: a job revokes it at the network, and its tokens are deleted. */
export async function endUnusedGrant(tx: Tx, { id, network }: { id: string; network: string }, now: Date) {
  if (revocable.includes(network) && (await releaseIfUnused(tx, id, now))) await enqueueRevocation(tx, { grant_id: id })
  else await deleteIfUnused(tx, id)
}

/** Revokes the sign-ins of a workspace. Those that cannot be revoked are deleted with it. */
export async function revokeGrantsOfWorkspace(tx: Tx, workspace_id: string, now: Date) {
  const apps = await readRows(tx, { workspace_id })
  for (const { id: grant_id, network } of await releaseOfWorkspace(tx, workspace_id, revocable, now)) {
    const own = apps.find((app) => app.network === network)
    const app = own && { workspace_id, id: own.id, client_id: own.client_id, client_secret: own.client_secret }
    await enqueueRevocation(tx, { grant_id, ...(app && { app }) })
  }
}

/**
 * Whether accounts, or a sign-in whose accounts are being chosen, may depend on the same person, also at another network
 * that one app can serve.
 */
async function isPersonInUse(db: Db, { id, network, external_user_id }: Grant, now: Date) {
  if (external_user_id === null) return true
  const atServer = networksAtServerOf(network)
  const grant = await db
    .selectFrom('oauth_grant')
    .select('id')
    .where('network', 'in', atServer)
    .where('id', '<>', id)
    .where('ended_at', 'is', null)
    // One of an unknown person may be of the same.
    .where((where) =>
      where.or([where('external_user_id', '=', external_user_id), where('external_user_id', 'is', null)]),
    )
    .limit(1)
    .executeTakeFirst()
  const connection = await db
    .selectFrom('account_connection')
    .select('id')
    .where('network', 'in', atServer)
    .where('external_user_id', '=', external_user_id)
    .where('status', '=', 'choose')
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return grant !== undefined || connection !== undefined
}

/** Revokes the tokens, unless others depend on them. Throws if the network cannot be asked. */
async function revoke(deps: Deps, grant: Grant, erased: SealedApp | undefined) {
  const now = deps.clock.now()
  if (grant.leased_until !== null && grant.leased_until > now) throw new Error('The tokens are being renewed.')
  const { revocation } = authorizationServerAt(grant)
  const secrets = openTokens(deps, grant)
  if (!revocation || !secrets) return
  const own = erased && openApp(deps, erased)
  const app = own?.client_id === secrets.client_id ? own : await findIssuer(deps, grant, secrets.client_id)
  if (app?.client_id !== secrets.client_id) return
  if (revocation.ends === 'person' && (await isPersonInUse(deps.db, grant, now))) return
  await revocation.revoke(deps, app, { tokens: secrets.tokens, external_user_id: grant.external_user_id })
}

/** Whether the network no longer knows what was to be revoked. */
const hasEnded = (thrown: unknown) =>
  thrown instanceof TokenRefusal
    ? thrown.refused === 'grant'
    : thrown instanceof NetworkFault && ['failed', 'unauthorized'].includes(thrown.failure.kind)

/** Revokes a sign-in at the network, and deletes its tokens. After the last attempt they are deleted all the same. */
export async function revokeGrant(deps: Deps, { grant_id, app }: Revocation, { isLast }: Attempt) {
  const grant = await readGrant(deps.db, grant_id)
  if (!grant?.released_at) return
  try {
    await revoke(deps, grant, app)
  } catch (thrown) {
    if (!hasEnded(thrown)) {
      if (!isLast) throw thrown
      deps.log.warn({ err: thrown, grant_id, network: grant.network }, 'a sign-in could not be revoked at its network')
    }
  }
  await deleteReleased(deps.db, grant_id)
}

/** Deletes tokens that were to be revoked a day ago: the last attempt may have died with its node. */
export const deleteOldReleases = ({ workerDatabase: { db }, clock }: Deps) =>
  db
    .deleteFrom('oauth_grant')
    .where('released_at', '<', new Date(clock.now().getTime() - GIVE_UP_MS))
    .execute()
