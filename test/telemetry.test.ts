import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { kill, processEnv } from './processes.ts'

test('without the packages of OpenTelemetry, its preload says which are missing, and Meydan runs', async () => {
  const args = ['--import', './server/telemetry.ts', 'server/cli.ts', '--help']
  const { stderr } = await promisify(execFile)(process.execPath, args, { env: processEnv({}) })
  expect(stderr).toMatch(/^OpenTelemetry is off, because these packages are not installed: @opentelemetry\/.*$/m)
  expect(stderr).toMatch(/^meydan <command>$/m)
})

/** Classes of the packages of OpenTelemetry, which are not installed here. */
const classes = {
  '@opentelemetry/sdk-node': `class NodeSDK {
    start() {}
    async shutdown() { process.stdout.write('sent ') }
  }`,
  '@opentelemetry/instrumentation-http': 'class HttpInstrumentation {}',
  '@opentelemetry/instrumentation-pg': 'class PgInstrumentation {}',
  '@opentelemetry/instrumentation-undici': 'class UndiciInstrumentation {}',
  '@opentelemetry/instrumentation-pino': 'class PinoInstrumentation {}',
  '@fastify/otel': 'class FastifyOtelInstrumentation {}',
}

/** Runs a program with the preload, and sends it one signal once it runs. Returns how it ended. */
async function stopped(program: string, signal: NodeJS.Signals) {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-telemetry-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const install = async (name: string, file: string, content: string) => {
    const home = join(folder, 'node_modules', name)
    await mkdir(home, { recursive: true })
    await writeFile(join(home, file), content)
    await writeFile(join(home, 'package.json'), JSON.stringify({ name, type: 'module', main: 'index.js' }))
  }
  for (const [name, content] of Object.entries(classes)) await install(name, 'index.js', `export ${content}`)
  await install('@opentelemetry/instrumentation', 'index.js', '')
  await writeFile(join(folder, 'node_modules', '@opentelemetry/instrumentation', 'hook.mjs'), '')
  const preload = join(folder, 'telemetry.ts')
  await copyFile('server/telemetry.ts', preload)
  const cli = join(folder, 'cli.ts')
  await writeFile(cli, `${program}\nsetInterval(() => undefined, 1000)\nprocess.stdout.write('running ')`)
  const child = spawn(process.execPath, ['--import', preload, cli], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => kill(child))
  const exit = once(child, 'exit')
  child.stdout.once('data', () => child.kill(signal))
  const said = await text(child.stdout)
  const [code, by] = await exit
  return { said, code, by }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'with the preload, the first %s ends a program that does not listen to it, once its traces are sent',
  async (signal) => {
    expect(await stopped('', signal)).toEqual({ said: 'running sent ', code: null, by: signal })
  },
)

test('with the preload, a program that listens to a signal ends by itself', async () => {
  const program = `process.on('SIGTERM', () => setImmediate(() => process.exit(3)))`
  expect(await stopped(program, 'SIGTERM')).toEqual({ said: 'running sent ', code: 3, by: null })
})
