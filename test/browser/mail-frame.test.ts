import { expect, test } from 'vitest'
import { letterHtml } from '../../server/modules/mail/templates/layout.ts'
import { texts } from '../../server/modules/mail/templates/texts/texts.ts'
import { testApp } from '../app.ts'
import { newPage } from './browser.ts'

const t = await testApp({}, { live: true })

/** Opens the frame as in the console, and records what it posts. */
async function openFrame() {
  const page = await newPage(t, { allow: ['csp GET', 'Content Security Policy', 'sandbox'] })
  await page.goto('/sign-in')
  await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.style.cssText = 'position:fixed;inset:0;width:700px;height:700px;z-index:9999;border:0'
    addEventListener('message', ({ data }) => {
      if (data.mail_frame === 'ready') resolve()
      if (data.mail_frame === 'height') frame.dataset.height = String(data.height)
    })
    frame.src = '/mail-frame'
    document.body.append(frame)
  })`)
  const show = async (html: string, scheme: 'light' | 'dark' = 'light') => {
    const message = JSON.stringify({ html, scheme }).replaceAll('<', '\\u003c')
    await page.evaluate(`document.querySelector('iframe').contentWindow.postMessage(${message}, '*')`)
  }
  const frame = page.frames().find((one) => one.url().endsWith('/mail-frame'))
  if (!frame) throw new Error('no frame')
  const colour = (selector: string, name: string) =>
    frame.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`)
  return { page, frame, show, colour }
}

test('a mail is shown with its own styles in either scheme, and reports its height', async () => {
  const { page, show, colour } = await openFrame()
  const html = letterHtml(texts['password-reset'].en, 'en')
  await show(html)
  await expect.poll(() => colour('.card', 'background-color')).toBe('rgb(255, 255, 255)')
  if (process.env.MEYDAN_IMAGES) await page.screenshot({ path: `${process.env.MEYDAN_IMAGES}/mail-light.png` })
  await show(html, 'dark')
  await expect.poll(() => colour('.card', 'background-color')).toBe('rgb(25, 33, 36)')
  if (process.env.MEYDAN_IMAGES) await page.screenshot({ path: `${process.env.MEYDAN_IMAGES}/mail-dark.png` })
  await expect.poll(async () => Number(await page.locator('iframe').getAttribute('data-height'))).toBeGreaterThan(300)
})

test('a mail runs no script, navigates nowhere, and requests only images', async () => {
  const { page, frame, show } = await openFrame()
  // Playwright also reports requests the policy has blocked, but they get no response.
  const loaded: string[] = []
  page.on('response', (response) => loaded.push(response.url()))
  await show(`<html onload="parent.postMessage('evil','*')"><head><meta http-equiv="refresh" content="0;url=/evil-refresh">
    <base href="/evil-base/"><link rel="stylesheet" href="/evil.css"><style>@import '/evil-import.css';</style></head>
    <body onload="document.title='evil'"><script>document.title='evil'</script><img src="/evil.png" onerror="document.title='evil'">
    <iframe src="/evil-frame"></iframe><form action="/evil-form"><button>Send</button></form>
    <a href="/evil-link">Go</a></body></html>`)
  await frame.getByText('Go').click()
  // A later request got its response, and the frame was drawn again: what the click started has happened.
  await page.evaluate("fetch('/healthz').then(() => undefined)")
  await frame.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  expect(frame.url()).toMatch(/\/mail-frame$/)
  expect(await frame.title()).not.toBe('evil')
  expect(loaded.filter((url) => url.includes('evil'))).toEqual([])
  expect(await frame.locator('script, iframe, form, base, link').count()).toBe(0)
})
