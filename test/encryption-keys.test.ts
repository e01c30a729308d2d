import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../server/app.ts'
import { createDeps } from '../server/deps.ts'
import { seal, unseal } from '../server/lib/crypto/crypto.ts'
import { addKey, loadKeyring } from '../server/lib/crypto/keyring.ts'
import { inTransaction } from '../server/lib/db/database.ts'
import { sealedColumns } from '../server/lifecycle.ts'
import { payoutAccount, requested, withEarnings } from '../server/modules/marketplace/payouts/payouts.fixture.ts'
import { openSecret } from '../server/modules/webhooks/delivery/sending/secrets.ts'
import { type TestApp, testApp } from './app.ts'
import { type Client, client } from './client.ts'
import { databaseUrl } from './database.ts'
import {
  expectStatus,
  PASSWORD,
  sessionCookie,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from './factories.ts'
import { pendingChoice, startedConnection } from './network-accounts.ts'
import { processEnv } from './processes.ts'
import { blueskyServer } from './stand-ins/bluesky.ts'
import { mastodonServer } from './stand-ins/mastodon.ts'
import { until } from './until.ts'

let t: TestApp
let owner: WorkspaceOwner
// An installation has one keyring.
beforeEach(async () => {
  t = await testApp()
  owner = await withWorkspace(t)
  return t.close
})

/** Starts another Meydan on the same database. */
async function node(settings: { SECRET_KEY?: string; SECRET_KEY_PREVIOUS?: string } = {}) {
  const deps = await createDeps({ ...t.deps.config, ...settings }, t.database.connection, { clock: t.clock })
  const app = await buildApp(deps)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  await deps.invalidationBus.started
  return {
    deps,
    anyone: client(url),
    close: async () => {
      await app.close()
      await deps.close()
    },
  }
}
type Node = Awaited<ReturnType<typeof node>>

const as = (there: { anyone: Client }, token: string) => there.anyone.with({ authorization: `Bearer ${token}` })
async function signedInAt({ anyone }: { anyone: Client }) {
  const who = { email: owner.email, password: PASSWORD }
  return anyone.with({
    cookie: sessionCookie(expectStatus(await anyone.post('/api/auth/sign-in/email', who), 200).headers),
  })
}
const newWebhook = async (there: Client) =>
  expectStatus(await there.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['post.published'] }), 201)
    .body
const webhookRow = (id: string) =>
  t.deps.db.selectFrom('webhook').select(['id', 'secret']).where('id', '=', id).executeTakeFirstOrThrow()

/** Repeatedly creates and uses tokens and webhooks through both nodes, until stopped. */
function underLoad(one: { anyone: Client }, other: { anyone: Client }, token: string) {
  let ended = false
  let rounds = 0
  const work = async (here: { anyone: Client }, there: { anyone: Client }) => {
    while (!ended) {
      const made = expectStatus(await owner.post('/api/v1/api-tokens', { name: 'load', scopes: ['posts:read'] }), 201)
      for (const where of [here, there]) {
        expectStatus(await as(where, made.body.token).get('/api/v1/public/posts'), 200)
        expectStatus(await as(where, token).get('/api/v1/me'), 200)
      }
      expectStatus(await owner.delete(`/api/v1/api-tokens/${made.body.id}`), 204)
      const { id } = await newWebhook(as(there, token))
      expect(expectStatus(await as(here, token).post(`/api/v1/webhooks/${id}/test`), 200).body).toHaveProperty('ok')
      expectStatus(await as({ anyone: t.anyone }, token).get(`/api/v1/webhooks/${id}`), 200)
      expectStatus(await owner.delete(`/api/v1/webhooks/${id}`), 204)
      rounds++
    }
  }
  const running = Promise.all([work(one, other), work(other, one)])
  running.catch(() => undefined)
  return async () => {
    ended = true
    await running
    expect(rounds).toBeGreaterThan(2)
  }
}

const add = (purpose: 'encryption' | 'token') => {
  const { db, invalidationBus, timings, config } = t.deps
  return addKey(db, invalidationBus, config.SECRET_KEY ?? '', { purpose, stage: timings.keyStage })
}

/** Sets the time until the newest keys become current, on all nodes. */
const activateNewest = (after: string) =>
  inTransaction(t.deps.db, async (tx) => {
    await sql`update keyring set active_at = clock_timestamp() + ${after}::interval
      where id in (select distinct on (purpose) id from keyring where purpose in ('encryption', 'token')
        order by purpose, created_at desc)`.execute(tx)
    await t.deps.invalidationBus.invalidate(tx, 'keys')
  })

