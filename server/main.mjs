// Starts the command line with the compiled modules of earlier runs. Plain JavaScript: of a first file in TypeScript,
// Node compiles the types before the cache is enabled, for which it loads a compiler.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Beside the packages and not in the folder for temporary files, where other users of the machine could put modules of
// their own. Ignored if NODE_COMPILE_CACHE names another folder. Nothing is kept where the folder cannot be written.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))

await import('./cli.ts')
