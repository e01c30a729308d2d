import type { Browser, Locator, Page } from 'playwright-core'
import { launchChromium } from '../test/browser/chromium.ts'
import { type Instance, startInstance } from './console-instance.ts'
import { firstLoads, frequentPages, largestPaints, openPage } from './console-loads.ts'
import { atMost, type Bench, type Claim, compareWithLimit, type Measurement } from './harness.ts'
import { lighthouse, lighthouseScore } from './lighthouse.ts'
import { freePort, onCleanUp } from './processes.ts'

const MAX_CLICK_MS = 100

/** Measures the console in a browser: first loads of every page, how fast a click shows, and Lighthouse scores. */
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

    // A part of the claim: the first loads of the pages whose addresses hold it.
    if (bench.part !== undefined) return firstLoads(browser, instance, bench)
    const measurements = [
      ...(await firstLoads(browser, instance, bench)),
      ...(await largestPaints(browser, instance, bench)),
      ...(await clicks(browser, instance, bench)),
    ]
    if (bench.lighthouse)
      for (const page of frequentPages(instance))
        measurements.push(await lighthouseScore(debugPort, instance, page, bench))
    return measurements
  },
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
  await page.goto(`/w/${instance.records.w}/calendar?view=month&date=${instance.month}`)
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
