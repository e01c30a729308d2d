import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchChromium } from '../test/browser/chromium.ts'
import {
  atEnd,
  type Bench,
  type Claim,
  freePort,
  type Measured,
  median,
  quantile,
  startServer,
  temporaryFolder,
} from './harness.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const SCORE = 95
const ANSWER_MS = 100
const POSTS = 1000
const ADMIN = { email: 'bench@example.com', password: 'correct horse battery' }

/** What the console asks of a browser: how much it loads, how soon it answers, what Lighthouse says. */
export const claim: Claim = {
  name: 'console',
  wanted: 'ratio ≤ 1',
  holds: ({ ratio, unit }) => (unit === 'points' ? ratio >= 1 : ratio <= 1),
  measure: async (bench) => {
    // Before the long part: it may have to be fetched.
    if (bench.lighthouse) await lighthouse(['--version'], bench)
    const meydan = await startMeydan(bench)
    const debugPort = await freePort()
    const browser = await launchChromium({}, [`--remote-debugging-port=${debugPort}`])
    atEnd(() => browser.close())

    const pages = [
      { part: '/sign-in', path: '/sign-in', signedIn: false, limit: 200 },
      { part: '/calendar', path: `/w/${meydan.slug}/calendar`, signedIn: true, limit: 350 },
      { part: '/posts', path: `/w/${meydan.slug}/posts`, signedIn: true, limit: 350 },
    ]
    const measured: Measured[] = []
    for (const page of pages) measured.push(await firstLoad(browser, meydan, page, bench))
    measured.push(...(await clicks(browser, meydan, bench)))
    if (bench.lighthouse)
      for (const page of pages)
        for (const device of ['mobile', 'desktop'] as const)
          measured.push(await scores(debugPort, meydan, page, device, bench))
    return measured
  },
}

type Meydan = Awaited<ReturnType<typeof startMeydan>>
type Visit = { part: string; path: string; signedIn: boolean; limit: number }

const against = (part: string, bound: number, unit: string, values: number[], wanted: string): Measured => ({
  part,
  wanted,
  unit,
  value: median(values),
  floor: bound,
  ratio: median(values) / bound,
  spread: [quantile(values, 0.25) / bound, quantile(values, 0.75) / bound],
})

/** A Meydan with posts over one month, so far ahead that none of them is due while this runs. */
async function startMeydan({ say }: Bench) {
  const DATA_DIR = await temporaryFolder()
  const settings = { DATA_DIR, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }
  const { url } = await startServer(new URL('../server/cli.ts', import.meta.url), settings, ['serve'])
  const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const { headers } = await call('/api/auth/sign-in/email', ADMIN)
  const cookie = headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ')
  const create = async (path: string, body: object) => {
    const created: unknown = await (await call(path, body, { cookie })).json()
    return created as { id: string; slug: string }
  }

  const { slug } = await create('/api/v1/workspaces', { name: 'Bench' })
  const { id: account } = await create('/api/v1/accounts', { network: 'playground' })
  say(`writing ${POSTS} posts`)
  const now = new Date()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1))
  const days = 28
  for (let first = 0; first < POSTS; first += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, offset) => {
        const index = first + offset
        const time = month.getTime() + ((index % days) * 24 + 8) * 3_600_000 + Math.floor(index / days) * 15 * 60_000
        return create('/api/v1/posts', {
          content: `The post number ${index}, as long as posts are.`,
          account_ids: [account],
          scheduled_at: new Date(time).toISOString(),
        })
      }),
    )
  return { url, slug, cookie, month: month.toISOString().slice(0, 10) }
}

/** A page with nothing in its cache. */
async function openPage(browser: Browser, { url, cookie }: Meydan, signedIn = true) {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
  })
  if (signedIn)
    await context.addCookies(
      cookie.split('; ').map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/)
        return { name, value, url }
      }),
    )
  return context.newPage()
}

