import { fullName } from './database-copy.ts'
import { readPhysicalBackup } from './physical/read-physical.ts'
import { type Reading, readArchive, readBackup } from './read-backup.ts'
import type { BackupFile } from './targets/target.ts'

const NEWLINE = 10

const readAll = async (content: AsyncIterable<Buffer>) => {
  for await (const _part of content);
}

/** Reads every byte of a backup, and compares it with what the backup says of itself. Throws BackupError. */
export const verifyBackup = (file: BackupFile, options: Omit<Reading, 'file'>) =>
  readArchive(
    { file, ...options },
    () => undefined,
    async (entries, info) => {
      if (info.postgres !== undefined)
        return readPhysicalBackup(entries, info, {
          clusterFile: (_path, content) => readAll(content),
          file: (_key, content) => readAll(content),
          end: async (contents) => contents,
        })
      return readBackup(entries, info, {
        database: async (_copy, _secret, tables) => {
          const rows: Record<string, number> = {}
          for await (const { table, content } of tables) rows[fullName(table)] = await countRows(content)
          return rows
        },
        file: (_key, content) => readAll(content),
        end: async (info, manifest) => ({ info, manifest }),
      })
    },
  )

/** In the text format of COPY, a newline inside a value is escaped. */
async function countRows(content: AsyncIterable<Buffer>) {
  let rows = 0
  for await (const part of content)
    for (let at = part.indexOf(NEWLINE); at >= 0; at = part.indexOf(NEWLINE, at + 1)) rows++
  return rows
}
