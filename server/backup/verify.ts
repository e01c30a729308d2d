import type { Progress } from './backup.ts'
import { fullName } from './database-copy.ts'
import { readBackup } from './read-backup.ts'
import type { BackupFile } from './targets/target.ts'

const NEWLINE = 10

type Options = { passphrase: string; onProgress: Progress; signal?: AbortSignal | undefined }

/** Reads every byte of a backup, and compares its rows and files with what it says of itself. Throws BackupError. */
export const verifyBackup = (file: BackupFile, options: Options) =>
  readBackup(
    { file, ...options },
    {
      info: () => undefined,
      database: async (_copy, _secret, tables) => {
        const rows: Record<string, number> = {}
        for await (const { table, content } of tables) rows[fullName(table)] = await countRows(content)
        return rows
      },
      file: async (_key, content) => {
        for await (const _part of content);
      },
      end: async (info, manifest) => ({ info, manifest }),
    },
  )

/** In the text format of COPY, a newline inside a value is escaped. */
async function countRows(content: AsyncIterable<Buffer>) {
  let rows = 0
  for await (const part of content)
    for (let at = part.indexOf(NEWLINE); at >= 0; at = part.indexOf(NEWLINE, at + 1)) rows++
  return rows
}
