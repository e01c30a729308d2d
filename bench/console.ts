import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Browser, Locator, Page } from 'playwright-core'
import { launchChromium } from '../test/browser/chromium.ts'
import { atLeast, atMost, type Bench, type Claim, compareWithLimit, createMany, type Measurement } from './harness.ts'
import { postJson } from './http.ts'
import { OWNER, RATE_LIMITS, signIn, startMeydan } from './meydan.ts'
import { freePort, onCleanUp, temporaryFolder } from './processes.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const MIN_SCORE = 95
const MAX_CLICK_MS = 100
const POSTS = 1000

/** Measures the console in a browser: how much script a page loads, how fast a click shows, and Lighthouse scores. */
export const claim: Claim = {
  name: 'console',
  target: atMost(1),
  measure: async (bench) => {
    // First, because npm may fail to fetch it, and the rest takes minutes.
    if (bench.lighthouse) await lighthouse(['--version'], bench)
    const instance = await startInstance(bench)
    const debugPort = await freePort()
    const browser = await launchChromium({}, [`--remote-debugging-port=${debugPort}`])
    onCleanUp(() => browser.close())

    const pages = [
      { part: '/sign-in', path: '/sign-in', signedIn: false, limit: 200 },
      { part: '/calendar', path: `/w/${instance.slug}/calendar`, signedIn: true, limit: 350 },
      { part: '/posts', path: `/w/${instance.slug}/posts`, signedIn: true, limit: 350 },
    ]
    const measurements: Measurement[] = []
    for (const page of pages) measurements.push(await firstLoad(browser, instance, page, bench))
    measurements.push(...(await clicks(browser, instance, bench)))
    if (bench.lighthouse)
      for (const page of pages)
        for (const device of ['mobile', 'desktop'] as const)
          measurements.push(await lighthouseScore(debugPort, instance, page, device, bench))
    return measurements
  },
}

type Instance = Awaited<ReturnType<typeof startInstance>>
type Visit = { part: string; path: string; signedIn: boolean; limit: number }

/** Starts Meydan with posts over one month, far enough ahead that none falls due during the bench. */
async function startInstance({ log }: Bench) {
  const DATA_DIR = await temporaryFolder()
  const { url } = await startMeydan({
    ...RATE_LIMITS,
    DATA_DIR,
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
  })
  const cookie = await signIn(url)
  const create = async (path: string, body: object) => {
    const created: unknown = await (await postJson(`${url}${path}`, body, { cookie })).json()
    return created as { id: string; slug: string }
  }

  const { slug } = await create('/api/v1/workspaces', { name: 'Bench' })
  const { id: account } = await create('/api/v1/accounts', { network: 'playground' })
  log(`creating ${POSTS} posts`)
  const now = new Date()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1))
  const days = 28
  await createMany(POSTS, (index) => {
    const time = month.getTime() + ((index % days) * 24 + 8) * 3_600_000 + Math.floor(index / days) * 15 * 60_000
    return create('/api/v1/posts', {
      content: `Post number ${index}, about as long as a post is.`,
      account_ids: [account],
      scheduled_at: new Date(time).toISOString(),
    })
  })
  return { url, slug, cookie, month: month.toISOString().slice(0, 10) }
}

