/**
 * Takes the screenshots of the README, in light and dark: `node scripts/screenshots/take.ts [folder]`. It fills a temporary
 * instance over the API with a month of a bakery, whose accounts live on the stand-ins of the tests.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { cleanUp, onCleanUp, startServer, temporaryFolder } from '../../bench/processes.ts'
import { launchChromium } from '../../test/browser/chromium.ts'
import { type Client, client } from '../../test/client.ts'
import { blueskyServer } from '../../test/stand-ins/bluesky.ts'
import { instagramServer } from '../../test/stand-ins/instagram.ts'
import { linkedinServer } from '../../test/stand-ins/linkedin.ts'
import { mastodonServer } from '../../test/stand-ins/mastodon.ts'
import type { OAuthServer } from '../../test/stand-ins/oauth.ts'
import { drawImages } from './images.ts'

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' }
const SIZE = { width: 1440, height: 900 }

const folder = process.argv[2] ?? join(import.meta.dirname, '../../docs/screenshots')

async function takeAll() {
  const [bluesky, mastodon, linkedin, instagram] = await Promise.all([
    blueskyServer(),
    mastodonServer(),
    linkedinServer({ pages: { mira: [{ id: '2414183', name: 'Mira Bakery', role: 'ADMINISTRATOR' }] } }),
    instagramServer(),
  ])
  for (const { close } of [bluesky, mastodon, linkedin, instagram]) onCleanUp(async () => void (await close()))
  const started = await startServer(
    '../server/cli.ts',
    {
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      DATA_DIR: await temporaryFolder(),
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
      NETWORK_ORIGINS: `linkedin=${linkedin.url},instagram=${instagram.url}`,
      RATE_LIMIT_WRITE: '0',
    },
    ['serve'],
  )
  // The address by which the instance calls itself, to which networks send browsers back.
  const url = started.url.replace('127.0.0.1', 'localhost')
  instagram.fetchFrom(url, url)
  const cookie = await signIn(url)
  const admin = client(url, { cookie })
  const workspace = await create(admin, 'workspaces', { name: 'Mira Bakery', timezone: 'Europe/Istanbul' })
  const brand = admin.with({ 'x-workspace-id': workspace.id })

  const accounts = {
    instagram: await connect(brand, 'instagram', instagram.oauth, 'mira'),
    bluesky: (
      await create(brand, 'accounts', {
        network: 'bluesky',
        service: bluesky.url,
        ...bluesky.addAccount('app-password', 'mirabakery.example.com'),
      })
    ).id,
    mastodon: await connectMastodon(brand, mastodon),
    linkedin: await connect(brand, 'linkedin_page', linkedin.oauth, 'mira'),
  }
  const images = await upload(url, { cookie, 'x-workspace-id': workspace.id })
  await check(brand.patch('/api/v1/workspace', { color: 'orange', picture_id: images[0] }))
  const names = { instagram: 'Mira Bakery', bluesky: 'Mira Istanbul', mastodon: 'Mira Baking', linkedin: 'Mira Ltd' }
  for (const [network, name] of Object.entries(names))
    await check(brand.patch(`/api/v1/accounts/${accounts[network as keyof Accounts]}`, { name }))
  await fillMonth(brand, accounts, images)
  const draft = await createDraft(brand, accounts, images)

  const browser = await launchChromium()
  onCleanUp(() => browser.close())
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      ...{ baseURL: url, locale: 'en-GB', timezoneId: 'Europe/Istanbul', viewport: SIZE, colorScheme },
      reducedMotion: 'reduce',
    })
    await context.addCookies(
      cookie.split('; ').map((pair) => {
        const at = pair.indexOf('=')
        return { name: pair.slice(0, at), value: pair.slice(at + 1), url }
      }),
    )
    const page = await context.newPage()
    await page.goto(`/w/${workspace.slug}/calendar?date=${nextMonth().toISOString().slice(0, 10)}`)
    await take(page, `calendar-${colorScheme}`)
    await page.goto(`/w/${workspace.slug}/posts/${draft}/edit`)
    await take(page, `composer-${colorScheme}`)
    await page.goto('/admin/status')
    await page.getByRole('button', { name: 'Check again' }).waitFor()
    await take(page, `status-${colorScheme}`)
    await context.close()
  }
}

async function signIn(url: string) {
  const { headers } = await check(client(url).post('/api/auth/sign-in/email', ADMIN))
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

async function check<T extends { status: number; body: unknown }>(response: Promise<T>) {
  const received = await response
  if (received.status >= 400) throw new Error(`${received.status}: ${JSON.stringify(received.body)}`)
  return received
}

const create = async (person: Client, path: string, body: object) =>
  (await check(person.post(`/api/v1/${path}`, body))).body

async function connectMastodon(brand: Client, server: Awaited<ReturnType<typeof mastodonServer>>) {
  const { token } = server.addAccount()
  const fields = { network: 'mastodon', server: server.url, access_token: token }
  return String((await create(brand, 'accounts', fields)).id)
}

/** Sets up the app of a network, signs in there, and connects the first account that it offers. */
async function connect(brand: Client, network: string, oauth: OAuthServer, person: string) {
  const { client_id, client_secret } = oauth.client
  await check(brand.put(`/api/v1/admin/network-apps/${network}`, { client_id, client_secret }))
  oauth.signInAs(person)
  const { id, authorize_url } = await create(brand, 'accounts/connections', { network })
  oauth.client.redirect_uri = new URL(authorize_url).searchParams.get('redirect_uri') ?? ''
  const { headers } = await fetch(authorize_url, { redirect: 'manual' })
  const back = new URL(headers.get('location') ?? '')
  await check(brand.get(`${back.pathname}${back.search}`))
  const path = `/api/v1/accounts/connections/${id}`
  const { body } = await check(brand.get(path))
  const connected =
    body.status === 'choose'
      ? (await check(brand.post(`${path}/choose`, { external_ids: [body.candidates[0].external_id] }))).body
      : body
  return String(connected.account_ids[0])
}

