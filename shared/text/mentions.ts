/**
 * A mention with the id that a network needs: `@[Bakery](urn:li:organization:501)`. Readers see its name. Marks that
 * end the name cannot be part of it.
 */
export const mentionById = /@\[([^[\]\r\n]{1,200})\]\((urn:li:organization:\d{1,20})\)/g

/** The text with the names of such mentions, as readers see it. */
export const withMentionNames = (text: string) => text.replace(mentionById, '$1')

/** Writes such a mention. */
export const toMentionById = (name: string, id: string) => `@[${name.replace(/[[\]\s]+/g, ' ').trim()}](${id})`
