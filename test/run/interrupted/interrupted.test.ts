import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SEED, thirdOf } from '../../torture/settings.ts'
import { processesOf } from '../clean-up.ts'
import { scaled } from '../machine.ts'

// All three: npm run torture -- interrupts
test.each(thirdOf<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGKILL']))(
  `%s to the runner leaves no process and no file of the run (seed ${SEED})`,
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'interrupted-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    const config = join(import.meta.dirname, 'vitest.config.ts')
    const vitest = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs')
    const runner = spawn(process.execPath, [vitest, 'run', '--config', config], {
      env: { ...process.env, TMPDIR: folder },
      stdio: 'ignore',
    })
    const exit = once(runner, 'exit')
    const started = async () => (await readdir(folder)).some((name) => existsSync(join(folder, name, 'started')))
    await expect.poll(started, { timeout: scaled(60_000), interval: 100 }).toBe(true)
    // A backend has the command line of its postmaster at first.
    expect((await processesOf(folder)).filter(({ isPostgres }) => isPostgres).length).toBeGreaterThanOrEqual(2)

    runner.kill(signal)
    await exit
    const cleaned = { timeout: scaled(60_000), interval: 100 }
    await expect.poll(() => processesOf(folder), cleaned).toEqual([])
    await expect.poll(() => readdir(folder), cleaned).toEqual([])
  },
)
