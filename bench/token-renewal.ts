import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Deps } from '../server/lib/deps.ts'
import type { Member } from '../server/lib/http/access.ts'
import { createGrant } from '../server/modules/accounts/grants/grants.ts'
import { findProvider } from '../server/modules/networks/apps/apps.ts'
import { setApp } from '../server/modules/networks/apps/manage-apps.ts'
import { atMost, type Bench, type Claim, compareWithLimit, createMany, digits, waitUntil } from './harness.ts'
import { createOwner, runLongStatement, serverSettings, startMeydan, withDeps } from './meydan.ts'
import { onCleanUp, startPostgres } from './processes.ts'

/** Its refresh tokens count once, and one that comes twice ends the sign-in. */
const NETWORK = 'x'
const ACCOUNTS = 10_000
const NODES = 2
/** Time from the moment at which all tokens are due until they end. */
const HOUR_S = 3600
const TOKEN_S = 7200
/** Time of the network for each token request. */
const LATENCY_MS = 100

/** Renews the tokens of accounts that are all due at once, on two nodes, and counts what the network sees. */
export const claim: Claim = {
  name: 'token-renewal',
  target: atMost(0, 'none'),
  measure: async (bench) => {
    const accounts = bench.quick ? ACCOUNTS / 5 : ACCOUNTS
    const network = await tokenServer()
    const connection = await startPostgres()
    const NETWORK_ORIGINS = `${NETWORK}=${network.url}`
    return withDeps(
      connection,
      async (deps) => {
        const owner = await createOwner(deps)
        bench.log(`creating ${accounts} accounts`)
        await createAccounts(deps, owner, accounts)
        for (let node = 0; node < NODES; node++)
          await startMeydan({ ...serverSettings(connection), ROLE: 'all', NETWORK_ORIGINS })
        return renewAll(bench, deps, { accounts, network })
      },
      { NETWORK_ORIGINS },
    )
  },
}

/** The token endpoint of a network. It counts how often each refresh token comes. */
async function tokenServer() {
  const uses = new Map<string, number>()
  let issued = 0
  const server = createServer(async (request, response) => {
    const fields = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const given = fields.get('refresh_token') ?? ''
    uses.set(given, (uses.get(given) ?? 0) + 1)
    await sleep(LATENCY_MS)
    issued++
    const tokens = { access_token: `access-${issued}`, refresh_token: `renewed-${issued}`, expires_in: TOKEN_S }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onCleanUp(async () => server.close())
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => issued,
    /** Refresh tokens that came more than once. */
    usedTwice: () => [...uses.values()].filter((times) => times > 1).length,
  }
}

async function createAccounts(deps: Deps, owner: Member, accounts: number) {
  const app = { client_id: 'bench', client_secret: 'the secret of the bench' }
  await setApp(deps, owner, { network: NETWORK, workspace_id: null }, app, () => undefined)
  const { provider } = findProvider(NETWORK)
  // Issued an hour ago, so that they end in an hour.
  const now = new Date(Date.now() - (TOKEN_S - HOUR_S) * 1000)
  await createMany(accounts, (index) =>
    deps.db.transaction().execute((tx) =>
      createGrant(tx, deps, {
        ...{ workspace_id: owner.workspace_id, network: NETWORK, provider, now, client_id: app.client_id },
        server: null,
        external_user_id: null,
        with_own_app: false,
        server_app_id: null,
        tokens: {
          ...{ access_token: `first-access-${index}`, refresh_token: `first-${index}` },
          ...{ expires_in: TOKEN_S, scopes: [] },
        },
      }),
    ),
  )
  await runLongStatement(
    deps.pool,
    `insert into account (workspace_id, network, external_id, name, handle, grant_id)
     select workspace_id, network, id, id, id, id from oauth_grant`,
  )
  await runLongStatement(deps.pool, 'vacuum analyze')
}

type Load = { accounts: number; network: Awaited<ReturnType<typeof tokenServer>> }

async function renewAll({ log }: Bench, { db, pool }: Deps, { accounts, network }: Load) {
  const begun = Date.now()
  await runLongStatement(pool, 'update oauth_grant set renew_at = now()')
  const renewed = async () => {
    const { rows } = await sql<{ renewed: number }>`
      select count(*)::int as renewed from oauth_grant where renewals > 0`.execute(db)
    return rows[0]?.renewed ?? 0
  }
  let logged = 0
  await waitUntil(
    async () => {
      const done = await renewed()
      if (done - logged >= accounts / 10) log(`${done} of ${accounts} are renewed`)
      if (done - logged >= accounts / 10) logged = done
      return done === accounts
    },
    () => `${accounts} sign-ins are renewed`,
    { seconds: HOUR_S, every: 1000 },
  )
  const seconds = (Date.now() - begun) / 1000
  const { rows } = await sql<{ lost: number }>`
    select count(*)::int as lost from oauth_grant where renewals <> 1 or ended_at is not null`.execute(db)
  log(`${network.requests()} token requests in ${digits(seconds)} s`)
  return [
    { ...compareWithLimit([network.usedTwice()], accounts, 'accounts'), part: 'tokens used twice' },
    { ...compareWithLimit([rows[0]?.lost ?? accounts], accounts, 'accounts'), part: 'lost or renewed twice' },
    {
      ...compareWithLimit([seconds], HOUR_S, 's'),
      part: 'time until all are renewed',
      target: atMost(1, `≤ ${HOUR_S} s`),
    },
  ]
}
