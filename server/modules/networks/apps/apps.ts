import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, notFound } from '../../../errors.ts'
import { seal, sha256, unseal } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import type { Language } from '../../../lib/language.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { last4Of } from '../../options/secrets.ts'
import { apiVersionInUse } from '../calls/version.ts'
import type { Network } from '../network.ts'
import type { OAuthApp, OAuthProvider } from '../oauth/provider.ts'
import { findNetwork, networks } from '../registry.ts'
import type { NetworkApp, NetworkAppInput } from './apps.schema.ts'

/** The sign-in with an app that an instance admin sets up. */
export const providerOf = ({ connect }: Network): OAuthProvider | undefined =>
  connect.kind === 'oauth2' && 'provider' in connect ? connect.provider : undefined

/** Names a server in the address to which it sends browsers back. */
export const callbackKey = (server: string) => sha256(server).slice(0, 22)

/**
 * The address to which networks send browsers back. Each server that somebody names has its own: with a shared one, a
 * hostile server could send its visitor on to another, and be given the code of that one (RFC 9700, section 4.4).
 */
export const redirectUri = ({ baseUrl }: Pick<Deps, 'baseUrl'>, server: string | null = null) =>
  `${baseUrl}/api/v1/accounts/oauth/callback${server === null ? '' : `/${callbackKey(server)}`}`

/** The addresses at which a network reports that a person removed the app, or wants their data deleted. */
const noticeUris = ({ baseUrl }: Pick<Deps, 'baseUrl'>, network: string) => ({
  deauthorize: `${baseUrl}/network-notices/${network}/deauthorize`,
  data_deletion: `${baseUrl}/network-notices/${network}/data-deletion`,
})

const contextOf = (id: string, column: 'client_id' | 'client_secret') => `network_app|${id}|${column}`

type Sealed = { id: string; client_id: string; client_secret: string }

const open = ({ keyring }: Pick<Deps, 'keyring'>, { id, ...sealed }: Sealed): OAuthApp => ({
  client_id: unseal(keyring, sealed.client_id, contextOf(id, 'client_id')),
  client_secret: unseal(keyring, sealed.client_secret, contextOf(id, 'client_secret')),
})

/** Opens an app. Undefined if it is not set up, or if the key ring has lost its key. */
export async function findApp(deps: Pick<Deps, 'db' | 'keyring' | 'log'>, network: string) {
  const row = await deps.db
    .selectFrom('network_app')
    .select(['id', 'client_id', 'client_secret'])
    .where('network', '=', network)
    .executeTakeFirst()
  if (!row) return
  try {
    return open(deps, row)
  } catch (err) {
    deps.log.error({ err, network }, 'the app of a network cannot be decrypted')
    return
  }
}

/** Ids of the networks whose app is set up. */
export const networksWithApp = async (db: Db) =>
  new Set((await db.selectFrom('network_app').select('network').execute()).map(({ network }) => network))

/** Notes whether the network accepts the app, which its page shows. Other nodes may note the same. */
export const noteAppRefusal = (
  { db }: Pick<Deps, 'db'>,
  network: string,
  refused: { at: Date; reason: string } | null,
) =>
  db
    .updateTable('network_app')
    .set({ refused_at: refused?.at ?? null, refused_reason: refused && sanitizeExternalText(refused.reason) })
    .where('network', '=', network)
    .$if(refused === null, (query) => query.where('refused_at', 'is not', null))
    .execute()

const rowsOf = (db: Db) =>
  db
    .selectFrom('network_app')
    .select(['id', 'network', 'client_id', 'client_secret', 'last4'])
    .select(['refused_at', 'refused_reason', 'updated_at', 'version'])

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

const countAccounts = async (db: Db) =>
  new Map(
    (
      await db
        .selectFrom('account')
        .select(['network', sql<number>`count(*)::int`.as('count')])
        .where('deleted_at', 'is', null)
        .groupBy('network')
        .execute()
    ).map(({ network, count }) => [network, count]),
  )

