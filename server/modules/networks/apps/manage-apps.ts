import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound } from '../../../errors.ts'
import { seal } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member, User } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import type { Language } from '../../../lib/language.ts'
import { last4Of } from '../../options/secrets.ts'
import { apiVersionInUse } from '../calls/version.ts'
import type { Network } from '../network.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import { networks } from '../registry.ts'
import type { NetworkApp, NetworkAppInput, WorkspaceNetworkApp } from './apps.schema.ts'
import {
  type AppKey,
  type AppOwner,
  type AppRow,
  contextOf,
  findProvider,
  networksWithApp,
  type OwnerKind,
  openApp,
  providerOf,
  readRow,
  readRows,
  redirectUri,
} from './apps.ts'

/**
 * The addresses at which a network reports that a person removed the app, or wants their data deleted. Each owner has
 * their own, because a notice is signed with the secret of the app.
 */
function noticeUris({ baseUrl }: Pick<Deps, 'baseUrl'>, { network, workspace_id }: AppKey) {
  const base = `${baseUrl}/network-notices/${network}${workspace_id === null ? '' : `/${workspace_id}`}`
  return { deauthorize: `${base}/deauthorize`, data_deletion: `${base}/data-deletion` }
}

const countAccounts = async (db: Db, { workspace_id }: AppOwner) =>
  new Map(
    (
      await db
        .selectFrom('account')
        .select(['network', sql<number>`count(*)::int`.as('count')])
        .where('deleted_at', 'is', null)
        .$if(workspace_id !== null, (query) => query.where('workspace_id', '=', workspace_id))
        .groupBy('network')
        .execute()
    ).map(({ network, count }) => [network, count]),
  )

type Context = AppOwner & { deps: Deps; language: Language; counts: Map<string, number> }

function toApp(
  { deps, workspace_id, language, counts }: Context,
  { id: network, name, icon }: Network,
  { scopes, registration, apiVersion, readNotice }: OAuthProvider,
  row: AppRow | undefined,
): Static<typeof NetworkApp> {
  const { url, steps, works_for, notes } = registration
  return {
    network,
    name,
    icon,
    client_id: (row && openApp(deps, row)?.client_id) ?? null,
    client_secret: { set: row !== undefined, last4: row?.last4 ?? null },
    redirect_uri: redirectUri(deps),
    privacy_uri: `${deps.baseUrl}/privacy`,
    notice_uris: readNotice ? noticeUris(deps, { network, workspace_id }) : null,
    scopes: [...scopes.publish, ...(scopes.optional ?? [])],
    registration: { url, steps: steps.map((step) => step[language]), works_for, notes: notes?.[language] ?? null },
    api_version: apiVersion ? apiVersionInUse(deps, apiVersion) : null,
    accounts: counts.get(network) ?? 0,
    refused_at: row?.refused_at ?? null,
    refused_reason: row?.refused_reason ?? null,
    updated_at: row?.updated_at ?? null,
    version: row?.version ?? 0,
  }
}

/** All networks at which accounts sign in, each with the app of the owner. */
export async function listApps(deps: Deps, owner: AppOwner, language: Language) {
  const rows = new Map((await readRows(deps.db, owner)).map((row) => [row.network, row]))
  const context = { deps, ...owner, language, counts: await countAccounts(deps.db, owner) }
  return networks.flatMap((network) => {
    const provider = providerOf(network)
    return provider ? [toApp(context, network, provider, rows.get(network.id))] : []
  })
}

export async function readApp(deps: Deps, { network: id, ...owner }: AppKey, language: Language) {
  const { network, provider } = findProvider(id)
  const row = await readRow(deps.db, { network: id, ...owner })
  const context = { deps, ...owner, language, counts: await countAccounts(deps.db, owner) }
  return toApp(context, network, provider, row)
}

/** An app of a workspace, with the owner of the app that its members sign in with. */
const withUse = (
  app: Static<typeof NetworkApp>,
  inUse: Map<string, OwnerKind>,
): Static<typeof WorkspaceNetworkApp> => ({
  ...app,
  app_in_use: inUse.get(app.network) ?? 'none',
})

export async function listAppsOfWorkspace(deps: Deps, { workspace_id }: Member, language: Language) {
  const inUse = await networksWithApp(deps.db, { workspace_id })
  return (await listApps(deps, { workspace_id }, language)).map((app) => withUse(app, inUse))
}

export const readAppOfWorkspace = async (deps: Deps, { workspace_id }: Member, network: string, language: Language) =>
  withUse(await readApp(deps, { network, workspace_id }, language), await networksWithApp(deps.db, { workspace_id }))

/** Sets the app of a network. Accounts that signed in with an app of another id sign in again when their tokens end. */
export async function setApp(
  deps: Deps,
  caller: User | Member,
  key: AppKey,
  { client_id, client_secret }: Static<typeof NetworkAppInput>,
  ifMatch: IfMatch,
) {
  const { network, workspace_id } = key
  findProvider(network)
  await inTransaction(deps.db, async (tx) => {
    // Two admins may set up the same network at once.
    await sql`select pg_advisory_xact_lock(${locks.networkApp}, hashtext(${`${workspace_id} ${network}`}))`.execute(tx)
    const before = await readRow(tx, key)
    if (before) ifMatch(before.version)
    const former = before && openApp(deps, before)
    const id = before?.id ?? (await newId(tx))
    const secret =
      client_secret === undefined
        ? former && { client_secret: before.client_secret, last4: before.last4 }
        : {
            client_secret: seal(deps.keyring, client_secret, contextOf({ id, workspace_id }, 'client_secret')),
            last4: last4Of(client_secret),
          }
    if (!secret)
      throw invalid(
        '/client_secret',
        { en: 'The app has no secret yet.', tr: 'Uygulamanın henüz gizli anahtarı yok.' },
        'required',
      )
    const app = {
      client_id: seal(deps.keyring, client_id, contextOf({ id, workspace_id }, 'client_id')),
      ...secret,
      ...{ refused_at: null, refused_reason: null },
    }
    const change = { ...app, updated_at: sql<Date>`now()` }
    await (workspace_id === null
      ? tx
          .insertInto('network_app')
          .values({ id, network, ...app })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
      : tx
          .insertInto('workspace_network_app')
          .values({ id, network, workspace_id, ...app })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    ).execute()
    await audit(tx, caller, 'network_app.changed', id, {
      network,
      before: { client_id: former?.client_id ?? null },
      after: { client_id },
      ...(client_secret !== undefined && { secret_changed: true }),
    })
  })
}

/** Deletes the app of a network. Its accounts publish until their tokens end. */
export const deleteApp = (deps: Deps, caller: User | Member, { network, workspace_id }: AppKey) =>
  inTransaction(deps.db, async (tx) => {
    findProvider(network)
    const row = await (workspace_id === null
      ? tx.deleteFrom('network_app').where('network', '=', network).returning('id')
      : tx
          .deleteFrom('workspace_network_app')
          .where('network', '=', network)
          .where('workspace_id', '=', workspace_id)
          .returning('id')
    ).executeTakeFirst()
    if (!row) throw notFound()
    await audit(tx, caller, 'network_app.deleted', row.id, { network })
  })
