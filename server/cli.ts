import { flushCompileCache } from 'node:module'
import { parseArgs } from 'node:util'

const { readConfig, widenThreads } = await import('./config/config.ts')
widenThreads()
const { sayStep } = await import('./lib/runtime/logging/log.ts')
const { adviceFor, StartError } = await import('./lib/runtime/start-error.ts')

const STOP_WITHIN_MS = 19_500

const usage = `meydan <command>

  serve          start Meydan (settings: docs/configuration.md)
  serve --dev    start Meydan with a console that reloads when its sources change
  migrate        bring the database up to date, then exit
  migrate --grant <role>
                 also allow the role to run Meydan, but not to change the audit log
  keys           list the keys that hash tokens and encrypt credentials
  keys rotate <encryption|token>
                 add a key; Meydan may be running
  doctor         say what is wrong with this installation; Meydan may be running
  backup <file>  write a backup of everything, and verify it; Meydan may be running
  backup --physical <file>
                 back up the whole PostgreSQL server, for recovery to a point in time
  verify <file>  check that a backup is whole
  verify --restore <file>
                 also restore it into a throwaway database
  restore <file>
                 restore a backup into an empty installation, which is held afterwards
  restore --physical <file> --to <folder>
                 restore a physical backup into an empty folder, for PostgreSQL to start on
    --wal <folder>, --restore-command <command>
                 where PostgreSQL finds what was written after the backup
    --until <time>
                 recover what was there then, such as 2026-11-27T09:00:00Z
  workspace export [--close] <workspace> <file>
                 write one workspace to a file, to import it into another installation;
                 --close also deletes it here, so that its posts are published once
  workspace import <file>
                 import a workspace beside others; nothing of it goes out before its
                 members choose. Meydan may be running during both
  version        print the versions of Meydan, its schema, Node and PostgreSQL

  <file>         a path, or s3://bucket/file
  <workspace>    its id or slug
`

async function runServe(dev: boolean) {
  const { serve } = await import('./commands/serve.ts')
  // A promise that a library forgot must not end all requests, nor keep Meydan from stopping.
  let reportRejection = (error: unknown) => {
    sayStep(`Unhandled rejection: ${error instanceof Error ? error.stack : error}`)
  }
  process.on('unhandledRejection', (error) => reportRejection(error))
  const starting = serve(readConfig(), { dev })
  let stopping = false
  const onSignal = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    sayStep(`${signal}: stopping`)
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    try {
      // A start in progress is finished first, so that PostgreSQL is never left running.
      await (await starting).stop()
      process.exit(0)
    } catch (error) {
      sayStep(`Meydan did not stop cleanly: ${error instanceof Error ? error.message : error}`)
      process.exit(1)
    }
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const { outageLog } = await starting
  reportRejection = (error) => outageLog.report(error, 'a promise was rejected that nobody awaited')
  // Otherwise it is written at the exit, which a killed process has not.
  flushCompileCache()
}

const loadCommands = () => import('./commands/database-commands.ts')
const loadBackupCommands = () => import('./backup/commands.ts')

/** The command for the arguments; undefined for unknown ones. */
function readCommand([command = 'serve', ...options]: string[]): (() => Promise<void>) | undefined {
  if (command === 'backup' || command === 'restore') return readBackupCommand([command, ...options])
  if (command === 'workspace') return readWorkspaceCommand(options)
  const [first, second, ...more] = options
  if (more.length) return
  if (command === 'serve' && second === undefined && (first === undefined || first === '--dev'))
    return () => runServe(first === '--dev')
  if (command === 'migrate' && (first === undefined ? true : first === '--grant' && second))
    return async () => (await loadCommands()).runMigrate(readConfig(), second)
  if ((command === 'version' || command === '--version') && first === undefined)
    return async () => (await loadCommands()).printVersion(readConfig)
  if (command === 'keys' && first === undefined) return async () => (await loadCommands()).listKeys(readConfig())
  if (command === 'keys' && first === 'rotate' && (second === 'encryption' || second === 'token'))
    return async () => (await loadCommands()).rotateKey(readConfig(), second)
  if (command === 'verify' && first === '--restore' && second !== undefined)
    return async () => (await loadBackupCommands()).runVerify(readConfig(), second, { restore: true })
  if (command === 'doctor' && first === undefined)
    return async () => (await import('./commands/doctor.ts')).runDoctor(readConfig())
  if (first === undefined || second !== undefined) return
  if (command === 'verify') return async () => (await loadBackupCommands()).runVerify(readConfig(), first)
  return undefined
}

const backupOptions = {
  physical: { type: 'boolean', default: false },
  to: { type: 'string' },
  wal: { type: 'string' },
  'restore-command': { type: 'string' },
  until: { type: 'string' },
} as const

/** The command for the arguments of `backup` and `restore`; undefined for unknown ones. */
function readBackupCommand(args: string[]): (() => Promise<void>) | undefined {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: backupOptions })
  const [command, file, ...more] = positionals
  if (file === undefined || more.length > 0) return
  const { physical, to, wal, 'restore-command': restoreCommand, until } = values
  const recovery = { wal, restoreCommand, until }
  const hasRecovery = Object.values(recovery).some((value) => value !== undefined)
  if (command === 'restore' && physical && to !== undefined)
    return async () => (await loadBackupCommands()).runPhysicalRestore(readConfig(), file, to, recovery)
  if (to !== undefined || hasRecovery) return
  if (command === 'backup') return async () => (await loadBackupCommands()).runBackup(readConfig(), file, { physical })
  if (!physical) return async () => (await loadBackupCommands()).runRestore(readConfig(), file)
  return undefined
}

function readWorkspaceCommand([command, ...options]: string[]): (() => Promise<void>) | undefined {
  const close = options.includes('--close')
  const [first, second, ...more] = options.filter((option) => option !== '--close')
  if (more.length || first === undefined) return
  if (command === 'export' && second !== undefined)
    return async () =>
      (await import('./backup/workspace/commands.ts')).exportWorkspaceTo(readConfig(), first, second, { close })
  if (command === 'import' && second === undefined && !close)
    return async () => (await import('./backup/workspace/commands.ts')).importWorkspaceFrom(readConfig(), first)
  return undefined
}

const args = process.argv.slice(2)
let run: ReturnType<typeof readCommand>
try {
  run = readCommand(args)
} catch {
  // An unknown option.
}
if (!run) {
  process.stderr.write(usage)
  process.exit(args[0] === 'help' || args[0] === '--help' ? 0 : 2)
}
try {
  await run()
} catch (error) {
  const words = error instanceof Error ? error.message : String(error)
  if (error instanceof StartError) sayStep(error.message)
  else if (adviceFor(words)) sayStep(`Meydan could not start: ${words}\n${adviceFor(words)}`)
  else
    sayStep(
      `Meydan could not ${args[0] === 'serve' || !args[0] ? 'start' : 'run the command'}: ${error instanceof Error ? error.stack : error}`,
    )
  process.exit(1)
}
