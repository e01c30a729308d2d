import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { Pool } from 'undici'
import { HOUR } from '../shared/time.ts'
import { atLeast, type Claim, callInLoops, compareWithBaseline, createMany, waitUntil } from './harness.ts'
import { postJson } from './http.ts'
import { createOwner, runLongStatement, serverSettings, signIn, startMeydan, withDeps } from './meydan.ts'
import { startPostgres, startServer, temporaryFolder } from './processes.ts'

const ACCOUNTS = 200

/**
 * Compares posts with an image that are published on a server with Mastodon's API, by two steps each, with a bare client
 * that sends the same requests from memory. All posts of a round are due at the same time, on accounts of their own.
 */
export const claim: Claim = {
  name: 'publish',
  target: atLeast(0.5),
  measure: async (bench) => {
    const posts = ACCOUNTS * (bench.quick ? 2 : 10)
    const connection = await startPostgres()
    const network = await startServer('fixtures/mastodon-server.ts', {})
    await withDeps(connection, createOwner)
    const { url } = await startMeydan({
      ...serverSettings(connection),
      ROLE: 'all',
      DATA_DIR: await temporaryFolder(),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    })
    const { schedule } = await connectAccounts(url, network.url)
    return withDeps(connection, ({ pool }) => {
      const publish = async () => {
        await schedule(posts)
        const begun = performance.now()
        await runLongStatement(pool, 'update post set scheduled_at = now() where scheduled_at > now()')
        await runLongStatement(
          pool,
          `update graphile_worker._private_jobs set run_at = now() where key like 'publish:%'`,
        )
        await waitUntil(
          async () =>
            (await pool.query(`select from post where status in ('scheduled', 'publishing') limit 1`)).rowCount === 0,
          () => `${posts} posts are published`,
        )
        const seconds = (performance.now() - begun) / 1000
        const { rowCount } = await pool.query(`select from post where status <> 'published' limit 1`)
        if (rowCount !== 0) throw new Error('A post was not published.')
        return posts / seconds
      }
      return compareWithBaseline(bench, {
        ...{ unit: 'posts/s', rounds: 7, seconds: 1 },
        value: publish,
        baseline: () => sendAgain(network.url, posts),
      })
    })
  },
}

/** Connects accounts and uploads an image. Returns the function that schedules posts with it. */
async function connectAccounts(url: string, server: string) {
  const cookie = await signIn(url)
  const create = async (path: string, body: object) => {
    const response = await postJson(`${url}/api/v1/${path}`, body, { cookie })
    return (await response.json()) as { id: string }
  }
  const form = new FormData()
  form.set('file', new Blob([await drawImage()], { type: 'image/jpeg' }), 'image.jpg')
  const uploaded = await fetch(`${url}/api/v1/media`, { method: 'POST', headers: { cookie }, body: form })
  if (uploaded.status !== 201) throw new Error(`The image was not stored: ${await uploaded.text()}`)
  const { id } = (await uploaded.json()) as { id: string }
  const accounts = await createMany(ACCOUNTS, (index) =>
    create('accounts', { network: 'mastodon', server, access_token: `person${index}` }),
  )
  const scheduled_at = new Date(Date.now() + HOUR).toISOString()
  const schedule = (posts: number) =>
    createMany(posts, (index) =>
      create('posts', {
        content: `Post ${index}`,
        media_ids: [id],
        account_ids: [accounts[index % ACCOUNTS]?.id],
        scheduled_at,
      }),
    )
  return { schedule }
}

/** Draws noise, about 200 kB as JPEG. */
async function drawImage() {
  const [width, height] = [800, 600]
  const image = sharp(randomBytes(width * height), { raw: { width, height, channels: 1 } }).blur(0.8)
  return new Uint8Array(await image.jpeg().toBuffer())
}

type Recorded = { path: string; headers: Record<string, string>; body: string }

/** Sends the requests of a post again, in as many loops as there are accounts. Returns posts a second. */
async function sendAgain(url: string, posts: number) {
  const recorded = (await (await fetch(`${url}/recorded`)).json()) as Recorded[]
  const requests = recorded.map((request) => ({ ...request, body: Buffer.from(request.body, 'base64') }))
  const pool = new Pool(url, { connections: ACCOUNTS })
  const begun = performance.now()
  await callInLoops(
    ACCOUNTS,
    (sent) => sent >= posts,
    async () => {
      for (const request of requests) {
        const { body, statusCode } = await pool.request({ ...request, method: 'POST' })
        await body.json()
        if (statusCode !== 200) throw new Error(`${request.path} responded with ${statusCode}`)
      }
    },
  )
  const seconds = (performance.now() - begun) / 1000
  await pool.close()
  return posts / seconds
}
