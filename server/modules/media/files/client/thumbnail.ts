import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../../../lib/deps.ts'
import { inTemporaryFolder } from '../../storage/temporary.ts'
import { prepareFile } from './prepare.ts'

/** A small WebP of an image that was fetched from elsewhere. Null if it has none. Throws for what is no file we accept. */
export const thumbnailOf = ({ config }: Pick<Deps, 'config'>, workspace_id: string, bytes: Buffer) =>
  inTemporaryFolder(config, async (folder) => {
    const path = join(folder, 'image')
    await writeFile(path, bytes)
    return (await prepareFile({ workspace_id, lane: 'uploads' }, path)).thumbnail
  })
