import { readConfig } from '../../server/config/config.ts'
import { createDeps } from '../../server/deps.ts'
import { startWorker } from '../../server/worker.ts'

// A worker that notices the dead, the silent and lost locks sooner than in production. It survives rejections that a
// library forgot, as `meydan serve` does.
process.on('unhandledRejection', () => undefined)
const config = readConfig()
const deps = await createDeps(config, { connectionString: config.DATABASE_URL })
await startWorker(deps, { alone: false, beatMs: 200, silenceS: 2, lostLockS: 1 })
process.stderr.write('Meydan is ready to work\n')