/** Opens a page with an empty cache. */
async function openPage(browser: Browser, { url, cookie }: Instance, signedIn = true) {
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

/** Measures the gzipped JavaScript that a page requests until the network is idle. */
async function firstLoad(browser: Browser, instance: Instance, visit: Visit, { log }: Bench): Promise<Measurement> {
  const { part, path, signedIn, limit } = visit
  const page = await openPage(browser, instance, signedIn)
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
  if (sizes.length === 0) throw new Error(`${path} loaded no JavaScript: is the console built?`)
  const kilobytes = sizes.reduce((sum, [size]) => sum + size, 0)
  const largest = sizes.toSorted(([a], [b]) => b - a).slice(0, 8)
  log(
    `${part} loads ${sizes.length} files, the largest ${largest.map(([size, name]) => `${name} ${size.toFixed(1)}`).join(', ')}`,
  )
  return {
    ...compareWithLimit([kilobytes], limit, 'KB gzipped'),
    part: `${part} script`,
    target: atMost(1, `≤ ${limit} KB`),
  }
}

/** Matches the posts in a view of the calendar that has loaded. */
const view = (name: string) => `[data-view="${name}"][aria-busy="false"] [data-event-id]`
/** Clicks on the calendar, and the elements that each has to show. */
const actions: { part: string; click: (page: Page) => Locator; shown: string }[] = [
  { part: 'week', click: (page) => page.locator('label', { hasText: /^Week$/ }), shown: view('week') },
  { part: 'day', click: (page) => page.locator('label', { hasText: /^Day$/ }), shown: view('day') },
  { part: 'month', click: (page) => page.locator('label', { hasText: /^Month$/ }), shown: view('month') },
  { part: 'post', click: (page) => page.locator('[data-event-id]').first(), shown: '[aria-labelledby="text"]' },
]

/** Measures the time from a click on the calendar of a full month until its result is drawn. */
async function clicks(browser: Browser, instance: Instance, { quick, log }: Bench) {
  const page = await openPage(browser, instance)
  await page.goto(`/w/${instance.slug}/calendar?view=month&date=${instance.month}`)
  await page.locator(view('month')).first().waitFor()
  const times = new Map<string, number[]>(actions.map(({ part }) => [part, []]))
  for (let round = 1; round <= (quick ? 3 : 15); round++) {
    for (const { part, click, shown } of actions) {
      await page.waitForLoadState('networkidle')
      await page.evaluate(timeNextClick(shown))
      await click(page).click()
      times.get(part)?.push(await page.evaluate<number>('clickTime'))
    }
    await page.goBack()
    await page.locator(view('month')).first().waitFor()
  }
  await page.context().close()
  return [...times].map(([part, all]): Measurement => {
    log(`${part} shown after ${all.map((time) => time.toFixed(0)).join(', ')} ms`)
    return {
      ...compareWithLimit(all, MAX_CLICK_MS, 'ms'),
      part: `click → ${part}`,
      target: atMost(1, `≤ ${MAX_CLICK_MS} ms`),
    }
  })
}

/** A script that sets `clickTime` to a promise of the time from the next click until a matching element is drawn. */
const timeNextClick = (selector: string) => `{
  window.clickTime = new Promise((resolve, reject) => {
    addEventListener('click', ({ timeStamp }) => {
      const check = () => {
        const isShown = [...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.checkVisibility())
        if (performance.now() - timeStamp > 10_000) reject(new Error('${selector} is not shown 10 s after the click'))
        else if (!isShown) requestAnimationFrame(check)
        else {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now() - timeStamp)
          port2.postMessage(null)
        }
      }
      requestAnimationFrame(check)
    }, { capture: true, once: true })
  })
  undefined
}`

/** Runs Lighthouse. It is no dependency: npm fetches it on demand. */
async function lighthouse(args: string[], { log }: Bench) {
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

/** Measures the lowest score of a page, and logs the audits that lost points. */
async function lighthouseScore(
  port: number,
  instance: Instance,
  visit: Visit,
  device: 'mobile' | 'desktop',
  bench: Bench,
): Promise<Measurement> {
  const folder = await temporaryFolder()
  const output = join(folder, 'report.json')
  const headers = join(folder, 'headers.json')
  await writeFile(headers, JSON.stringify(visit.signedIn ? { cookie: instance.cookie } : {}))
  const part = `${visit.part} ${device}`
  const lowest: number[] = []
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
        ...(device === 'desktop' ? ['--preset=desktop'] : []),
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
    lowest.push(Math.min(...categories.map(({ score }) => score)))
    const summary = categories.map(
      ({ name, score, lost }) => `${name} ${score}${lost.length ? ` (${lost.join(', ')})` : ''}`,
    )
    bench.log(`${part} round ${round}: ${summary.join(', ')}`)
  }
  return { ...compareWithLimit(lowest, MIN_SCORE, 'points'), part, target: atLeast(1, `≥ ${MIN_SCORE}`) }
}
