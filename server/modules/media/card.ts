import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Deps } from '../../lib/deps.ts'
import { inDecoderProcess, pixelsOf, type Requester } from './files/client/decoder-process.ts'
import type { Card } from './files/rules/protocol.ts'
import { inTemporaryFolder } from './storage/temporary.ts'
import { receive } from './upload/receive.ts'
import { type StoreDeps, storeFile } from './upload/upload.ts'

/** Pixels of a card: the tallest that networks show whole in their feeds. */
const SIZE = { width: 1080, height: 1350 }

const OTHER_LETTERS = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u
const SYMBOLS =
  /(?![©®™])[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]|\u{fe0f}|\u{200d}|\u{20e3}/gu

/** A text as a card shows it, in one paragraph and without emoji. undefined: the font lacks its letters. */
export function cardText(text: string) {
  const drawn = text
    .normalize('NFC')
    .replace(SYMBOLS, '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  return drawn === '' || OTHER_LETTERS.test(drawn) ? undefined : drawn
}

/** Draws a card to a PNG at `target`. */
const drawCard = (requester: Requester, target: string, card: Card) =>
  inDecoderProcess(requester, pixelsOf(SIZE), 'drawCard', target, card, SIZE)

/** Draws a card and moves it into storage, where it waits for its record. */
export const storeCard = (deps: StoreDeps & Pick<Deps, 'config'>, workspace_id: string, card: Card) =>
  inTemporaryFolder(deps.config, async (folder) => {
    const path = join(folder, 'card.png')
    await drawCard({ workspace_id, lane: 'uploads' }, path, card)
    return storeFile(deps, workspace_id, await receive(createReadStream(path), folder))
  })
