import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Deps } from '../../../lib/deps.ts'
import { drawCard } from '../files/client/card.ts'
import type { Card } from '../files/rules/protocol.ts'
import { inTemporaryFolder } from '../storage/temporary.ts'
import { receive } from './receive.ts'
import { type StoreDeps, storeFile } from './upload.ts'

/** Draws a card and moves it into storage, where it waits for its record. */
export const storeCard = (deps: StoreDeps & Pick<Deps, 'config'>, workspace_id: string, card: Card) =>
  inTemporaryFolder(deps.config, async (folder) => {
    const path = join(folder, 'card.png')
    await drawCard({ workspace_id, lane: 'uploads' }, path, card)
    return storeFile(deps, workspace_id, await receive(createReadStream(path), folder))
  })
