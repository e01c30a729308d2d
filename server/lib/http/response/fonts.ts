import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../errors.ts'
import { anyone } from '../access.ts'
import { etagOfBytes, FOREVER, type PackedFile, sendPacked } from './compression.ts'

const styleSheet = import.meta.resolve('@fontsource-variable/hanken-grotesk/wght.css')
const { version }: { version: string } = JSON.parse(
  await readFile(new URL(import.meta.resolve('@fontsource-variable/hanken-grotesk/package.json')), 'utf8'),
)

/** The typeface of the console, for pages that the server makes. */
export const FONT_FAMILY = "'Hanken Grotesk Variable',system-ui,sans-serif"

/** Rules for the style sheet of a page. A browser fetches only the files whose letters the page has. */
export const fontFaces = (await readFile(new URL(styleSheet), 'utf8'))
  .replace(/\/\*.*?\*\/|\n\s*/g, '')
  .replace(/url\(\.\/files\/([\w-]+\.woff2)\)/g, `url(/fonts/$1?v=${version})`)

/** Serves the files that the rules name. Documents in a sandbox, which have no origin, may use them too. */
export function serveFonts(app: FastifyInstance) {
  const names = new Set([...fontFaces.matchAll(/\/fonts\/([\w-]+\.woff2)/g)].map(([, name = '']) => name))
  const files = new Map<string, Promise<PackedFile>>()
  const read = async (name: string): Promise<PackedFile> => {
    const bytes = await readFile(new URL(`files/${name}`, styleSheet))
    return { type: 'font/woff2', bytes, etag: etagOfBytes(bytes) }
  }
  const options = { config: { access: anyone() }, schema: { hide: true } }
  app.get<{ Params: { name: string } }>('/fonts/:name', options, async (request, reply) => {
    const { name } = request.params
    if (!names.has(name)) throw notFound()
    const file = files.get(name) ?? read(name)
    files.set(name, file)
    const isCurrent = request.url.endsWith(`?v=${version}`)
    reply.header('access-control-allow-origin', '*')
    return sendPacked(request, reply, await file, isCurrent ? FOREVER : 'no-cache')
  })
}
