import type { ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { type Client, client } from '../client.ts'
import { databaseUrl } from '../database.ts'
import { expectStatus, playgroundAccount, withToken, withWorkspace } from '../factories.ts'
import { freePort, kill, startProcess } from '../processes.ts'
import { scaled } from '../run/machine.ts'
import { until } from '../until.ts'

const checkout = join(import.meta.dirname, '../..')

let t: TestApp
let token: string
let account: string
let newer: string
beforeEach(async () => {
  t = await testApp({}, { origin: new Date() })
  const owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
  ;({ token } = await withToken(t, owner, ['posts:read', 'posts:write']))
  newer = await newerVersion({
    '9998_next.sql': 'alter table post add column next_note text; create table next_thing (id int primary key);',
  })
  // After the nodes, which the tests end.
  onTestFinished(async () => {
    await t.close()
    await rm(newer, { recursive: true, force: true })
  })
})

/** A copy of this checkout with further migrations. */
async function newerVersion(migrations: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-newer-'))
  for (const name of ['server', 'shared', 'migrations', 'package.json'])
    await cp(join(checkout, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'docs', 'console']) await symlink(join(checkout, name), join(folder, name))
  await addMigrations(folder, migrations)
  return folder
}
const addMigrations = async (folder: string, migrations: Record<string, string>) => {
  for (const [name, sql] of Object.entries(migrations)) await writeFile(join(folder, 'migrations', name), sql)
}

type Node = { process: ChildProcess; api: Client }

async function startNode(folder = checkout): Promise<Node> {
  const port = await freePort()
  const process = await startProcess([join(folder, 'server/cli.ts'), 'serve'], {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl(t.database.connection),
    DATA_DIR: t.deps.config.DATA_DIR,
    SECRET_KEY: String(t.deps.config.SECRET_KEY),
    RATE_LIMIT_READ: '0',
    RATE_LIMIT_WRITE: '0',
  })
  onTestFinished(() => kill(process))
  return { process, api: client(`http://127.0.0.1:${port}`, { authorization: `Bearer ${token}` }) }
}

/** Writes and reads posts through `nodes` in turn, as behind a proxy, until it is stopped. */
function startLoad(nodes: Node[]) {
  const failed: unknown[] = []
  const posts: string[] = []
  let turn = 0
  let requests = 0
  let running = true
  const send = async (call: (api: Client) => ReturnType<Client['get']>) => {
    const node = nodes[turn++ % nodes.length]
    const response = node && (await call(node.api).catch((error: unknown) => ({ status: 0, body: String(error) })))
    requests++
    if (!response || response.status < 200 || response.status > 299) failed.push(response)
    return response?.body
  }
  const visitor = async () => {
    while (running) {
      const body = { content: `Post ${posts.length}`, account_ids: [account], publish_now: true }
      const post = await send((api) => api.post('/api/v1/public/posts', body))
      if (post?.id) posts.push(post.id)
      // Publishing is slower than reading, and every post is waited for at the end.
      for (let read = 0; read < 10; read++) await send((api) => api.get(`/api/v1/public/posts/${post?.id}`))
    }
  }
  const visitors = Array.from({ length: 3 }, visitor)
  return {
    failed,
    posts,
    /** Resolves when many more requests have got a response. */
    goesOn: async () => {
      const goal = requests + 30
      await until(() => expect(requests).toBeGreaterThan(goal))
    },
    stop: async () => {
      running = false
      await Promise.all(visitors)
    },
  }
}

test('nodes are updated one after the other under load, and no request fails', {
  timeout: scaled(120_000),
}, async () => {
  const former = [await startNode(), await startNode()]
  const nodes = [...former]
  const load = startLoad(nodes)
  await load.goesOn()

  for (const node of former) {
    nodes.push(await startNode(newer))
    const { rows } = await t.deps.pool.query("select contracts from migration where name = '9998_next.sql'")
    expect(rows).toEqual([{ contracts: false }])
    // Former nodes stay ready on the newer schema.
    for (const { api } of nodes) expectStatus(await api.get('/readyz'), 200)
    await load.goesOn()
    nodes.splice(nodes.indexOf(node), 1)
    await kill(node.process, 'SIGTERM')
    expect(node.process.exitCode).toBe(0)
    await load.goesOn()
  }
  // Also the way back, while migrations only add.
  nodes.push(await startNode())
  await load.goesOn()
  await load.stop()

  expect(load.failed).toEqual([])
  const states = async () => {
    const { rows } = await t.deps.pool.query<{ id: string; status: string }>('select id, status from post')
    return new Map(rows.map(({ id, status }) => [id, status]))
  }
  await until(async () => {
    const found = await states()
    expect(load.posts.filter((id) => found.get(id) !== 'published')).toEqual([])
  })
})

test('a former version stops at a migration that takes something away, and names the way back', async () => {
  const node = await startNode()
  await addMigrations(newer, { '9999_contract.sql': '-- contract\nalter table post drop column if exists next_note;' })
  const next = await startNode(newer)
  expectStatus(await next.api.get('/readyz'), 200)
  expectStatus(await node.api.get('/readyz'), 503)
  await expect(startNode()).rejects.toThrow(/\(9999_contract\.sql\)\. Start the newer version, or restore the backup/)
})
