import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Card } from '../rules/protocol.ts'
import type { Size } from '../rules/sizes.ts'
import { decoding } from './decoder.ts'

/** Inter comes with Meydan, as a server may have no fonts. */
const FONT = fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'))
const MARGIN = 108
/** Height without text, above and below together. */
const BLANK = 350
/** Line above the text. */
const LINE = { width: 96, height: 12, top: 130 }
/** Sizes of letters in pixels, the largest that fits is used. */
const SIZES = [132, 116, 100, 88, 76, 66, 56, 48]

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** `wrap`: where lines may break. Only the smallest letters break words. */
const drawText = ({ text, foreground }: Card, width: number, size: number, wrap: 'word' | 'word-char') =>
  sharp({
    text: {
      text: `<span foreground="${foreground}">${escaped(text)}</span>`,
      font: `Inter SemiBold ${size}`,
      fontfile: FONT,
      width,
      dpi: 72,
      rgba: true,
      spacing: Math.round(size / 12),
      wrap,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })

async function largestText(card: Card, area: Size) {
  for (const size of SIZES) {
    const drawn = await drawText(card, area.width, size, 'word')
    if (drawn.info.width <= area.width && drawn.info.height <= area.height) return drawn
  }
  return drawText(card, area.width, Math.min(...SIZES), 'word-char')
}

/** Writes a text on a plain background as a PNG to `target`. The same card always gives the same bytes. */
export async function drawCard(target: string, card: Card, { width, height }: Size) {
  return decoding(async () => {
    const { data, info } = await largestText(card, { width: width - 2 * MARGIN, height: height - BLANK })
    const line = {
      create: { width: LINE.width, height: LINE.height, channels: 3 as const, background: card.foreground },
    }
    await sharp({ create: { width, height, channels: 3, background: card.background } })
      .composite([
        { input: line, left: MARGIN, top: LINE.top },
        { input: data, left: MARGIN, top: Math.round((height - info.height) / 2) },
      ])
      .png({ compressionLevel: 9 })
      .toFile(target)
  })
}
