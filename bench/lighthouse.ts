import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { Instance } from './console-instance.ts'
import type { Visit } from './console-pages.ts'
import { aim, type Bench, compareWithLimit, type Measurement } from './harness.ts'
import { temporaryFolder } from './processes.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const AIM = 90

/** Runs Lighthouse. It is no dependency: npm fetches it on demand. */
export async function lighthouse(args: string[], { log }: Bench) {
  const npm = spawn('npm', ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', ...args], {
    env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const [code] = await once(npm, 'close')
  if (code === 0) return
  log(output)
  throw new Error(
    args[0] === '--version'
      ? `${LIGHTHOUSE} could not be fetched; the log above has the output of npm. Run without --lighthouse to measure the rest.`
      : `Lighthouse failed on ${args[0]}; the log above has its output.`,
  )
}

type Report = {
  runtimeError?: { message: string }
  finalDisplayedUrl: string
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, Audit>
}
type Audit = { score: number | null; displayValue?: string; details?: { items?: { description?: string }[] } }

/** Summarizes the finding of an audit. */
const finding = ({ displayValue, details }: Partial<Audit> = {}) =>
  [displayValue, ...(details?.items ?? []).slice(0, 3).map(({ description }) => description)].filter(Boolean).join(' ')

/** Measures how fast a page is on a phone, and logs the audits that lost points. An aim: it depends on the machine. */
export async function lighthouseScore(
  port: number,
  instance: Instance,
  visit: Visit,
  bench: Bench,
): Promise<Measurement> {
  const folder = await temporaryFolder()
  const output = join(folder, 'report.json')
  const headers = join(folder, 'headers.json')
  await writeFile(headers, JSON.stringify(visit.signedIn ? { cookie: instance.cookie } : {}))
  const part = `Lighthouse ${visit.path}`
  const scores: number[] = []
  for (let round = 1; round <= (bench.quick ? 1 : 3); round++) {
    await lighthouse(
      [
        `${instance.url}${visit.path}`,
        `--port=${port}`,
        '--quiet',
        '--no-enable-error-reporting',
        '--only-categories=performance,accessibility,best-practices',
        `--extra-headers=${headers}`,
        '--output=json',
        `--output-path=${output}`,
      ],
      bench,
    )
    const report: Report = JSON.parse(await readFile(output, 'utf8'))
    if (report.runtimeError) throw new Error(`Lighthouse failed on ${visit.path}: ${report.runtimeError.message}`)
    const { pathname } = new URL(report.finalDisplayedUrl)
    if (pathname !== visit.path) throw new Error(`${visit.path} redirected Lighthouse to ${pathname}`)
    const categories = Object.entries(report.categories).map(([name, { score, auditRefs }]) => {
      const lost = auditRefs
        .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `${id} ${finding(report.audits[id])}`.trim())
      return { name, score: Math.round((score ?? 0) * 100), lost }
    })
    scores.push(categories.find(({ name }) => name === 'performance')?.score ?? 0)
    const summary = categories.map(
      ({ name, score, lost }) => `${name} ${score}${lost.length ? ` (${lost.join(', ')})` : ''}`,
    )
    bench.log(`${part} round ${round}: ${summary.join(', ')}`)
  }
  return { ...compareWithLimit(scores, AIM, 'points'), part, target: aim(`≥ ${AIM}`) }
}
