import { readConfig } from '../../server/config/config.ts'
import { createDeps } from '../../server/deps.ts'
import { startWorker } from '../../server/worker.ts'

// Survives rejections that a library forgot, as `meydan serve` does.
process.on('unhandledRejection', () => undefined)
const config = readConfig()
const deps = await createDeps(config, { connectionString: config.DATABASE_URL })
await startWorker(deps, { alone: false })
process.stderr.write('Meydan is ready to work\n')
