import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Writes a .br and a .gz beside each text file, so that nothing is compressed while somebody waits. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const names = await readdir(dir, { recursive: true })
    await Promise.all(
      names
        .filter((name) => /\.(js|css|svg|webmanifest)$/.test(name))
        .map(async (name) => {
          const text = await readFile(join(dir, name))
          await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(text))
          await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(text))
        }),
    )
  },
})

/** The parts of the console's texts, so that who signs in waits for few of them: `en.json?first`. */
const parts = (): Plugin => ({
  name: 'parts-of-texts',
  enforce: 'pre',
  load: async function (id) {
    const [, file = '', part = ''] = /^(.*\/locales\/\w+\.json)\?(first|rooms|desk)$/.exec(id) ?? []
    if (!file) return undefined
    this.addWatchFile(file)
    const of: Record<string, string[]> = JSON.parse(await readFile(join(file, '../parts.json'), 'utf8'))
    const texts: object = JSON.parse(await readFile(file, 'utf8'))
    const isWanted = ([name]: [string, unknown]) =>
      of[part]?.includes(name) ?? !Object.values(of).some((names) => names.includes(name))
    const code = `export default ${JSON.stringify(Object.fromEntries(Object.entries(texts).filter(isWanted)))}`
    return { code, moduleType: 'js' }
  },
})

export default defineConfig({
  root: 'console',
  base: '/console/',
  plugins: [react(), parts(), compressed()],
  // Fonts stay files: inside a style sheet they would be loaded whether they are needed or not.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2024', assetsInlineLimit: 0, manifest: 'manifest.json' },
})