describe('SECRET_KEY', () => {
  test('SECRET_KEY can be changed node by node while both work, and afterwards only the new one opens the keyring', async () => {
    const former = t.deps.config.SECRET_KEY ?? ''
    const mine = await withToken(t, owner)
    const webhook = await newWebhook(owner)
    const next = 'another secret key for tests, long enough'
    let other: Node | undefined
    const end = underLoad(t, t, mine.token)
    try {
      other = await node({ SECRET_KEY: next, SECRET_KEY_PREVIOUS: former })
      expectStatus(await as(other, mine.token).get('/api/v1/me'), 200)
      const there = expectStatus(
        await (await signedInAt(other)).post('/api/v1/api-tokens', { name: 'there' }),
        201,
      ).body
      expectStatus(await as(t, there.token).get('/api/v1/me'), 200)
      expect(openSecret(other.deps.keyring, await webhookRow(webhook.id))).toBe(webhook.secret)
      const made = await newWebhook(as(other, mine.token))
      expect(openSecret(t.deps.keyring, await webhookRow(made.id))).toBe(made.secret)
      await end()
      const alone = await node({ SECRET_KEY: next })
      expectStatus(await as(alone, mine.token).get('/api/v1/me'), 200)
      await alone.close()
      await expect(createDeps(t.deps.config, t.database.connection)).rejects.toThrow(
        'SECRET_KEY cannot decrypt the keys in the database',
      )
    } finally {
      await other?.close()
    }
  })
})

/** Stores what a sign-in at a network leaves: the apps, the challenge, the candidates and the tokens. */
async function withSignIn(root: Client) {
  const network = 'linkedin'
  const app = { client_id: 'id-of-the-app', client_secret: 'secret-of-the-app' }
  expectStatus(await root.put(`/api/v1/admin/network-apps/${network}`, app), 200)
  const ownApp = { client_id: 'id-of-the-own-app', client_secret: 'secret-of-the-own-app' }
  expectStatus(await owner.put(`/api/v1/workspace/network-apps/${network}`, ownApp), 200)
  const { id } = await startedConnection(owner, network)
  await pendingChoice(t, id)
  const body = { external_ids: [`${id}-1`] }
  expectStatus(await owner.post(`/api/v1/accounts/connections/${id}/choose`, body), 200)
  await pendingChoice(t, id)
}