type Context = { deps: Deps; language: Language; counts: Map<string, number> }

function toApp(
  { deps, language, counts }: Context,
  { id: network, name, icon }: Network,
  { scopes, registration, apiVersion, readNotice }: OAuthProvider,
  row: Row | undefined,
): Static<typeof NetworkApp> {
  const { url, steps, works_for, notes } = registration
  return {
    network,
    name,
    icon,
    client_id: row ? open(deps, row).client_id : null,
    client_secret: { set: row !== undefined, last4: row?.last4 ?? null },
    redirect_uri: redirectUri(deps),
    privacy_uri: `${deps.baseUrl}/privacy`,
    notice_uris: readNotice ? noticeUris(deps, network) : null,
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

/** All networks at which accounts sign in, each with its app. */
export async function listApps(deps: Deps, language: Language) {
  const rows = new Map((await rowsOf(deps.db).execute()).map((row) => [row.network, row]))
  const context = { deps, language, counts: await countAccounts(deps.db) }
  return networks.flatMap((network) => {
    const provider = providerOf(network)
    return provider ? [toApp(context, network, provider, rows.get(network.id))] : []
  })
}

/** The network with this id. Throws 404 unless accounts sign in there. */
export function findProvider(id: string) {
  const network = findNetwork(id)
  const provider = network && providerOf(network)
  if (!provider) throw notFound()
  return { network, provider }
}

export async function readApp(deps: Deps, id: string, language: Language) {
  const { network, provider } = findProvider(id)
  const row = await rowsOf(deps.db).where('network', '=', id).executeTakeFirst()
  return toApp({ deps, language, counts: await countAccounts(deps.db) }, network, provider, row)
}

/** Sets the app of a network. Accounts that signed in with an app of another id sign in again when their tokens end. */
export async function setApp(
  deps: Deps,
  caller: User,
  network: string,
  { client_id, client_secret }: Static<typeof NetworkAppInput>,
  ifMatch: IfMatch,
  language: Language,
) {
  findProvider(network)
  await inTransaction(deps.db, async (tx) => {
    // Two admins may set up the same network at once.
    await sql`lock table network_app in share row exclusive mode`.execute(tx)
    const before = await rowsOf(tx).where('network', '=', network).forUpdate().executeTakeFirst()
    if (before) ifMatch(before.version)
    if (!before && client_secret === undefined)
      throw invalid(
        '/client_secret',
        { en: 'The app has no secret yet.', tr: 'Uygulamanın henüz gizli anahtarı yok.' },
        'required',
      )
    const id = before?.id ?? (await newId(tx))
    const sealed = {
      client_id: seal(deps.keyring, client_id, contextOf(id, 'client_id')),
      ...(client_secret !== undefined && {
        client_secret: seal(deps.keyring, client_secret, contextOf(id, 'client_secret')),
        last4: last4Of(client_secret),
      }),
      refused_at: null,
      refused_reason: null,
    }
    if (before)
      await tx
        .updateTable('network_app')
        .set({ ...sealed, updated_at: sql`now()` })
        .where('id', '=', id)
        .execute()
    else {
      const { client_secret: secret = '', ...rest } = sealed
      await tx
        .insertInto('network_app')
        .values({ id, network, ...rest, client_secret: secret })
        .execute()
    }
    await audit(tx, caller, 'network_app.changed', id, {
      network,
      before: { client_id: before ? open(deps, before).client_id : null },
      after: { client_id },
      ...(client_secret !== undefined && { secret_changed: true }),
    })
  })
  return readApp(deps, network, language)
}

/** Deletes the app of a network. Its accounts publish until their tokens end. */
export const deleteApp = (deps: Deps, caller: User, network: string) =>
  inTransaction(deps.db, async (tx) => {
    findProvider(network)
    const row = await tx
      .deleteFrom('network_app')
      .where('network', '=', network)
      .returning(['id', 'client_id', 'client_secret'])
      .executeTakeFirst()
    if (!row) throw notFound()
    await audit(tx, caller, 'network_app.deleted', row.id, { network })
  })
