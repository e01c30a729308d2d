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

export default defineConfig({
  root: 'console',
  base: '/console/',
  plugins: [react(), compressed()],
  // Fonts stay files: inside a style sheet they would be loaded whether they are needed or not.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2024', assetsInlineLimit: 0, manifest: 'manifest.json' },
})
