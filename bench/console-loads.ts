import type { Browser, CDPSession, Page, Response } from 'playwright-core'
import type { Instance } from './console-instance.ts'
import { type Visit, visitsOf } from './console-pages.ts'
import { aim, atMost, type Bench, compareWithLimit, type Measurement, tableRow } from './harness.ts'

const MAX_REQUESTS = 25
const MAX_SHIFT = 0.05
const MAX_KB = 350
const MAX_SIGN_IN_KB = 200
const LCP_AIM_S = 2.5

/** The pages that most visits begin with. */
export const frequentPages = ({ records }: Instance): Visit[] => [
  { path: '/sign-in', signedIn: false },
  ...['', '/calendar', '/posts'].map((path) => ({ path: `/w/${records.w}${path}`, signedIn: true })),
]

type Device = { viewport: { width: number; height: number }; isMobile?: boolean; hasTouch?: boolean }
const DESKTOP: Device = { viewport: { width: 1280, height: 800 } }
const PHONE: Device = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Opens a page with an empty cache. */
export async function openPage(browser: Browser, { url, cookie }: Instance, signedIn = true, device = DESKTOP) {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', timezoneId: 'UTC', ...device })
  if (signedIn)
    await context.addCookies(
      cookie.split('; ').map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/)
        return { name, value, url }
      }),
    )
  return context.newPage()
}

/** `kilobytes`: as transferred, with headers and responses of the API. `shift`: the sum of all layout shifts. */
type Load = { kilobytes: number; requests: number; shift: number; lcp: number; failed: number }
type Slowness = { cpu: number; latency: number }

async function firstLoad(
  browser: Browser,
  instance: Instance,
  visit: Visit,
  device: Device,
  { cpu, latency, log }: Slowness & Pick<Bench, 'log'>,
) {
  const page = await openPage(browser, instance, visit.signedIn, device)
  const client = await page.context().newCDPSession(page)
  const transferred = await countTransfers(client)
  await client.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  await client.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 },
  })
  await page.addInitScript(OBSERVE)
  const countFailed = watchResponses(page, visit, log)
  await page.goto(visit.path)
  await page.getByRole('heading').first().waitFor({ timeout: 60_000 })
  await page.waitForLoadState('networkidle')
  const observed = await page.evaluate<{ shift: number; lcp: number }>('observed')
  const load: Load = { ...transferred(), ...observed, failed: await countFailed() }
  await page.context().close()
  return load
}

/** Counts requests that failed, and logs them and lists without records: with some, a page would weigh more. */
function watchResponses(page: Page, { path, signedIn }: Visit, log: Bench['log']) {
  const responses: Response[] = []
  page.on('response', (response) => responses.push(response))
  return async () => {
    let failed = 0
    for (const response of responses) {
      const [status, { pathname, search }] = [response.status(), new URL(response.url())]
      // Somebody who is signed out may be asked who they are.
      const hasFailed = status >= 400 && (signedIn || status !== 401)
      if (hasFailed) failed++
      if (hasFailed) log(`${path}: ${pathname} failed with ${status}`)
      const isList = pathname.startsWith('/api/v1/') && !/[?&](updated_)?since=/.test(search)
      if (isList && (await response.text().catch(() => '')).startsWith('{"data":[]'))
        log(`${path}: no records of ${pathname}`)
    }
    return failed
  }
}

/** Observes what only the page itself can see. */
const OBSERVE = `
  window.observed = { shift: 0, lcp: 0 }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) observed.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    observed.lcp = list.getEntries().at(-1).startTime / 1000
  }).observe({ type: 'largest-contentful-paint', buffered: true })`

async function countTransfers(client: CDPSession) {
  let bytes = 0
  let requests = 0
  client.on('Network.requestWillBeSent', () => requests++)
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await client.send('Network.enable')
  return () => ({ kilobytes: bytes / 1000, requests })
}

const row = tableRow([64, 8, 9, 13, 11, 7])

/** Loads every page on a computer and on a slow phone. Reports size, requests and layout shifts of the worst page. */
export async function firstLoads(browser: Browser, instance: Instance, { part, log }: Bench): Promise<Measurement[]> {
  const loads: { path: string; desktop: Load; phone: Load }[] = []
  log(row('page', 'KB', 'requests', 'shift desktop', 'shift phone', 'LCP s'))
  const visits = visitsOf(instance.records, instance.month)
  for (const visit of visits.filter(
    ({ path }) => part === undefined || part.split(',').some((one) => path.includes(one)),
  )) {
    const desktop = await firstLoad(browser, instance, visit, DESKTOP, { cpu: 1, latency: 20, log })
    const phone = await firstLoad(browser, instance, visit, PHONE, { cpu: 4, latency: 100, log: () => {} })
    const { path } = visit
    loads.push({ path, desktop, phone })
    const numbers = [desktop.kilobytes.toFixed(0), desktop.requests, desktop.shift.toFixed(3), phone.shift.toFixed(3)]
    log(row(path, ...numbers.map(String), phone.lcp.toFixed(1)))
  }
  const worst = (part: string, limit: number, unit: string, value: (load: (typeof loads)[number]) => number) => {
    const [most] = loads.toSorted((a, b) => value(b) - value(a))
    return most && limited(`${part}: ${most.path}`, value(most), limit, unit)
  }
  const sizeOf = ({ path, desktop }: (typeof loads)[number], isSignIn: boolean) =>
    (path === '/sign-in') === isSignIn ? desktop.kilobytes : 0
  return [
    noFailures(loads.reduce((sum, { desktop }) => sum + desktop.failed, 0)),
    worst('size', MAX_SIGN_IN_KB, 'KB', (load) => sizeOf(load, true)),
    worst('size', MAX_KB, 'KB', (load) => sizeOf(load, false)),
    worst('requests', MAX_REQUESTS, 'requests', ({ desktop }) => desktop.requests),
    worst('shift desktop', MAX_SHIFT, 'CLS', ({ desktop }) => desktop.shift),
    worst('shift phone', MAX_SHIFT, 'CLS', ({ phone }) => phone.shift),
  ].filter((measurement) => measurement !== undefined)
}

const noFailures = (failed: number): Measurement => ({
  ...{ value: failed, baseline: 0, unit: 'requests', ratio: failed, spread: [failed, failed] },
  ...{ part: 'failed requests', target: atMost(0, 'none') },
})

const limited = (part: string, value: number, limit: number, unit: string): Measurement => ({
  ...compareWithLimit([value], limit, unit),
  part,
  target: atMost(1, `≤ ${limit} ${unit}`),
})

/** Measures the time until the largest content of the frequent pages is shown, on a slow computer. */
export async function largestPaints(
  browser: Browser,
  instance: Instance,
  { quick, log }: Bench,
): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const visit of frequentPages(instance)) {
    const times: number[] = []
    for (let round = 0; round < (quick ? 1 : 5); round++)
      times.push((await firstLoad(browser, instance, visit, DESKTOP, { cpu: 4, latency: 0, log })).lcp)
    const result = compareWithLimit(times, LCP_AIM_S, 's')
    measurements.push({ ...result, part: `LCP ${visit.path}`, target: aim(`≤ ${LCP_AIM_S} s`) })
  }
  return measurements
}
