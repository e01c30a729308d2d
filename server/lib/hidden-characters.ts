/** Flags of England, Scotland and Wales: the only use of tag characters that people see. */
const FLAG = '\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{4,6}\\u{e007f}'

/** Zero-width spaces, marks that reorder text, tag characters, soft hyphens, and control characters but line ends and tabs. */
const HIDDEN =
  '[\\u{0}-\\u{8}\\u{b}-\\u{1f}\\u{7f}-\\u{9f}\\u{ad}\\u{61c}\\u{180e}\\u{200b}\\u{200e}\\u{200f}\\u{2028}-\\u{202e}\\u{2060}-\\u{206f}\\u{feff}\\u{fff9}-\\u{fffb}\\u{e0000}-\\u{e007f}]'

const flagOrHidden = new RegExp(`${FLAG}|${HIDDEN}`, 'gu')

/** Removes what readers cannot see, and what could carry a message past them. Keeps what joins emoji and letters. */
export const withoutHiddenCharacters = (text: string) =>
  text.toWellFormed().replace(flagOrHidden, (found) => (found.startsWith('\u{1f3f4}') ? found : ''))
