import { enableCompileCache } from 'node:module'

// Makes every start but the first quicker.
enableCompileCache()
const { readConfig } = await import('./config.ts')
const { sayStep } = await import('./lib/log.ts')
const { serve } = await import('./main.ts')
const { StartError } = await import('./lib/start-error.ts')

const STOP_WITHIN_MS = 9500

const usage = `meydan <command>

  serve          start Meydan (settings: docs/configuration.md)
  serve --dev    the same, with a console that follows changes of its sources
`

async function runServe(dev: boolean) {
  // A promise that a library forgot must not take down everybody's requests, nor keep Meydan from stopping.
  process.on('unhandledRejection', (error) => sayStep(`Unhandled: ${error instanceof Error ? error.stack : error}`))
  const starting = serve(readConfig(), { dev })
  let stopping = false
  const onSignal = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    sayStep(`${signal}: stopping`)
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    try {
      // A start that is under way is finished first, so that PostgreSQL is never left behind.
      await (await starting).stop()
      process.exit(0)
    } catch (error) {
      sayStep(`Did not stop cleanly: ${error instanceof Error ? error.message : error}`)
      process.exit(1)
    }
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  await starting
}

const [command = 'serve', ...options] = process.argv.slice(2)
if (command !== 'serve' || options.some((option) => option !== '--dev')) {
  process.stderr.write(usage)
  process.exit(command === 'help' || command === '--help' ? 0 : 2)
}
try {
  await runServe(options.includes('--dev'))
} catch (error) {
  if (error instanceof StartError) sayStep(error.message)
  else sayStep(`Meydan could not start: ${error instanceof Error ? error.stack : error}`)
  process.exit(1)
}
