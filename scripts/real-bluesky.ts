/**
 * Runs the real server of Bluesky on this machine, to try the Bluesky network by hand. The tests do not need it: they
 * use test/stand-ins/bluesky.ts.
 *
 *   npm run bluesky              # http://localhost:2583
 *   npm run bluesky -- compare   # sends the same calls to it and to the stand-in, and prints where they differ
 *   npm run bluesky -- publish   # publishes threads with images from a Meydan of its own, and reads them back
 *
 * The first start installs the server from npm into a folder outside of the repository, which takes about a minute and
 * 500 MB: REAL_BLUESKY_FOLDER, or meydan-real-bluesky in the temporary folder. Delete that folder when it is no longer
 * needed. Nothing of it becomes a dependency of Meydan.
 *
 * It prints the address, a handle and an app password, and runs until Ctrl+C; every start begins empty. There is no app
 * and no video service: a post is seen at /xrpc/com.atproto.repo.listRecords only, and videos stay with the stand-in.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compare } from './real-bluesky-compare.ts'
import { publishToReal } from './real-bluesky-publish.ts'

const VERSION = '0.6.7'
const PORT = 2583

const folder = resolve(process.env.REAL_BLUESKY_FOLDER ?? join(tmpdir(), 'meydan-real-bluesky'))
const entry = join(folder, 'node_modules/@atproto/dev-env/dist/index.js')
const sqlite = join(folder, 'node_modules/better-sqlite3')

if (!existsSync(entry)) {
  console.log(`Installing @atproto/dev-env ${VERSION} into ${folder} …`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `@atproto/dev-env@${VERSION}`]
  execFileSync('npm', install, { cwd: folder, stdio: 'inherit' })
}
// Replaces the database library, because npm has no compiled code for it.
rmSync(sqlite, { recursive: true, force: true })
mkdirSync(sqlite)
copyFileSync(join(import.meta.dirname, 'real-bluesky-sqlite.mjs'), join(sqlite, 'index.mjs'))
writeFileSync(
  join(sqlite, 'package.json'),
  JSON.stringify({ name: 'better-sqlite3', version: '12.0.0', type: 'module', exports: './index.mjs' }),
)

type Network = { pds: { url: string }; close: () => Promise<void> }
const library: { TestNetworkNoAppView: { create: (options: object) => Promise<Network> } } = await import(
  pathToFileURL(entry).href
)
const network = await library.TestNetworkNoAppView.create({ pds: { port: PORT } })
const url = network.pds.url

async function call(name: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/xrpc/com.atproto.server.${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
  return Object(await response.json())
}

const handle = 'ada.test'
const account = await call('createAccount', { handle, email: 'ada@example.org', password: 'a-password-of-the-owner' })
const { password } = await call('createAppPassword', { name: 'meydan' }, String(account.accessJwt))

for (const [name, run] of Object.entries({ compare, publish: publishToReal }))
  if (process.argv.includes(name)) {
    const mistakes = await run({ url, handle, password: String(password) })
    await network.close()
    process.exit(mistakes === 0 ? 0 : 1)
  }
console.log(`Address       ${url}\nHandle        ${handle}\nApp password  ${password}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => network.close().then(() => process.exit()))
