/** Runs only the database of Meydan, for tests that kill it. It prints one line of JSON and stops on SIGTERM. */
import { writeSync } from 'node:fs'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const [dataDir = '', mode = ''] = process.argv.slice(2)
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`)
const messages: string[] = []

try {
  const begun = performance.now()
  const postgres = await startEmbeddedPostgres({
    dataDir,
    durable: mode.includes('durable'),
    log: (message) => messages.push(message),
  })
  say({ connection: postgres.connection, messages, ms: Math.round(performance.now() - begun) })
  if (!mode.includes('forgetful')) {
    const alive = setInterval(() => {}, 1_000_000)
    process.on('SIGTERM', () => void postgres.stop().then(() => clearInterval(alive)))
  }
} catch (error) {
  say({ error: error instanceof Error ? error.name : '', message: error instanceof Error ? error.message : '' })
  process.exitCode = 1
}
