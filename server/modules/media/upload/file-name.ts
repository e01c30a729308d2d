import { namePattern } from '../../../lib/http/schema/schema.ts'

const MAX_LENGTH = 200
const shown = new RegExp(namePattern, 'u')

/** The name to show for a file that was sent with this one: without folders and invisible characters. */
export function fileName(sent: string | undefined, extension: string) {
  // Browsers write a quotation mark so.
  const [last = ''] = (sent ?? '').replaceAll('%22', '"').split(/[\\/]/).slice(-1)
  const name = Array.from(last.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim())
    .slice(0, MAX_LENGTH)
    .join('')
    .slice(0, MAX_LENGTH)
    .toWellFormed()
  return shown.test(name) && !/^\.+$/.test(name) ? name : `file.${extension}`
}
