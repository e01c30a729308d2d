import { enableCompileCache } from 'node:module'

// Makes every start but the first quicker.
enableCompileCache()
const { readConfig, widenThreads } = await import('./config.ts')
widenThreads()
const { listKeys, rotateKey, runMigrate } = await import('./commands.ts')
const { sayStep } = await import('./lib/log.ts')
const { serve } = await import('./main.ts')
const { StartError } = await import('./lib/start-error.ts')

const STOP_WITHIN_MS = 9500

const usage = `meydan <command>

  serve          start Meydan (settings: docs/configuration.md)
  serve --dev    the same, with a console that follows changes of its sources
  migrate        bring the database up to date, and end
  migrate --grant <role>
                 and let that role run Meydan, but not change the audit log
  keys           list the keys that tokens are hashed and credentials encrypted with
  keys rotate <encryption|token>
                 add a key, also while Meydan runs
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

/** What the arguments ask for; undefined when that is nothing that Meydan knows. */
function readCommand([command = 'serve', ...options]: string[]): (() => Promise<void>) | undefined {
  const [first, second, ...more] = options
  if (more.length) return
  if (command === 'serve' && second === undefined && (first === undefined || first === '--dev'))
    return () => runServe(first === '--dev')
  if (command === 'migrate' && (first === undefined ? true : first === '--grant' && second))
    return () => runMigrate(readConfig(), second)
  if (command === 'keys' && first === undefined) return () => listKeys(readConfig())
  if (command === 'keys' && first === 'rotate' && (second === 'encryption' || second === 'token'))
    return () => rotateKey(readConfig(), second)
  return undefined
}

const args = process.argv.slice(2)
const run = readCommand(args)
if (!run) {
  process.stderr.write(usage)
  process.exit(args[0] === 'help' || args[0] === '--help' ? 0 : 2)
}
try {
  await run()
} catch (error) {
  if (error instanceof StartError) sayStep(error.message)
  else
    sayStep(
      `Meydan could not ${args[0] === 'serve' || !args[0] ? 'start' : 'do that'}: ${error instanceof Error ? error.stack : error}`,
    )
  process.exit(1)
}