/** The JavaScript that a page asks for until it is quiet, gzipped. */
async function firstLoad(browser: Browser, meydan: Meydan, { part, path, signedIn, limit }: Visit, { say }: Bench) {
  const page = await openPage(browser, meydan, signedIn)
  const scripts = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) scripts.add(pathname)
  })
  await page.goto(path)
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.context().close()

  const sizes: [size: number, name: string][] = []
  for (const script of scripts) {
    const file = join(import.meta.dirname, '../console/dist', script.replace(/^\/console\//, ''))
    sizes.push([(await promisify(gzip)(await readFile(file))).length / 1000, basename(file)])
  }
  if (sizes.length === 0) throw new Error(`${path} asked for no JavaScript: is the console built?`)
  const kilobytes = sizes.reduce((sum, [size]) => sum + size, 0)
  const largest = sizes.toSorted(([a], [b]) => b - a).slice(0, 8)
  say(
    `${part} loads ${sizes.length} files, first ${largest.map(([size, name]) => `${name} ${size.toFixed(1)}`).join(', ')}`,
  )
  return against(`${part} script`, limit, 'KB gzipped', [kilobytes], `≤ ${limit} KB`)
}

/** What is clicked on the calendar, and what then has to be seen. */
const view = (name: string) => `[data-view="${name}"][aria-busy="false"] [data-event-id]`
const actions: { part: string; click: (page: Page) => Locator; shown: string }[] = [
  { part: 'week', click: (page) => page.locator('label', { hasText: /^Week$/ }), shown: view('week') },
  { part: 'day', click: (page) => page.locator('label', { hasText: /^Day$/ }), shown: view('day') },
  { part: 'month', click: (page) => page.locator('label', { hasText: /^Month$/ }), shown: view('month') },
  { part: 'post', click: (page) => page.locator('[data-event-id]').first(), shown: '[aria-labelledby="text"]' },
]

/** How long the calendar of a full month takes from a click until what was asked for has been drawn. */
async function clicks(browser: Browser, meydan: Meydan, { quick, say }: Bench) {
  const page = await openPage(browser, meydan)
  await page.goto(`/w/${meydan.slug}/calendar?view=month&date=${meydan.month}`)
  await page.locator(view('month')).first().waitFor()
  const times = new Map<string, number[]>(actions.map(({ part }) => [part, []]))
  for (let round = 1; round <= (quick ? 3 : 15); round++) {
    for (const { part, click, shown } of actions) {
      await page.waitForLoadState('networkidle')
      await page.evaluate(awaitAnswer(shown))
      await click(page).click()
      times.get(part)?.push(await page.evaluate<number>('answered'))
    }
    await page.goBack()
    await page.locator(view('month')).first().waitFor()
  }
  await page.context().close()
  return [...times].map(([part, all]) => {
    say(`${part} shown after ${all.map((time) => time.toFixed(0)).join(', ')} ms`)
    return against(`click → ${part}`, ANSWER_MS, 'ms', all, `< ${ANSWER_MS} ms`)
  })
}

/** Has the page promise how long it takes from the next click until something that matches has been drawn. */
const awaitAnswer = (selector: string) => `{
  window.answered = new Promise((resolve, reject) => {
    addEventListener('click', ({ timeStamp }) => {
      const look = () => {
        const isShown = [...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.checkVisibility())
        if (performance.now() - timeStamp > 10_000) reject(new Error('${selector} is not shown 10 s after the click'))
        else if (!isShown) requestAnimationFrame(look)
        else {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now() - timeStamp)
          port2.postMessage(null)
        }
      }
      requestAnimationFrame(look)
    }, { capture: true, once: true })
  })
  undefined
}`

/** Lighthouse is no dependency: npm fetches it when it is asked for. */
async function lighthouse(args: string[], { say }: Bench) {
  const npm = spawn('npm', ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', ...args], {
    env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const [code] = await once(npm, 'close')
  if (code === 0) return
  say(said)
  throw new Error(
    args[0] === '--version'
      ? `${LIGHTHOUSE} could not be fetched; what npm says stands above. Without --lighthouse the rest is measured.`
      : `Lighthouse failed on ${args[0]}; what it says stands above.`,
  )
}

type Report = {
  runtimeError?: { message: string }
  finalDisplayedUrl: string
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, Audit>
}
type Audit = { score: number | null; displayValue?: string; details?: { items?: { description?: string }[] } }

/** In a few words what an audit found. */
const finding = ({ displayValue, details }: Partial<Audit> = {}) =>
  [displayValue, ...(details?.items ?? []).slice(0, 3).map(({ description }) => description)].filter(Boolean).join(' ')

/** The lowest of the scores; what took points from them is said. */
async function scores(port: number, meydan: Meydan, visit: Visit, device: 'mobile' | 'desktop', bench: Bench) {
  const folder = await temporaryFolder()
  const output = join(folder, 'report.json')
  const headers = join(folder, 'headers.json')
  await writeFile(headers, JSON.stringify(visit.signedIn ? { cookie: meydan.cookie } : {}))
  const part = `${visit.part} ${device}`
  const lowest: number[] = []
  for (let round = 1; round <= (bench.quick ? 1 : 3); round++) {
    await lighthouse(
      [
        `${meydan.url}${visit.path}`,
        `--port=${port}`,
        '--quiet',
        '--no-enable-error-reporting',
        '--only-categories=performance,accessibility,best-practices',
        `--extra-headers=${headers}`,
        '--output=json',
        `--output-path=${output}`,
        ...(device === 'desktop' ? ['--preset=desktop'] : []),
      ],
      bench,
    )
    const report: Report = JSON.parse(await readFile(output, 'utf8'))
    if (report.runtimeError) throw new Error(`Lighthouse failed on ${visit.path}: ${report.runtimeError.message}`)
    const { pathname } = new URL(report.finalDisplayedUrl)
    if (pathname !== visit.path) throw new Error(`Lighthouse was led from ${visit.path} to ${pathname}`)
    const found = Object.entries(report.categories).map(([name, { score, auditRefs }]) => {
      const lost = auditRefs
        .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.9)
        .map(({ id }) => `${id} ${finding(report.audits[id])}`.trim())
      return { name, score: Math.round((score ?? 0) * 100), lost }
    })
    lowest.push(Math.min(...found.map(({ score }) => score)))
    const said = found.map(({ name, score, lost }) => `${name} ${score}${lost.length ? ` (${lost.join(', ')})` : ''}`)
    bench.say(`${part} round ${round}: ${said.join(', ')}`)
  }
  return against(part, SCORE, 'points', lowest, `≥ ${SCORE}`)
}
