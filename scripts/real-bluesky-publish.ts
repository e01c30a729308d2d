/**
 * Publishes a thread with four images through the API of a real Meydan to the real server of Bluesky, and reads it back
 * from there. `npm run bluesky -- publish` runs it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import sharp from 'sharp'
import type { Client } from '../test/client.ts'
import { expectStatus } from '../test/factories.ts'
import { testImage, uploaded } from '../test/media.ts'
import { instance } from './real-instance.ts'

type Server = { url: string; handle: string; password: string }

const RECOVER_MS = 120_000

/** `lost`: the connection closes after the call arrived. `held`: there is no response, and `reached` is called. */
type Fault =
  | { name: string; nth: number; kind: 'lost' }
  | { name: string; nth: number; kind: 'held'; reached: () => void }

const bodyOf = async (message: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Stands between Meydan and the server, and keeps responses back. Every call reaches the server. */
async function faultyProxy(target: string) {
  let fault: Fault | undefined
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const reply = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length > 0 && { body }),
    })
    const name = /\.(\w+)(\?|$)/.exec(request.url ?? '')?.[1] ?? ''
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    const type = reply.headers.get('content-type') ?? 'text/plain'
    const sent = Buffer.from(await reply.arrayBuffer())
    // Accounts name their server, which Meydan would call without the proxy.
    const content = type.includes('json') ? sent.toString().replaceAll(target, url) : sent
    if (fault?.name === name && fault.nth === nth) {
      if (fault.kind === 'held') return fault.reached()
      return request.socket.destroy()
    }
    response.writeHead(reply.status, { 'content-type': type }).end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    counts,
    /** Counts from here. */
    failAt: (next: Fault | undefined) => {
      counts.clear()
      fault = next
    },
    close: () => server.closeAllConnections(),
    end: () => server.close(),
  }
}

const IMAGES = [
  { alt: 'Simit on a tray', width: 640, height: 480 },
  { alt: 'Çay ☕ in a glass', width: 480, height: 640 },
  { alt: '', width: 300, height: 300 },
  { alt: 'A street with "quotes"', width: 1200, height: 400 },
]

async function publish(admin: Client, account_id: string, text: string) {
  const media_ids: string[] = []
  for (const { alt, width, height } of IMAGES)
    media_ids.push((await uploaded(admin, { bytes: await testImage(width, height), fields: [['alt', alt]] })).id)
  const thread = [2, 3].map((number) => ({ content: `${text}, part ${number}` }))
  const post = { content: `${text}, part 1 #simit`, account_ids: [account_id], media_ids, thread, publish_now: true }
  return expectStatus(await admin.post('/api/v1/posts', post), 201).body
}

