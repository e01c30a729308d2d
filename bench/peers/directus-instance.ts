import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { ConnectionConfig } from '../../server/lib/db/database.ts'
import { postJson } from '../http.ts'
import { freePort, startProcess, temporaryFolder } from '../processes.ts'

const run = promisify(execFile)

const VERSION = '11.17.4'
/** Replaces 5.0.3, which does not run on Node 24. Only flows and sandboxed extensions use it. */
const ISOLATED_VM = '6.2.0'
const TOKEN = 'directus-token-of-a-bench'

/** Installs Directus outside of the repository on the first start. Returns its command. */
async function install(log: (message: string) => void) {
  const parent = process.env.PEERS_FOLDER ?? join(tmpdir(), 'meydan-peers')
  const folder = resolve(parent, `directus-${VERSION}`)
  // Not the command of the package itself, which first looks for updates.
  const command = join(folder, 'node_modules/@directus/api/dist/cli/run.js')
  const installed = join(folder, 'installed')
  if (!existsSync(installed)) {
    log(`installing directus@${VERSION} into ${folder}, about 810 MB`)
    await mkdir(folder, { recursive: true })
    const overrides = { 'isolated-vm': ISOLATED_VM }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }))
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', `directus@${VERSION}`]
    await run('npm', args, { cwd: folder })
    await writeFile(installed, '')
  }
  return { folder, command }
}

/** Settings of production, without all that Directus does besides responding. It inherits none of the shell. */
async function settingsOf({ host, user, password, database, port }: ConnectionConfig, folder: string) {
  const files = await temporaryFolder()
  return {
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    DB_CLIENT: 'pg',
    DB_HOST: String(host),
    DB_PORT: String(port),
    DB_USER: String(user),
    DB_PASSWORD: String(password),
    DB_DATABASE: String(database),
    SECRET: 'a secret key for benches, long enough',
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'correct horse battery',
    ADMIN_TOKEN: TOKEN,
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    RATE_LIMITER_GLOBAL_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    LOG_LEVEL: 'silent',
    TELEMETRY: 'false',
    EMAIL_VERIFY_SETUP: 'false',
    HOST: '127.0.0.1',
    CONFIG_PATH: join(files, '.env'),
    TEMP_PATH: join(files, 'temporary'),
    EXTENSIONS_PATH: join(files, 'extensions'),
    PACKAGE_FILE_LOCATION: files,
    STORAGE_LOCAL_ROOT: join(files, 'uploads'),
  }
}

const COLLECTION = 'drafts'

/** Has the fields of a draft of Meydan that a CMS would have too. */
const collection = {
  collection: COLLECTION,
  meta: {},
  schema: {},
  fields: [
    { field: 'id', type: 'uuid', meta: { special: ['uuid'] }, schema: { is_primary_key: true } },
    { field: 'content', type: 'text', schema: { is_nullable: false } },
    { field: 'status', type: 'string', schema: { is_nullable: false, default_value: 'draft' } },
    { field: 'author', type: 'uuid', meta: { special: ['user-created'] }, schema: {} },
    { field: 'date_created', type: 'timestamp', meta: { special: ['date-created'] }, schema: {} },
    { field: 'date_updated', type: 'timestamp', meta: { special: ['date-updated'] }, schema: {} },
  ],
}

/** Starts Directus on this database, with a collection of drafts. */
export async function startDirectus(connection: ConnectionConfig, log: (message: string) => void) {
  const { folder, command } = await install(log)
  const settings = await settingsOf(connection, folder)
  log('creating the tables of Directus')
  await run(process.execPath, [command, 'bootstrap'], { env: { PATH: process.env.PATH, ...settings } })

  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/server/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
  const file = relative(join(import.meta.dirname, '..'), command)
  const { pid } = await startProcess(file, { ...settings, PORT: port }, ['start'], isReady)
  const headers = { authorization: `Bearer ${TOKEN}` }
  await postJson(`${url}/collections`, collection, headers)
  const author = { collection: COLLECTION, field: 'author', related_collection: 'directus_users' }
  await postJson(`${url}/relations`, author, headers)
  return { url, pid, headers, path: `/items/${COLLECTION}`, table: COLLECTION }
}
