import { StartError } from '../lib/runtime/start-error.ts'
import type { Progress } from './backup.ts'
import type { DatabaseCopy } from './database-copy.ts'
import { readBackup } from './read-backup.ts'

const NEWLINE = 10

/** Reads every byte of a backup, and compares its rows and files with what it says of itself. Throws StartError. */
export function verifyBackup(path: string, { passphrase, onProgress }: { passphrase: string; onProgress: Progress }) {
  const rows: Record<string, number> = {}
  let files = 0
  let bytes = 0
  return readBackup(
    { path, passphrase, onProgress },
    {
      info: () => undefined,
      database: async (copy, _secret, tables) => {
        for (const table of copy.tables) rows[nameOf(table)] = 0
        for await (const { index, content } of tables) {
          const table = copy.tables[index]
          if (!table) throw new StartError(`The backup has rows of a table that it does not name (${index}).`)
          rows[nameOf(table)] = await countRows(content)
        }
      },
      file: async (_key, content) => {
        for await (const part of content) bytes += part.length
        files++
      },
      end: async (info, manifest) => {
        const differing = Object.keys(manifest.rows).filter((name) => rows[name] !== manifest.rows[name])
        if (differing.length > 0 || files !== manifest.files || bytes !== manifest.bytes)
          throw new StartError(`The backup lacks ${differing.join(', ') || 'files'}.`)
        return { info, manifest }
      },
    },
  )
}

const nameOf = ({ schema, name }: DatabaseCopy['tables'][number]) => `${schema}.${name}`

/** In the text format of COPY, a newline inside a value is escaped. */
async function countRows(content: AsyncIterable<Buffer>) {
  let rows = 0
  for await (const part of content)
    for (let at = part.indexOf(NEWLINE); at >= 0; at = part.indexOf(NEWLINE, at + 1)) rows++
  return rows
}
