import { appendFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { catalogue, fieldCodes } from '../server/errors.ts'

declare module 'vitest' {
  interface ProvidedContext {
    expectedCodes: string
  }
}

const noted = new Set<string>()

/** Records that a test expected this code and got it. `folder`: the records of all workers of a run. */
export function noteCode(folder: string, code: string) {
  if (noted.size === noted.add(code).size) return
  appendFileSync(join(folder, String(process.pid)), `${code}\n`)
}

const codesIn = async (folder: string) => {
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return new Set(texts.join('').split('\n'))
}

/** Whether all test files ran completely. A partial run proves nothing about missing codes. */
async function ranWhole({ vitest }: TestProject) {
  const ran = vitest.state.getTestModules()
  const all = await vitest.globTestSpecifications()
  return !vitest.config.testNamePattern && ran.length === all.length && ran.every((file) => file.ok())
}

/** Runs once: fails the run if no test expected one of the codes that clients can get. */
export async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-codes-'))
  project.provide('expectedCodes', folder)
  return async () => {
    const expected = await codesIn(folder)
    await rm(folder, { recursive: true, force: true })
    if (!(await ranWhole(project))) return
    const missing = [...Object.keys(catalogue), ...fieldCodes].filter((code) => !expected.has(code))
    if (missing.length === 0) return
    // Errors thrown here are only logged.
    process.exitCode = 1
    throw new Error(`No test expects these codes of server/errors.ts with expectProblem: ${missing.join(', ')}`)
  }
}
