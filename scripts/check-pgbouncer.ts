/**
 * Checks two nodes behind a real PgBouncer in transaction mode: posts are published once, their webhooks arrive, and a
 * token that one node revokes is refused by the other. The argument is a PgBouncer, version 1.21 or later:
 * `node scripts/check-pgbouncer.ts /usr/sbin/pgbouncer`. Exits with 0 only if everything is right.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import pg from 'pg'
import { waitUntil } from '../bench/harness.ts'
import { CLI, createOwner, serverSettings, signIn, withDeps } from '../bench/meydan.ts'
import { cleanUp, freePort, onCleanUp, startPostgres, startServer, temporaryFolder } from '../bench/processes.ts'
import { createToken } from '../server/modules/tokens/tokens.ts'

const POSTS = 150
const say = (line: string) => process.stdout.write(`${line}\n`)

const direct = await startPostgres()
try {
  await check(process.argv[2] ?? 'pgbouncer')
} finally {
  await cleanUp()
}

async function check(program: string) {
  await limitSessions()
  const port = await startPgBouncer(program)
  const tokens = await withDeps(direct, async (deps) => {
    const owner = await createOwner(deps)
    const scopes = ['posts:write', 'accounts:write', 'webhooks:write']
    const create = (name: string) => createToken(deps, owner, { name, scopes })
    return { kept: await create('kept'), revoked: await create('revoked') }
  })
  const settings = {
    ...serverSettings(direct),
    ROLE: 'all',
    DATABASE_URL: `postgres://meydan@127.0.0.1:${port}/meydan`,
    DATABASE_DIRECT_URL: serverSettings(direct).DATABASE_URL,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  }
  const nodes = [await startServer(CLI, settings, ['serve']), await startServer(CLI, settings, ['serve'])]
  say(`Two nodes started behind ${program}`)
  const call = caller(
    nodes.map(({ url }) => url),
    tokens.kept.token,
  )

  const received = await startReceiver()
  await call(0, 'POST', '/webhooks', { url: received.url, events: ['post.published'] })
  const account = await call(0, 'POST', '/accounts', { network: 'playground' })
  const body = { content: 'Through PgBouncer', account_ids: [account.id], publish_now: true }
  const posts = await Promise.all(
    Array.from({ length: POSTS }, (_, index) => call(index % 2, 'POST', '/posts', { ...body, content: `${index}` })),
  )
  await waitUntil(
    () => received.ids.size >= POSTS,
    () => `all webhooks arrived; ${received.ids.size} of ${POSTS}`,
    { every: 100 },
  )
  say(`${POSTS} posts were published, and ${received.ids.size} webhooks arrived`)
  const { rows } = await query('select count(*)::int as count from playground_post')
  if (rows[0]?.count !== posts.length) throw new Error(`${rows[0]?.count} posts on the Playground`)

  const status = (node: number) =>
    fetch(`${nodes[node]?.url}/api/v1/public/token`, { headers: { authorization: `Bearer ${tokens.revoked.token}` } })
  if ((await status(0)).status !== 200 || (await status(1)).status !== 200) throw new Error('A token is refused')
  const base = nodes[0]?.url ?? ''
  const revoked = await fetch(`${base}/api/v1/api-tokens/${tokens.revoked.id}`, {
    method: 'DELETE',
    headers: { cookie: await signIn(base) },
  })
  if (!revoked.ok) throw new Error(`The token was not revoked: ${revoked.status}`)
  await waitUntil(
    async () => (await status(1)).status === 401,
    () => 'a revoked token is refused',
    { every: 50 },
  )
  say('A revoked token is refused on the other node')
}

/** PgBouncer refuses these settings at the start of a connection, so the role has them. */
async function limitSessions() {
  await query("alter role meydan set statement_timeout = '30s'")
  await query("alter role meydan set idle_in_transaction_session_timeout = '60s'")
}

async function query(text: string) {
  const client = new pg.Client(direct)
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

async function startPgBouncer(program: string) {
  const port = await freePort()
  const folder = await temporaryFolder()
  const [users, settings] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]
  await writeFile(users, '"meydan" ""\n')
  await writeFile(
    settings,
    `[databases]
meydan = host=${direct.host} port=${direct.port} user=meydan password=${direct.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = 10
`,
  )
  // PgBouncer refuses to run as root.
  const [file = '', ...args] = [...(process.getuid?.() === 0 ? ['unshare', '--user'] : []), program, settings]
  const child = spawn(file, args, { stdio: 'ignore' })
  onCleanUp(async () => {
    if (child.kill('SIGTERM')) await once(child, 'exit')
  })
  await once(child, 'spawn')
  return port
}

/** Returns a function that calls the public API of a node. */
function caller(urls: string[], token: string) {
  return async (node: number, method: string, path: string, body: object) => {
    const response = await fetch(`${urls[node]}/api/v1/public${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    const created: { id: string } = JSON.parse(await response.text())
    return created
  }
}

/** A webhook receiver that keeps the ids of events. */
async function startReceiver() {
  const ids = new Set<string>()
  const server = createServer((request, response) => {
    ids.add(String(request.headers['webhook-id']))
    request.resume()
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onCleanUp(async () => server.close())
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`, ids }
}
