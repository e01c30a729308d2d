import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { createDeps } from '../../server/deps.ts'
import { startWorker } from '../../server/worker.ts'

// Serves the API and runs jobs, on a clock that is ahead as far as that of the test.
process.on('unhandledRejection', () => undefined)
const config = readConfig()
const ahead = Number(process.env.CLOCK_AHEAD_MS)
const clock = { now: () => new Date(Date.now() + ahead) }
const deps = await createDeps(config, { connectionString: config.DATABASE_URL }, { clock })
const app = await buildApp(deps)
await app.listen({ port: config.PORT, host: '127.0.0.1' })
await startWorker(deps, { alone: false })
process.stderr.write('Meydan is ready to work\n')