async function ended(admin: Client, { id }: { id: string }) {
  for (const end = Date.now() + RECOVER_MS; Date.now() < end; ) {
    const response = await admin.get(`/api/v1/posts/${id}`).catch(() => undefined)
    if (response?.status === 200 && !['publishing', 'scheduled'].includes(response.body.status)) return response.body
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The post did not end')
}

/** The records of a text, and the files that they name, as the server has them. */
async function readBack({ url }: Server, did: string, text: string) {
  const query = new URLSearchParams({ repo: did, collection: 'app.bsky.feed.post', limit: '100' })
  const { records } = Object(await (await fetch(`${url}/xrpc/com.atproto.repo.listRecords?${query}`)).json())
  const found = records.filter(({ value }: { value: { text: string } }) => value.text.startsWith(`${text}, `))
  found.sort((one: { value: { text: string } }, other: { value: { text: string } }) =>
    one.value.text.localeCompare(other.value.text),
  )
  const images = found[0]?.value.embed?.images ?? []
  const files: { alt: string; width: number; height: number }[] = []
  for (const { image, alt } of images) {
    const blob = new URLSearchParams({ did, cid: image.ref.$link })
    const bytes = Buffer.from(await (await fetch(`${url}/xrpc/com.atproto.sync.getBlob?${blob}`)).arrayBuffer())
    const { width, height } = await sharp(bytes).metadata()
    files.push({ alt, width, height })
  }
  return { found, images, files }
}

/** Compares the thread on the server with what was published. Returns the differences. */
async function mistakes(server: Server, did: string, text: string) {
  const { found, images, files } = await readBack(server, did, text)
  const [first, second, third] = found.map(({ uri, cid }: { uri: string; cid: string }) => ({ uri, cid }))
  const shown = images.map(({ alt, aspectRatio }: { alt: string; aspectRatio: object }) => ({ alt, ...aspectRatio }))
  const expectations: [string, unknown, unknown][] = [
    [
      'texts',
      found.map(({ value }: { value: { text: string } }) => value.text),
      [1, 2, 3].map((n) => `${text}, part ${n}${n === 1 ? ' #simit' : ''}`),
    ],
    ['alternative texts and aspect ratios', shown, IMAGES],
    ['files', files, IMAGES],
    ['reply of part 1', found[0]?.value.reply, undefined],
    ['reply of part 2', found[1]?.value.reply, { root: first, parent: first }],
    ['reply of part 3', found[2]?.value.reply, { root: first, parent: second }],
    ['id of part 3', typeof third?.cid, 'string'],
  ]
  return expectations
    .filter(([, is, should]) => !isDeepStrictEqual(is, should))
    .map(([name, is, should]) => `${name}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`)
}

const faults: [string, Omit<Fault, 'reached'> | undefined][] = [
  ['Without a fault', undefined],
  ['Lost response of an upload', { name: 'uploadBlob', nth: 3, kind: 'lost' }],
  ['Lost response of the post', { name: 'putRecord', nth: 1, kind: 'lost' }],
  ['Lost response of part 2', { name: 'putRecord', nth: 2, kind: 'lost' }],
  ['Killed during upload 3', { name: 'uploadBlob', nth: 3, kind: 'held' }],
  ['Killed after part 2 arrived', { name: 'putRecord', nth: 2, kind: 'held' }],
]

/** Gives the account a profile with an image, before Meydan connects it. */
async function createProfile({ url, handle, password }: Server) {
  const send = async (name: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) => {
    const reply = await fetch(`${url}/xrpc/com.atproto.${name}`, { method: 'POST', body, headers })
    if (!reply.ok) throw new Error(`${name}: ${reply.status} ${await reply.text()}`)
    return Object(await reply.json())
  }
  const json = { 'content-type': 'application/json' }
  const signIn = JSON.stringify({ identifier: handle, password })
  const { did: repo, accessJwt } = await send('server.createSession', signIn, json)
  const authorization = `Bearer ${accessJwt}`
  const bytes = new Uint8Array(await testImage(300, 300))
  const { blob } = await send('repo.uploadBlob', bytes, { authorization, 'content-type': 'image/png' })
  const collection = 'app.bsky.actor.profile'
  const record = { $type: collection, displayName: 'Ada of the bakery', avatar: blob }
  const profile = JSON.stringify({ repo, collection, rkey: 'self', record })
  await send('repo.putRecord', profile, { authorization, ...json })
}

/** Prints every case with its outcome. Returns the number of those with mistakes. */
export async function publishToReal(server: Server) {
  const proxy = await faultyProxy(server.url)
  const meydan = await instance()
  let failed = 0
  try {
    await createProfile(server)
    const { handle, password: app_password } = server
    const fields = { network: 'bluesky', service: proxy.url, handle, app_password }
    const { body: account } = expectStatus(await meydan.admin.post('/api/v1/accounts', fields), 201)
    const hasProfile = account.name === 'Ada of the bakery' && account.avatar_url !== null
    if (!hasProfile) failed++
    console.log(`${hasProfile ? 'right' : 'WRONG'}  Profile: ${account.name}, image ${account.avatar_url}`)
    for (const [title, fault] of faults) {
      const reached = Promise.withResolvers<void>()
      proxy.failAt(fault && ({ ...fault, reached: reached.resolve } as Fault))
      const begun = performance.now()
      const created = await publish(meydan.admin, account.id, title)
      if (fault?.kind === 'held') {
        await reached.promise
        await meydan.killAndStart()
        proxy.close()
      }
      const post = await ended(meydan.admin, created)
      const [did] = String(post.targets[0].external_id).replace('at://', '').split('/')
      const wrong = await mistakes(server, did ?? '', title)
      if (post.status !== 'published') wrong.push(`status: ${post.status} (${post.targets[0].error_message})`)
      if (wrong.length > 0) failed++
      const calls = `${proxy.counts.get('uploadBlob') ?? 0} uploads, ${proxy.counts.get('putRecord') ?? 0} records`
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      console.log(`${wrong.length > 0 ? 'WRONG' : 'right'}  ${title}: ${post.status} after ${seconds} s, ${calls}`)
      for (const mistake of wrong) console.log(`       ${mistake}`)
    }
  } finally {
    await meydan.close()
    proxy.close()
    proxy.end()
  }
  return failed
}
