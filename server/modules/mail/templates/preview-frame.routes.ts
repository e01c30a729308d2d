import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { anyone } from '../../../lib/http/access.ts'

/**
 * Shows the HTML of a mail that the parent page posts: `{html, scheme: 'light' | 'dark'}`. Removes what a mail program
 * would not do, and applies the mail's color-scheme rules by `scheme`, not by the browser. Posts
 * `{mail_frame: 'ready'}` once it listens, and `{mail_frame: 'height', height}` in pixels.
 */
const script = `'use strict'
const scripted = 'script,iframe,frame,object,embed,base,link,meta[http-equiv],form,input,button,textarea,select,portal'
const tell = (message) => parent.postMessage(message, '*')
const inScheme = (media, scheme) =>
  media.replace(/\\(\\s*prefers-color-scheme\\s*:\\s*(light|dark)\\s*\\)/gi, (_, wanted) =>
    wanted.toLowerCase() === scheme ? '(min-width:0px)' : '(max-width:0px)')
const measure = () => tell({ mail_frame: 'height', height: Math.ceil(document.documentElement.getBoundingClientRect().height) })
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data !== 'object' || data === null || typeof data.html !== 'string') return
  const scheme = data.scheme === 'dark' ? 'dark' : 'light'
  const mail = new DOMParser().parseFromString(data.html, 'text/html')
  for (const element of mail.querySelectorAll(scripted)) element.remove()
  for (const style of mail.querySelectorAll('style')) style.textContent = inScheme(style.textContent, scheme)
  for (const element of mail.querySelectorAll('[media]')) element.media = inScheme(element.getAttribute('media'), scheme)
  const root = document.documentElement
  for (const { name } of [...root.attributes]) root.removeAttribute(name)
  for (const { name, value } of mail.documentElement.attributes) if (!name.startsWith('on')) root.setAttribute(name, value)
  const knows = mail.querySelector('meta[name="color-scheme" i]')?.content ?? ''
  root.replaceChildren(...mail.documentElement.children)
  root.style.colorScheme = scheme === 'dark' && /dark/i.test(knows) ? 'dark' : 'light'
  measure()
})
addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a,area')) event.preventDefault()
}, true)
addEventListener('load', measure, true)
new ResizeObserver(measure).observe(document.documentElement)
tell({ mail_frame: 'ready' })
`

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mail</title></head><body><script>${script}</script></body></html>`

/** Only that script may run, no requests go to this origin, and only the console may embed the page. */
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src https: data:',
  'font-src https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ')

/** The page that shows mails. It is separate because the console's own policy would remove their styles. */
export function mailPreviewFrame(app: FastifyInstance) {
  app.get('/mail-frame', { config: { access: anyone() }, schema: { hide: true } }, (_, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'no-cache',
      })
      .send(page),
  )
}