/** Uploads the images of the bakery. Returns their ids. */
async function upload(url: string, headers: Record<string, string>) {
  const ids: string[] = []
  for (const { name, alt, bytes } of await drawImages()) {
    const form = new FormData()
    form.set('alt', alt)
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), name)
    const response = await fetch(`${url}/api/v1/media`, { method: 'POST', headers, body: form })
    const body = (await response.json()) as { id: string }
    if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(body)}`)
    ids.push(body.id)
  }
  return ids
}

type Accounts = Record<'instagram' | 'bluesky' | 'mastodon' | 'linkedin', string>

/** Posts of a week: weekday from Monday, time, image, networks, and texts that take turns from week to week. */
const week: [day: number, time: string, image: number | null, networks: (keyof Accounts)[], texts: string[]][] = [
  [0, '08:00', 0, ['instagram', 'bluesky', 'mastodon'], ['Simit straight from the oven', 'A ring of sesame to begin']],
  [1, '12:30', 2, ['linkedin', 'instagram'], ['Our new roast arrived: hazelnut', 'Latte art, first lesson']],
  [2, '09:15', 1, ['bluesky', 'instagram'], ['Sourdough takes 36 hours', 'Rye is back on Wednesdays']],
  [3, '17:00', null, ['mastodon', 'bluesky'], ['We are looking for a baker', 'Closing early for the fair']],
  [4, '08:30', 3, ['instagram', 'bluesky', 'linkedin'], ['Cherry cake, only today', 'Cake by the slice or whole']],
  [5, '10:00', 5, ['mastodon', 'instagram'], ['Tea is on the house', 'Saturdays smell of tea']],
  [5, '18:30', 4, ['instagram'], ['The stone oven at night', 'Firewood for the winter']],
]

/** Schedules a month of the bakery. */
async function fillMonth(brand: Client, accounts: Accounts, images: string[]) {
  const month = nextMonth()
  const days = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate()
  for (let day = 1; day <= days; day++) {
    const date = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), day))
    const weekday = (date.getUTCDay() + 6) % 7
    for (const [on, time, image, networks, texts] of week) {
      if (on !== weekday) continue
      await create(brand, 'posts', {
        content: texts[Math.floor(day / 7) % texts.length],
        ...(image !== null && { media_ids: [images[image]] }),
        account_ids: networks.map((network) => accounts[network]),
        // Istanbul is three hours ahead of UTC all year.
        scheduled_at: `${date.toISOString().slice(0, 10)}T${time}:00+03:00`,
      })
    }
  }
}

/** Creates a draft for three networks, with two images. Returns its id. */
async function createDraft(brand: Client, { instagram, bluesky, linkedin }: Accounts, images: string[]) {
  const content =
    'Sourdough takes 36 hours. Today we show each of them, from the first fold to the last crackle of the crust.' +
    '\n\nCome and listen to it from seven. #sourdough #bakery'
  const account_ids = [instagram, bluesky, linkedin]
  const { id } = await create(brand, 'posts', { content, account_ids, media_ids: [images[1], images[4]] })
  return String(id)
}

function nextMonth() {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}

/** Writes the picture of a page that has loaded. */
async function take(page: Page, name: string) {
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
  // Images below the window are not loaded.
  await page.waitForFunction(`[...document.images].every(
    (image) => image.getBoundingClientRect().top > innerHeight || (image.complete && image.naturalWidth > 0))`)
  const png = await page.screenshot()
  const webp = await sharp(png).webp({ quality: 82 }).toBuffer()
  await writeFile(join(folder, `${name}.webp`), webp)
  console.log(`${name}.webp: ${Math.round(webp.length / 1000)} KB`)
}

try {
  await mkdir(folder, { recursive: true })
  await takeAll()
} finally {
  await cleanUp()
}
