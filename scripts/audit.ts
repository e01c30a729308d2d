/**
 * Asks the npm registry about known vulnerabilities of all packages, and fails on those that are not in
 * accepted-advisories.json: { "GHSA-…": { "reason": "Why it does not concern Meydan.", "until": "2027-06-30" } }. Without
 * a registry that responds, it checks nothing and says so.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

type Accepted = Record<string, { reason: string; until: string }>
type Advisory = { url: string; title: string; severity: string }
/** Part of the report of `npm audit --json`. In `via`, a text names another vulnerable package. */
type Report = { vulnerabilities?: Record<string, { via: (string | Advisory)[] }>; message?: string }

const accepted = join(import.meta.dirname, 'accepted-advisories.json')
const { values } = parseArgs({ options: { accepted: { type: 'string', default: accepted } } })

function ask(): Report {
  const { stdout, error } = spawnSync('npm', ['audit', '--json', '--fetch-retries=0'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: 60_000,
  })
  if (error) return { message: error.message }
  try {
    return JSON.parse(stdout)
  } catch {
    return { message: 'npm printed no report' }
  }
}

/** Advisories by their id at GitHub, with the packages that they are about. */
function advisoriesOf(vulnerabilities: NonNullable<Report['vulnerabilities']>) {
  const found = new Map<string, Advisory & { packages: Set<string> }>()
  for (const [name, { via }] of Object.entries(vulnerabilities))
    for (const advisory of via) {
      if (typeof advisory === 'string') continue
      const id = advisory.url.split('/').at(-1) ?? advisory.url
      const known = found.get(id) ?? { ...advisory, packages: new Set() }
      known.packages.add(name)
      found.set(id, known)
    }
  return found
}

const { vulnerabilities, message } = ask()
if (vulnerabilities) {
  const list: Accepted = JSON.parse(readFileSync(values.accepted, 'utf8'))
  const today = new Date().toISOString().slice(0, 10)
  const found = advisoriesOf(vulnerabilities)
  const open = [...found].filter(([id]) => (list[id]?.until ?? '') < today)
  for (const [id, { severity, title, packages, url }] of open)
    process.stdout.write(`${id} (${severity}): ${[...packages].join(', ')}: ${title}\n  ${url}\n`)
  for (const id of Object.keys(list))
    if (!found.has(id)) process.stdout.write(`${id} is accepted, and no longer found.\n`)
  process.stdout.write(`Known vulnerabilities: ${found.size}. Not accepted: ${open.length}.\n`)
  process.exitCode = open.length > 0 ? 1 : 0
} else process.stdout.write(`Nothing was checked: the registry did not respond (${message ?? 'no reason given'}).\n`)
