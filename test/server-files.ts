import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** The files of the server without tests, with paths from the repository root. */
export const files = globSync('server/**/*.ts', { cwd: root }).filter((file) => !/\.(test|fixture)\.ts$/.test(file))

/** Their contents, by path. */
export const source = Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

/** The module of a file. Undefined for files outside of `server/modules/`. */
export const moduleOf = (file: string) => /^server\/modules\/(\w+)\//.exec(file)?.[1]
