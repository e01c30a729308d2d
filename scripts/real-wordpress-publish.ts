/**
 * Publishes, edits and deletes posts through the API of a real Meydan on a real WordPress, and reads what visitors of the
 * site see. `npm run wordpress -- publish` runs it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { expectStatus } from '../test/factories.ts'
import { testImage, uploaded, videoFile } from '../test/media.ts'
import { instance } from './real-instance.ts'

const LONGEST_WAIT_MS = 60_000

async function until(isReached: () => Promise<boolean>) {
  const end = performance.now() + LONGEST_WAIT_MS
  while (!(await isReached())) {
    if (performance.now() > end) throw new Error(`Not reached within ${LONGEST_WAIT_MS / 1000} s: ${isReached}`)
    await sleep(100)
  }
}

const [site = '', user = '', app_password = ''] = process.argv.slice(2)
const { admin, close } = await instance()

function expectEqual(name: string, seen: unknown, expected: unknown) {
  const isRight = isDeepStrictEqual(seen, expected)
  if (!isRight) process.exitCode = 1
  process.stdout.write(`${isRight ? 'right' : 'WRONG'}  ${name}${isRight ? '' : `: ${JSON.stringify(seen)}`}\n`)
}

const account = expectStatus(
  await admin.post('/api/v1/accounts', { network: 'wordpress', site, user, app_password }),
  201,
).body.id

/** The target of a post, once it is published or has failed. */
async function settled(id: string) {
  let target: { status: string; url: string; error_message: string | null } | undefined
  await until(async () => {
    ;[target] = expectStatus(await admin.get(`/api/v1/posts/${id}`), 200).body.targets
    return target?.status === 'published' || target?.status === 'failed'
  })
  if (target?.status !== 'published') throw new Error(`Not published: ${target?.error_message}`)
  return target
}

async function publish(fields: object, options: object = {}) {
  const post = { targets: [{ account_id: account, options }], publish_now: true, ...fields }
  const { id } = expectStatus(await admin.post('/api/v1/posts', post), 201).body
  return { id: String(id), url: (await settled(String(id))).url }
}

/** The page as a visitor gets it. */
const visit = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, html: await response.text() }
}

/** Status and type of each uploaded file of a page, in order. */
async function filesOf(html: string, name: 'src' | 'href') {
  const addresses = [...html.matchAll(new RegExp(`${name}="([^"]*/wp-content/uploads/[^"]*)"`, 'g'))]
  return Promise.all(
    addresses.map(async ([, address = '']) => {
      const { status, headers } = await fetch(address)
      return `${status} ${headers.get('content-type')}`
    }),
  )
}

const file = async (bytes: Uint8Array, name: string, alt = '') =>
  String((await uploaded(admin, { bytes, name, fields: alt ? [['alt', alt]] : [] })).id)

try {
  const text =
    'Fiyatlar & “simit”\n\nA paragraph with <b>no</b> markup, 5 < 6, [gallery] and a link: https://example.org/?a=1&b=2'
  const article = await publish(
    { content: text },
    { excerpt: 'A short text', categories: ['Bakery'], tags: ['simit', 'çay'] },
  )
  const page = await visit(article.url)
  expectEqual('a visitor finds the article', page.status, 200)
  expectEqual('its title', /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(page.html)?.[1]?.trim(), 'Fiyatlar &amp; “simit”')
  expectEqual(
    'markup and shortcodes are text',
    /A paragraph with [^\n]*?link/.exec(page.html)?.[0],
    'A paragraph with &lt;b&gt;no&lt;/b&gt; markup, 5 &lt; 6, &#91;gallery&#93; and a link',
  )
  expectEqual(
    'the link is one',
    page.html.includes('href="https://example.org/?a=1&#038;b=2"') ||
      page.html.includes('href="https://example.org/?a=1&amp;b=2"'),
    true,
  )
  expectEqual(
    'category and tags',
    ['Bakery', 'simit', 'çay'].map(
      (term) => page.html.includes(`rel="tag">${term}<`) || page.html.includes(`>${term}</a>`),
    ),
    [true, true, true],
  )

  const images = [
    await file(await testImage(640, 480), 'a.png', 'Simit "hot" on a tray'),
    await file(await testImage(480, 640), 'b.png'),
  ]
  const gallery = await visit((await publish({ content: 'Images\n\nTwo of them', media_ids: images })).url)
  expectEqual('both images are served', await filesOf(gallery.html, 'src'), ['200 image/png', '200 image/png'])
  expectEqual('the alternative text', gallery.html.includes('alt="Simit &quot;hot&quot; on a tray"'), true)

  const document = await file(Buffer.from('%PDF-1.7\n%%EOF\n'), 'menu.pdf', 'The menu')
  const menu = await visit((await publish({ content: 'Menu\n\nOf today', media_ids: [document] })).url)
  expectEqual('the PDF is served', await filesOf(menu.html, 'href'), ['200 application/pdf'])

  const video = await file(await videoFile(1), 'video.mp4')
  const clip = await visit((await publish({ content: 'Video\n\nOf a second', media_ids: [video] })).url)
  expectEqual('the video is served', await filesOf(clip.html, 'src'), ['200 video/mp4'])

  const path = `/api/v1/posts/${article.id}`
  const { body, headers } = await admin.get(path)
  expectStatus(
    await admin.patch(
      `${path}/targets/${body.targets[0].id}`,
      { content: 'Fiyatlar\n\nThe new text' },
      { 'if-match': headers.get('etag') ?? '' },
    ),
    200,
  )
  await until(async () => (await visit(article.url)).html.includes('The new text'))
  expectEqual('an edit is seen', (await visit(article.url)).html.includes('5 &lt; 6'), false)
  expectStatus(await admin.post(`/api/v1/posts/${article.id}/unpublish`), 200)
  await until(async () => (await visit(article.url)).status !== 200)
  expectEqual('a deleted article is gone', (await visit(article.url)).status, 404)
} finally {
  await close()
}
