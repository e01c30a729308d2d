import { namePattern } from '../../../lib/http/schema/schema.ts'

const MAX_LENGTH = 200
const shown = new RegExp(namePattern, 'u')

/** The first characters of a name, in at most `max` UTF-16 units. */
const start = (name: string, max: number) => name.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** The name to show for a file that was sent with this one: without folders and invisible characters. */
export function fileName(sent: string | undefined, extension: string) {
  // Browsers write a quotation mark so.
  const [last = ''] = (sent ?? '').replaceAll('%22', '"').split(/[\\/]/).slice(-1)
  const whole = last
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .toWellFormed()
  // A name that is too long keeps its ending.
  const [ending = ''] = /\.[\p{L}\p{N}]{1,10}$/u.exec(whole) ?? []
  const name = whole.length > MAX_LENGTH ? `${start(whole, MAX_LENGTH - ending.length)}${ending}` : whole
  if (!shown.test(name) || /^\.+$/.test(name)) return `file.${extension}`
  // An upload without a name waits as "file." until its type is known.
  return name.endsWith('.') ? `${name}${extension}` : name
}
