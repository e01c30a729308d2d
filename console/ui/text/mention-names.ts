/** A name that a field shows after an `@`, and the text that is stored for it. */
export type NamedMention = { name: string; stored: string }

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Puts what is stored in place of `@name`. The longest names come first, because one can begin with another. */
export const storeNames = (text: string, mentions: readonly NamedMention[]) =>
  mentions
    .toSorted((a, b) => b.name.length - a.name.length)
    .reduce(
      (known, { name, stored }) =>
        known.replace(new RegExp(`(?<![\\p{L}\\p{N}])@${escaped(name)}(?![\\p{L}\\p{N}])`, 'gu'), () => stored),
      text,
    )
