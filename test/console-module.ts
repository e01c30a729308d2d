import { join } from 'node:path'
import { runnerImport } from 'vite'

/**
 * Loads a file of the console, whose imports only its bundler resolves. `path`: below console/. It is text, because the
 * console is checked with types of the browser.
 */
export async function consoleModule<T>(path: string) {
  const { module } = await runnerImport<T>(join(import.meta.dirname, '../console', path), { configFile: false })
  return module
}
