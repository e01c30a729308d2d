import { withoutHiddenCharacters } from '../../../../lib/text.ts'

/** Cuts a text to at most `max` UTF-16 units, between characters. */
export const cut = (text: string, max: number) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** Text without what nobody sees, on few lines. */
export const plainText = (text: string) =>
  withoutHiddenCharacters(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
