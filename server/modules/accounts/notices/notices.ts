import { DAY } from '../../../../shared/time.ts'
import { notFound, problem } from '../../../errors.ts'
import { audit, system } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { isId } from '../../../lib/http/schema/schema.ts'
import { findApp, networksAtServerOf, type OwnedApp, providerOf } from '../../networks/apps/apps.ts'
import type { NetworkNotice } from '../../networks/oauth/provider.ts'
import { findNetwork } from '../../networks/registry.ts'
import { connectionChanged } from '../accounts.ts'
import { deleteIfUnused, openTokens, readGrant, readGrantsOfPerson } from '../grants/grants.ts'
import { disconnectGrant } from '../grants/renewal.ts'
import { leaveGroups } from '../groups/groups.ts'

/** Days for which the page of a deletion is kept. */
const KEPT_DAYS = 365
/** Attempts to end a grant whose tokens are renewed at the same time. */
const MAX_ATTEMPTS = 5

/** A person as an app of a network knows them: another app knows somebody else by the same id. */
type Person = NetworkNotice & { network: string; app: OwnedApp }

/** Address of a notice. `workspace`: id of the workspace whose app sends it; undefined for that of the instance. */
export type NoticeAddress = { network: string; workspace?: string }

/** Reads a notice. Throws 404 for a network without notices or without an app, and 400 unless the app signed it. */
export async function openNotice(
  deps: Deps,
  { network, workspace }: NoticeAddress,
  form: URLSearchParams,
): Promise<Person> {
  const definition = findNetwork(network)
  const readNotice = definition && providerOf(definition)?.readNotice
  if (workspace !== undefined && !isId(workspace)) throw notFound()
  const app = readNotice && (await findApp(deps, { network, workspace_id: workspace ?? null }))
  if (!app) throw notFound()
  const notice = readNotice(app, form, deps.clock.now())
  if (!notice) throw problem('signature_invalid')
  return { network, app, ...notice }
}

/**
 * The grants of a person at an app. It can serve several networks, and sends its notices to the address of one. A
 * workspace knows the secret of its own app and can sign anything with it, so such a notice concerns the workspace alone.
 * Tokens that cannot be decrypted may be of the app.
 */
async function readGrantsAtApp(deps: Pick<Deps, 'db' | 'keyring' | 'log'>, { app, ...person }: Person) {
  const networks = networksAtServerOf(person.network)
  const grants = await readGrantsOfPerson(deps.db, { ...person, networks, workspace_id: app.workspace_id })
  return grants.filter((grant) => (openTokens(deps, grant)?.client_id ?? app.client_id) === app.client_id)
}

/** Ends the sign-ins of a person who removed the app. Their accounts ask for a new one. */
export async function deauthorize(deps: Deps, person: Person) {
  const name = findNetwork(person.network)?.name ?? person.network
  for (const { id } of await readGrantsAtApp(deps, person))
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const grant = await readGrant(deps.db, id)
      if (!grant || grant.ended_at) break
      if (await disconnectGrant(deps, grant, `The person who signed in removed Meydan from their account at ${name}.`))
        break
    }
}

/** Removes from an account everything that the network told of it. Its posts stay in the workspace. */
async function anonymizeAccount(tx: Tx, { id, workspace_id }: { id: string; workspace_id: string }, now: Date) {
  await tx
    .updateTable('account')
    .set({
      deleted_at: now,
      status: 'disconnected',
      status_detail: 'The person who signed in had their data deleted.',
      paused_by: null,
      avatar: null,
      credentials: null,
      grant_id: null,
      // Unique, and equal to no id of a network.
      external_id: `deleted:${id}`,
      handle: '',
      name: 'Deleted account',
      url: null,
      ...connectionChanged,
    })
    .where('id', '=', id)
    .execute()
  await leaveGroups(tx, id, now)
  await tx.deleteFrom('account_metrics').where('account_id', '=', id).execute()
  await audit(tx, system(workspace_id), 'account.data_deleted', id)
}

/** Deletes the sign-ins of a person, and what the network told of the accounts that used them. */
export async function deletePersonalData(deps: Deps, person: Person, code: string) {
  await deauthorize(deps, person)
  return inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    let accounts = 0
    for (const { id } of await readGrantsAtApp({ ...deps, db: tx }, person)) {
      const accountsOfGrant = tx
        .selectFrom('account')
        .select(['id', 'workspace_id'])
        .where('grant_id', '=', id)
        .orderBy('id')
      for (const { id: account_id, workspace_id } of await accountsOfGrant.execute())
        await deps.lifecycle.onAccountRemoved(tx, { workspace_id, account_id, caller: null, now })
      const used = await accountsOfGrant.forUpdate().execute()
      for (const account of used) await anonymizeAccount(tx, account, now)
      accounts += used.length
      await deleteIfUnused(tx, id)
    }
    await tx
      .insertInto('data_deletion')
      .values({ code, network: person.network, accounts, completed_at: now })
      .execute()
  })
}

export async function readDeletion(db: Db, code: string) {
  const deletion = await db
    .selectFrom('data_deletion')
    .select(['network', 'accounts', 'completed_at'])
    .where('code', '=', code)
    .executeTakeFirst()
  if (!deletion) throw notFound()
  return deletion
}

export const deleteOldDeletions = ({ workerDatabase: { db }, clock }: Deps) =>
  db
    .deleteFrom('data_deletion')
    .where('completed_at', '<', new Date(clock.now().getTime() - KEPT_DAYS * DAY))
    .execute()
