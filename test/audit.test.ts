import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const advisory = { url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc', title: 'Reads too far', severity: 'high' }
const vulnerable = { vulnerabilities: { deep: { via: [advisory] }, direct: { via: ['deep'] } } }

/** Runs the audit with an npm that prints `report`. */
function audit(report: object, accepted: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'report.json'), JSON.stringify(report))
  writeFileSync(join(folder, 'accepted.json'), JSON.stringify(accepted))
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat '${folder}/report.json'\nexit 1\n`, { mode: 0o755 })
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '../scripts/audit.ts'), '--accepted', join(folder, 'accepted.json')],
    { encoding: 'utf8', env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` } },
  )
  return { status, stdout }
}

test('a known vulnerability fails the audit, once for all packages that it is in', () => {
  const { status, stdout } = audit(vulnerable)
  expect(status).toBe(1)
  expect(stdout).toBe(
    `GHSA-aaaa-bbbb-cccc (high): deep: Reads too far\n  ${advisory.url}\nKnown vulnerabilities: 1. Not accepted: 1.\n`,
  )
})

test('one that was accepted with a reason does not, until its date', () => {
  const reason = 'Only reads files of this repository.'
  const accept = (until: string) => audit(vulnerable, { 'GHSA-aaaa-bbbb-cccc': { reason, until } })
  expect(accept('2999-01-01')).toEqual({ status: 0, stdout: 'Known vulnerabilities: 1. Not accepted: 0.\n' })
  expect(accept('2020-01-01').status).toBe(1)
})

test('an accepted one that is gone is named', () => {
  const { status, stdout } = audit({ vulnerabilities: {} }, { 'GHSA-old': { reason: 'x', until: '2999-01-01' } })
  expect(status).toBe(0)
  expect(stdout).toMatch(/^GHSA-old is accepted, and no longer found\./)
})

test('a registry that does not respond fails nothing, and the audit says that it checked nothing', () => {
  expect(audit({ message: '405 Method Not Allowed' })).toEqual({
    status: 0,
    stdout: 'Nothing was checked: the registry did not respond (405 Method Not Allowed).\n',
  })
})
