import { join } from 'node:path'
import { runnerImport } from 'vite'

const ENTRY = 'virtual:console'

/**
 * Loads files of the console, whose imports only its bundler resolves, as one module: a class that two of them know is the
 * same. `paths`: below console/. They are text, because the console is checked with types of the browser.
 */
export async function consoleModule<T>(...paths: string[]) {
  const exports = paths.map((path) => `export * from ${JSON.stringify(join(import.meta.dirname, '../console', path))}`)
  const entry = {
    name: 'console-module',
    resolveId: (id: string) => (id === ENTRY ? `\0${ENTRY}` : undefined),
    load: (id: string) => (id === `\0${ENTRY}` ? exports.join('\n') : undefined),
  }
  const { module } = await runnerImport<T>(ENTRY, { configFile: false, plugins: [entry] })
  return module
}
