import type { Static } from 'typebox'
import { invalid, invalidTransition } from '../../../errors.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { authorizationServerAt, type NetworkServer } from '../../networks/apps/server-apps.ts'
import type { Candidate } from '../../networks/oauth/provider.ts'
import { fetchAvatar } from '../avatars.ts'
import { createGrant, type NewGrant } from '../grants/grants.ts'
import { storeAccount } from '../store-account.ts'
import type { Choice } from './connections.schema.ts'
import { findConnection, lockConnection, readConnection } from './connections.ts'
import { openPending, type Pending } from './pending.ts'

type Chosen = { candidate: Candidate; avatar: Buffer | null }

/** Images that are fetched for one sign-in. Accounts beyond have none until they are checked. */
const MAX_AVATARS = 12

/** Fetches the images of candidates, before the transaction that stores them. */
export const withAvatars = (deps: Deps, { workspace_id }: Member, candidates: Candidate[]): Promise<Chosen[]> =>
  Promise.all(
    candidates.map(async (candidate, index) => ({
      candidate,
      avatar: index < MAX_AVATARS ? await fetchAvatar(deps, workspace_id, candidate.avatar) : null,
    })),
  )

type CompletedSignIn = Omit<Pending, 'candidates'> &
  NetworkServer &
  Pick<NewGrant, 'with_own_app' | 'server_app_id'> & { id: string }

/** Stores the accounts that were chosen after a sign-in. They share its tokens. */
export async function storeChosen(
  tx: Tx,
  deps: Deps,
  caller: Member,
  { id, network, server, with_own_app, server_app_id, tokens, client_id, external_user_id }: CompletedSignIn,
  chosen: Chosen[],
) {
  const { workspace_id } = caller
  const grant_id = await createGrant(tx, deps, {
    workspace_id,
    network,
    server,
    provider: authorizationServerAt({ network, server }),
    tokens,
    client_id,
    external_user_id,
    with_own_app,
    server_app_id,
    now: deps.clock.now(),
  })
  const account_ids: string[] = []
  for (const { candidate, avatar } of chosen) {
    const { kind: _, avatar: __, instance = server, ...found } = candidate
    const form: Record<string, string> = instance === null ? {} : { instance }
    const account = await storeAccount(tx, deps, caller, { network, found, avatar, form, grant_id })
    account_ids.push(account.id)
  }
  await tx
    .updateTable('account_connection')
    .set({
      status: 'connected',
      account_ids,
      pending: null,
      external_user_id: null,
      code_verifier: null,
      binding: null,
    })
    .where('id', '=', id)
    .execute()
}

/** Connects the accounts that the user chose of those that the sign-in found. */
export async function choose(deps: Deps, caller: Member, id: string, { external_ids }: Static<typeof Choice>) {
  const { status, pending } = await findConnection(deps.db, caller, id)
  if (status !== 'choose' || pending === null) throw invalidTransition(status, 'choose accounts')
  const { candidates } = openPending(deps, id, pending)
  const offered = candidates.map(({ external_id }) => external_id)
  for (const [index, wanted] of external_ids.entries())
    if (!offered.includes(wanted)) throw invalid(`/external_ids/${index}`, 'The sign-in found no account with this id.')
  const chosen = await withAvatars(
    deps,
    caller,
    candidates.filter(({ external_id }) => external_ids.includes(external_id)),
  )
  await inTransaction(deps.db, async (tx) => {
    const connection = await lockConnection(tx, caller, id)
    const isOver = connection.status === 'choose' && connection.expires_at <= deps.clock.now()
    if (connection.status !== 'choose' || connection.pending === null || isOver)
      throw invalidTransition(isOver ? 'failed' : connection.status, 'choose accounts')
    const { candidates: _, ...signIn } = openPending(deps, id, connection.pending)
    const { network, instance: server, app, server_app_id } = connection
    const with_own_app = app === 'workspace'
    await storeChosen(tx, deps, caller, { id, network, server, with_own_app, server_app_id, ...signIn }, chosen)
  })
  return readConnection(deps, caller, id)
}
