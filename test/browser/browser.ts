import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Result } from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished, type TestContext } from 'vitest'
import type { TestApp } from '../app.ts'
import { openSession, type Person } from '../factories.ts'
import { scaled } from '../run/machine.ts'
import { launchChromium } from './chromium.ts'

let launched: Promise<Browser> | undefined

/** The browser of this worker process, which all its test files share. It ends with the process. */
function workerBrowser() {
  launched = launched
    ? launched.then(
        // It may have crashed.
        (browser) => (browser.isConnected() ? browser : launchChromium()),
        () => launchChromium(),
      )
    : launchChromium()
  return launched
}

type Reusing = Browser & {
  _newContextForReuse(options: BrowserContextOptions): Promise<BrowserContext>
  _disconnectFromReusedContext(reason: string): Promise<void>
}
/** Playwright's own test runner opens contexts so, when it is asked to reuse them. */
const canReuse = (browser: Browser): browser is Reusing => '_newContextForReuse' in browser

/** Whether a test has the context that the tests of a file use one after the other. */
let isTaken = false

/**
 * Opens a context without cookies, stored data, routes, scripts and a clock of another test. Where it can, it empties
 * the one of the test before: its process has compiled the console, which takes half of a page's load.
 */
async function openContext(options: BrowserContextOptions, isUsual: boolean) {
  const browser = await workerBrowser()
  if (!isUsual || isTaken || !canReuse(browser)) {
    const context = await browser.newContext(options)
    return { context, close: () => context.close() }
  }
  isTaken = true
  try {
    const context = await browser._newContextForReuse(options)
    const close = async (failed: boolean) => {
      isTaken = false
      const [page] = context.pages()
      // Playwright then leaves the page, even if it asks whether to.
      page?.removeAllListeners('dialog')
      // The page would go on sending requests until the next test.
      const left = failed ? undefined : page?.goto('about:blank').then(() => true)
      const isReusable = await left?.catch(() => false)
      await (isReusable ? browser._disconnectFromReusedContext('The test has ended.') : context.close())
    }
    return { context, close }
  } catch (error) {
    isTaken = false
    throw error
  }
}

/** The properties of a phone, for `newPage`. */
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

type NewPage = Omit<BrowserContextOptions, 'locale'> & {
  /** The signed-in user; a session of its own, as in another browser. */
  as?: Person
  locale?: 'en' | 'tr'
  /** Expected errors: each contains one of these texts. */
  allow?: string[]
  /** A browser without the files that an earlier test has loaded. */
  emptyCache?: boolean
}

/**
 * Opens a page with its own cookies, closed after the test. The test fails on any response of 400 or more, failed
 * request, console error or uncaught exception of the page. A failed test reports a screenshot.
 */
export async function newPage(t: TestApp, options: NewPage = {}): Promise<Page> {
  const { as, locale = 'en', allow = [], emptyCache = false, ...rest } = options
  const { context, close } = await openContext(
    {
      baseURL: t.url,
      locale: { en: 'en-US', tr: 'tr-TR' }[locale],
      timezoneId: 'UTC',
      // Playwright's default, which it restores only if it is named.
      viewport: { width: 1280, height: 720 },
      // Colours change during animations: axe and clicks would have to wait.
      reducedMotion: 'reduce',
      ...rest,
    },
    locale === 'en' && !emptyCache && Object.keys(rest).length === 0,
  )
  // Below the test timeout, so that Playwright reports what it waited for.
  context.setDefaultTimeout(scaled(20_000))
  const complaints = listen(context)
  const page = context.pages()[0] ?? (await context.newPage())
  onTestFinished(async ({ task }) => {
    try {
      const unexpected = complaints.filter((complaint) => !allow.some((text) => complaint.includes(text)))
      const error = task.result?.state === 'fail' && task.result.errors?.[0]
      if (error) error.message += await evidence(page, task, unexpected)
      else if (unexpected.length) throw new Error(`The browser complained:\n${unexpected.join('\n')}`)
    } finally {
      await close(task.result?.state === 'fail')
    }
  })
  if (as) {
    const { cookie } = await openSession(t, as.id)
    const [name = '', value = ''] = cookie.split('=', 2)
    await context.addCookies([{ name, value, url: t.url, httpOnly: true, sameSite: 'Lax' }])
  }
  return page
}

function listen(context: BrowserContext) {
  const complaints: string[] = []
  const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : url)
  context.on('response', (response) => {
    if (response.status() >= 400)
      complaints.push(`${response.status()} ${response.request().method()} ${pathOf(response.url())}`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // Aborted by the page, or by leaving it.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason} ${request.method()} ${request.url()}`)
  })
  context.on('console', (message) => {
    // Failed requests and responses are reported above, with their method.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(`console.error: ${message.text()}`)
  })
  context.on('weberror', (thrown) => {
    const error = thrown.error()
    complaints.push(`uncaught ${error.stack || error}`)
  })
  return complaints
}

/** Collects details of a failure, to append to its message. */
async function evidence(page: Page, task: TestContext['task'], complaints: string[]) {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/meydan-test/pictures')
  const path = join(folder, `${task.name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)}-${Date.now()}.png`)
  await mkdir(folder, { recursive: true })
  const taken = await page.screenshot({ path }).then(
    () => path,
    (error) => `none, ${error}`,
  )
  return ['\n', `Page: ${page.url()}`, `Picture: ${taken}`, ...complaints.map((text) => `Browser: ${text}`)].join('\n')
}

/** The smaller of its builds: it is sent to each page. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Loads axe into the current page, which keeps it until it is loaded again. Sent past Playwright, which would have it
 * compiled anew for each page.
 */
async function loadAxe(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe })
  // Findings of these rules are never serious.
  await session.send('Runtime.evaluate', {
    expression: `axe.configure({ rules: axe._audit.rules
      .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
      .map(({ id }) => ({ id, enabled: false })) })`,
  })
  await session.detach()
}

/** Fails on serious or critical axe findings on the current page; `rules`: only these. */
export async function expectAccessible(page: Page, rules?: string[]) {
  // Changes after a click begin with the next frame.
  const isLoaded = await page.evaluate<boolean>(
    `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      .then(() => Promise.all(document.getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .map((animation) => animation.finished.catch(() => undefined))))
      .then(() => 'axe' in window)`,
  )
  if (!isLoaded) await loadAxe(page)
  // Frames show mails and pages of others, whose scripts axe cannot reach. No rule that runs reads style sheets.
  const options = { resultTypes: ['violations'], iframes: false, preload: false, ...(rules && { runOnly: rules }) }
  const violations = await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  const findings = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, help, nodes }) => {
      const elements = nodes
        .slice(0, 5)
        .map(({ html, target, failureSummary = '' }) =>
          [html.slice(0, 300), `at ${target.flat().join(' ')}`, failureSummary].join('\n').replaceAll(/\n+/g, '\n    '),
        )
      const more = nodes.length - elements.length
      return [`${id} (${impact}): ${help}`, ...elements, ...(more ? [`and ${more} more`] : [])].join('\n  ')
    })
  if (findings.length) throw new Error(`axe finds on ${page.url()}:\n\n${findings.join('\n\n')}`)
}
