import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { testApp } from '../../app.ts'
import { newPage } from '../../browser/browser.ts'
import { startMeydan } from '../../processes.ts'

test('a test that runs when the runner is ended', async () => {
  const t = await testApp({}, { live: true })
  const page = await newPage(t)
  await page.goto('/')
  await startMeydan({ PORT: '0', DATA_DIR: await mkdtemp(join(tmpdir(), 'data-')) })
  await writeFile(join(tmpdir(), 'started'), '')
  await new Promise(() => undefined)
})
