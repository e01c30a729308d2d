import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { cloneDatabase, databaseUrl } from '../../test/database.ts'
import { draft } from '../../test/deliveries.ts'
import { withWorkspace } from '../../test/factories.ts'
import { noise, uploaded } from '../../test/media.ts'
import { canMount, onDiskOf } from '../../test/mounted-disk.ts'
import { processEnv } from '../../test/processes.ts'
import { scaled } from '../../test/run/machine.ts'
import { createDatabase } from '../lib/db/database.ts'
import { writeBackup } from './backup.ts'
import { localFile } from './targets/folder-target.ts'

const passphrase = 'simit ve çay her sabah'
const secret = 'a secret key for tests, long enough'
const quiet = { onProgress: () => undefined, log: () => undefined }

const t = await testApp()
const folder = await mkdtemp(join(tmpdir(), 'meydan-full-disk-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a script in which DATA_DIR is a disk of its own. Returns what it and the commands in it printed. */
async function onDisk(size: string, script: string, settings: Record<string, string> = {}) {
  const DATA_DIR = await mkdtemp(join(folder, 'data-'))
  const [file = '', ...args] = onDiskOf(size, DATA_DIR, script)
  const env = processEnv({ BACKUP_PASSPHRASE: passphrase, SECRET_KEY: secret, DATA_DIR, ...settings })
  const { stdout, stderr } = await promisify(execFile)(file, [...args, process.execPath, 'server/cli.ts'], { env })
  const said = `${stdout}${stderr}`
  // The problem is described in sentences.
  expect(said).not.toMatch(/^\s+at |node:internal/m)
  return { said, stdout }
}

const FULL = /^The disk is full\. Nothing was restored\. Free some space and start again\.$/m

describe.runIf(canMount)('onto a disk that is too small', () => {
  test('a restore whose files do not fit leaves neither rows nor files, and succeeds on a larger disk', async () => {
    const owner = await withWorkspace(t)
    // The first file fits, and the second one does not.
    for (let file = 0; file < 2; file++) await uploaded(owner, { bytes: await noise(900, 900) })
    const path = join(folder, 'files.backup')
    const { connection } = t.database
    const source = { connection, storage: t.deps.storage, secret, passphrase, ...quiet }
    expect((await writeBackup(localFile(path), source)).manifest.bytes).toBeGreaterThan(4_000_000)

    const database = await cloneDatabase(inject('postgres'))
    onTestFinished(() => database.drop())
    const settings = { DATABASE_URL: databaseUrl(database.connection), BACKUP: path }
    const script = '"$@" restore "$BACKUP" && exit 1; find "$0" -type f'
    const { said, stdout } = await onDisk('4m', script, settings)
    expect(said).toMatch(FULL)
    expect(stdout).toBe('')
    const { db, close } = createDatabase(database.connection, 1)
    expect(await db.selectFrom('user').select('id').execute()).toEqual([])
    await close()
    expect((await onDisk('64m', '"$@" restore "$BACKUP"', settings)).said).toMatch(/^Restored \d+ rows, \d+ files/m)
  })

  test(
    'a restore whose rows do not fit leaves nothing, and succeeds once there is space',
    async () => {
      const owner = await withWorkspace(t)
      for (let row = 0; row < 100; row++) await draft(owner, (await noise(110, 110)).toString('base64'))
      const path = join(folder, 'rows.backup')
      const { connection } = t.database
      await writeBackup(localFile(path), { connection, storage: t.deps.storage, secret, passphrase, ...quiet })
      const script = `
        "$@" migrate || exit 1
        used=$(df --output=used -k "$0" | tail -n 1)
        mount -o remount,size=$((used + 4096))k "$0"
        "$@" restore "$BACKUP" && exit 1
        find "$0/files" "$0/secret.key" -type f
        mount -o remount,size=512m "$0"
        "$@" restore "$BACKUP"`
      const { said, stdout } = await onDisk('512m', script, { BACKUP: path })
      expect(stdout).toBe('')
      expect(said).toMatch(FULL)
      expect(said).toMatch(/^Restored \d+ rows/m)
    },
    scaled(30_000),
  )

  test('a backup leaves no file', async () => {
    const owner = await withWorkspace(t)
    for (let row = 0; row < 10; row++) await draft(owner, (await noise(110, 110)).toString('base64'))
    const settings = { DATABASE_URL: databaseUrl(t.database.connection) }
    const script = 'head -c 1900000 /dev/zero > "$0/filled"; "$@" backup "$0/one.backup" && exit 1; LC_ALL=C ls "$0"'
    const { said, stdout } = await onDisk('2m', script, settings)
    expect(said).toMatch(/is full\. Nothing was kept\./)
    expect(stdout).toBe('files\nfilled\n')
  })
})