describe('meydan keys', () => {
  const run = async (...args: string[]) => {
    const DATABASE_URL = databaseUrl(t.database.connection)
    const env = processEnv({ DATABASE_URL, SECRET_KEY: t.deps.config.SECRET_KEY })
    return promisify(execFile)(process.execPath, ['server/cli.ts', ...args], { env })
  }
  const listed = async () =>
    (await run('keys')).stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))

  test('keys rotate adds keys while two nodes work, re-encrypts stored values, and values of former keys stay readable', async () => {
    const bluesky = await blueskyServer()
    const mastodon = await mastodonServer()
    const other = await node()
    try {
      const former = { token: t.deps.keyring.current('token').id, encryption: t.deps.keyring.current('encryption').id }
      const mine = await withToken(t, owner)
      const webhook = await newWebhook(owner)
      const { id: rotated } = await newWebhook(owner)
      expectStatus(await owner.patch(`/api/v1/webhooks/${rotated}`, { headers: { 'X-Key': 'of the receiver' } }), 200)
      expectStatus(await owner.post(`/api/v1/webhooks/${rotated}/rotate-secret`), 200)
      const account = expectStatus(
        await owner.post('/api/v1/accounts', {
          network: 'bluesky',
          service: bluesky.url,
          ...bluesky.addAccount('very-secret-app-password'),
        }),
        201,
      ).body
      const root = await signedIn(t, { instanceAdmin: true })
      expectStatus(await root.put('/api/v1/options/openai_api_key', { value: 'key-of-the-vendor' }), 200)
      for (const account of [payoutAccount, { holder: 'Ada Lovelace', note: 'Account 4711' }])
        await requested(await withEarnings(t, await withWorkspace(t), account))
      await withSignIn(root)
      await startedConnection(owner, 'mastodon', mastodon.url)
      expectStatus(await owner.get('/api/v1/me/push-key'), 200)
      const link = {
        name: 'Bakery',
        starts_on: '2026-03-01',
        ends_on: '2026-03-31',
        client_email: 'client@example.com',
      }
      expectStatus(await owner.post('/api/v1/client-links', link), 201)
      const end = underLoad(t, other, mine.token)
      await add('encryption')
      await run('keys', 'rotate', 'token')
      await activateNewest('1 hour')
      for (const { deps } of [t, other]) {
        // Every node can read with them, but none writes with them yet.
        const staged = () => deps.keyring.list().filter(({ state }) => state === 'staged')
        await until(() => expect(staged()).toHaveLength(2))
        expect(deps.keyring.current('token').id).toBe(former.token)
        expect(deps.keyring.current('encryption').id).toBe(former.encryption)
      }
      await activateNewest('0')
      const { stderr } = await run('keys', 'rotate', 'encryption')
      await end()
      expect(stderr).toContain('account.credentials: 1')
      expect(stderr).toMatch(/webhook\.secret: \d+/)

      for (const { deps } of [t, other])
        await until(() => expect(deps.keyring.current('token').id).not.toBe(former.token))
      const now = { token: t.deps.keyring.current('token').id, encryption: t.deps.keyring.current('encryption').id }
      expect(now.encryption).not.toBe(former.encryption)
      const fresh = await withToken(t, owner)
      const row = await t.deps.db
        .selectFrom('api_token')
        .select('hashed_token')
        .where('id', '=', fresh.id)
        .executeTakeFirstOrThrow()
      expect(row.hashed_token).toMatch(new RegExp(`^v1\\$${now.token}\\$`))
      for (const token of [mine.token, fresh.token])
        for (const there of [t, other]) expectStatus(await as(there, token).get('/api/v1/me'), 200)

      expect((await webhookRow(webhook.id)).secret).toMatch(new RegExp(`^v1\\.${now.encryption}\\.`))
      for (const { deps } of [t, other])
        expect(openSecret(deps.keyring, await webhookRow(webhook.id))).toBe(webhook.secret)
      expect(expectStatus(await owner.post(`/api/v1/accounts/${account.id}/check`), 200).body.status).toBe('connected')
      for (const { deps } of [t, other]) expect(await deps.options.secret('openai_api_key')).toBe('key-of-the-vendor')
      expect(await sealedWith(former.encryption)).toEqual([])
      expect(await sealedWith(now.encryption)).toEqual(sealedColumns.map((column) => column.join('.')).sort())

      expect(await listed()).toEqual(
        expect.arrayContaining([
          ['token', former.token, 'former'],
          ['token', now.token, 'current'],
          ['encryption', former.encryption, 'former'],
          ['encryption', now.encryption, 'current'],
        ]),
      )
    } finally {
      await other.close()
      bluesky.close()
      mastodon.close()
    }
  })

  /** Every column of every table that holds a value sealed with this key. */
  async function sealedWith(id: string) {
    const { rows: columns } = await sql<{ name: string; column: string }>`
      select table_name as name, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'text' order by 1, 2`.execute(t.deps.db)
    const found: string[] = []
    for (const { name, column } of columns) {
      const { rows } = await sql`select from ${sql.table(name)}
        where starts_with(${sql.ref(column)}, ${`v1.${id}.`}) limit 1`.execute(t.deps.db)
      if (rows.length) found.push(`${name}.${column}`)
    }
    return found
  }

  test.each([['rotate'], ['rotate', 'auth'], ['rotate', 'token', 'now'], ['delete']])(
    'keys %s %s is refused with the usage',
    async (...args) => {
      await expect(run('keys', ...args)).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('keys rotate'),
      })
    },
  )

  test('migrate ends when the database is up to date, and fails for an unknown role', async () => {
    expect((await run('migrate')).stderr).toContain('up to date')
    await expect(run('migrate', '--grant', 'nobody_of_this_name')).rejects.toMatchObject({ code: 1 })
  })

  test('migrate refuses to grant access to the owner of the tables, which would lose rights by it', async () => {
    const { user = '' } = t.database.connection
    const may = async () =>
      (await sql`select relname, relacl::text from pg_class where relname = 'audit_entry'`.execute(t.deps.db)).rows
    const before = await may()
    await expect(run('migrate', '--grant', user)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/owns .* another role/),
    })
    expect(await may()).toEqual(before)
  })
})

describe('a node that missed the invalidation of a new key', () => {
  test('the node loads the key when its connection is back', async () => {
    const other = await node()
    try {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'meydan-pulse' and datname = current_database()`.execute(t.deps.db)
      const id = await add('encryption')
      await until(() => expect(other.deps.keyring.list().map((key) => key.id)).toContain(id))
    } finally {
      await other.close()
    }
  })

  test('the node responds 503 once to a value sealed with the new key, and loads the key', async () => {
    const deaf = await loadKeyring(t.deps.db, t.deps.config.SECRET_KEY ?? '')
    const id = await add('encryption')
    expect(() => deaf.byId(id)).toThrow(expect.objectContaining({ code: 'unavailable' }))
    await until(() => expect(deaf.byId(id).type).toBe('secret'))
  })

  test('the node keeps its opened keys when another one rewraps the keyring with an unknown secret', async () => {
    const former = t.deps.config.SECRET_KEY ?? ''
    const old = await loadKeyring(t.deps.db, former)
    const sealed = seal(old, 'credentials', 'account|1|credentials')
    await loadKeyring(t.deps.db, 'a third secret key for tests, long enough', former)
    await old.refresh()
    expect(unseal(old, sealed, 'account|1|credentials')).toBe('credentials')
    await loadKeyring(t.deps.db, former, 'a third secret key for tests, long enough')
  })
})
