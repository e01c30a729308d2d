import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/database.ts'
import { codeOf } from '../error-code.ts'
import { StartError } from '../runtime/start-error.ts'

type Settings = { SECRET_KEY: string | undefined; DATA_DIR: string }

/** SECRET_KEY, or the key in DATA_DIR. Creates it there only for a database that has no keys yet. */
export async function readSecret({ SECRET_KEY, DATA_DIR }: Settings, db: Db) {
  if (SECRET_KEY) return SECRET_KEY
  const file = join(DATA_DIR, 'secret.key')
  const secret = await readFile(file, 'utf8').catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT')
      throw new StartError(`${file} cannot be read (${codeOf(error)}). It must be a file that Meydan may read.`)
    const used = await db.selectFrom('keyring').select('id').limit(1).executeTakeFirst()
    if (used)
      throw new StartError(
        `${file} is missing. It holds the secret key of this database: restore it from a backup, or set SECRET_KEY to its content.`,
      )
    return createSecret(DATA_DIR, file)
  })
  if (secret.trim().length < 32)
    throw new StartError(
      `${file} does not contain a key. Restore it from a backup: without it the stored credentials cannot be decrypted.`,
    )
  return secret.trim()
}

/** Writes a key aside and links it into place, so that it is never partial. Of two simultaneous starts, one wins. */
async function createSecret(folder: string, file: string) {
  await mkdir(folder, { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  await link(draft, file).catch(() => undefined)
  await rm(draft)
  return readFile(file, 'utf8')
}
