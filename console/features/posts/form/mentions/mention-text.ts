import { mentionById } from '../../../../../shared/text/mentions'
import type { Writing } from '../../../../ui/fields/MentionField'
import { type NamedMention, storeNames } from '../../../../ui/text/mention-names'

/** The mentions with ids in a text that is stored. */
export const mentionsIn = (content: string): NamedMention[] =>
  [...content.matchAll(mentionById)].map(([stored, name = '']) => ({ name, stored }))

/**
 * The text of a post as a field shows it: mentions with ids by their names. Undefined if names alone would not lead back
 * to the same text, such as of two pages with one name.
 */
export function toShown(content: string, mentions: readonly NamedMention[]): string | undefined {
  const shown = content.replace(mentionById, '@$1')
  return storeNames(shown, mentions) === content ? shown : undefined
}

/** The name or handle that is being written after an `@` before the caret. */
export function writingAt(text: string, caret: number): Writing | undefined {
  const [, name] = /(?:^|[\s(])@([\p{L}\p{N}._@-]{0,100})$/u.exec(text.slice(0, caret)) ?? []
  return name === undefined ? undefined : { name, start: caret - name.length - 1 }
}
