import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { processEnv } from './processes.ts'

test('without the packages of OpenTelemetry, its preload says which are missing, and Meydan runs', async () => {
  const args = ['--import', './server/telemetry.ts', 'server/cli.ts', '--help']
  const { stderr } = await promisify(execFile)(process.execPath, args, { env: processEnv({}) })
  expect(stderr).toMatch(/^OpenTelemetry is off, because these packages are not installed: @opentelemetry\/.*$/m)
  expect(stderr).toMatch(/^meydan <command>$/m)
})
