import type { Card } from '../rules/protocol.ts'
import { inDecoderProcess, pixelsOf, type Requester } from './decoder-process.ts'

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
export const drawCard = (requester: Requester, target: string, card: Card) =>
  inDecoderProcess(requester, pixelsOf(SIZE), 'drawCard', target, card, SIZE)
