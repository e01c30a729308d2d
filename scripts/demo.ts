/** Does the main job on a throwaway instance. Exits with 0 only if every step succeeded. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addressOf, newAdmin, say, settingsFor, showMainJob } from './main-job.ts'

const GIVE_UP_S = 90

const dataDir = await mkdtemp(join(tmpdir(), 'meydan-demo-'))
let meydan: ChildProcess | undefined
let failure: unknown
const deadline = setTimeout(() => {
  console.error(`Not finished within ${GIVE_UP_S} s.`)
  meydan?.kill('SIGKILL')
  process.exit(1)
}, GIVE_UP_S * 1000)
try {
  const admin = newAdmin()
  meydan = spawn(process.execPath, ['server/cli.ts', 'serve'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
      PORT: '0',
      DATA_DIR: dataDir,
      ...settingsFor(admin),
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const base = await addressOf(meydan, say)
  say(`Meydan runs at ${base}`)
  await showMainJob(base, admin)
} catch (error) {
  failure = error
} finally {
  clearTimeout(deadline)
  if (meydan && meydan.exitCode === null) {
    meydan.kill('SIGTERM')
    await once(meydan, 'exit')
  }
  await rm(dataDir, { recursive: true, force: true })
}
if (failure) {
  console.error(failure)
  process.exit(1)
}
say('Every step succeeded. The instance has been removed.')
