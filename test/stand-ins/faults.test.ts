import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../until.ts'
import { blueskyServer } from './bluesky.ts'
import { type FaultName, faults } from './faults.ts'
import { mastodonServer } from './mastodon.ts'
import { fileOf } from './request.ts'
import { telegramServer } from './telegram.ts'

const json = (url: string, authorization: string, body: unknown) =>
  new Request(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const image = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
const formOf = (name: string, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set(name, fileOf(image, 'image/png'))
  return form
}

async function mastodon() {
  const server = await mastodonServer()
  const authorization = `Bearer ${server.addAccount().token}`
  const path = '/api/v2/media'
  return {
    server,
    paths: { post: '/api/v1/statuses', upload: path },
    post: () => json(`${server.url}/api/v1/statuses`, authorization, { status: 'Hello' }),
    upload: () =>
      new Request(`${server.url}${path}`, { method: 'POST', headers: { authorization }, body: formOf('file') }),
  }
}

async function telegram() {
  const server = await telegramServer()
  const chat_id = server.addChat().id
  const at = (method: string) => `${server.url}/bot${server.token}/${method}`
  return {
    server,
    paths: { post: '/sendMessage', upload: '/sendPhoto' },
    post: () => json(at('sendMessage'), '', { chat_id, text: 'Hello' }),
    upload: () => new Request(at('sendPhoto'), { method: 'POST', body: formOf('photo', { chat_id: String(chat_id) }) }),
  }
}

async function bluesky() {
  const server = await blueskyServer()
  const { handle, app_password } = server.addAccount()
  const at = (name: string) => `${server.url}/xrpc/com.atproto.${name}`
  const login = json(at('server.createSession'), '', { identifier: handle, password: app_password })
  const session: unknown = await (await fetch(login)).json()
  const field = (name: string) => String(Object(session)[name])
  const authorization = `Bearer ${field('accessJwt')}`
  const record = { $type: 'app.bsky.feed.post', text: 'Hello', createdAt: '2026-11-22T00:00:00.000Z' }
  const body = { repo: field('did'), collection: record.$type, rkey: '3kabcdefghij2', record }
  return {
    server,
    paths: { post: '.createRecord', upload: '.uploadBlob' },
    post: () => json(at('repo.createRecord'), authorization, body),
    upload: () =>
      new Request(at('repo.uploadBlob'), {
        method: 'POST',
        headers: { authorization, 'content-type': 'image/png' },
        body: new Uint8Array(image),
      }),
  }
}

/** The status of the response, or how it fails to come. */
const outcomes: Record<FaultName, number[] | 'lost' | 'hangs'> = {
  refused: [400, 422],
  rate_limited: [429],
  server_error_before_saving: [503],
  server_error_after_saving: [503],
  response_lost_before_saving: 'lost',
  response_lost_after_saving: 'lost',
  hangs_before_saving: 'hangs',
  hangs_after_saving: 'hangs',
  token_ends: [400, 401],
  false_success: [200],
  upload_cut: 'lost',
  upload_rate_limited: [429],
  upload_server_error: [503],
  processing_never_ends: [200, 202],
  processing_fails: [200, 202],
}

const namesOf = (...names: FaultName[]) => names

describe.each([
  { network: 'Mastodon', start: mastodon, absent: namesOf() },
  { network: 'Telegram', start: telegram, absent: namesOf('processing_never_ends', 'processing_fails') },
  { network: 'Bluesky', start: bluesky, absent: namesOf() },
])('faults of $network', ({ start, absent }) => {
  test.each(faults.filter(({ name }) => !absent.includes(name)))('$name', async ({ name, at, stored }) => {
    const network = await start()
    const { server, paths } = network
    onTestFinished(server.close)
    const abort = new AbortController()
    const outcome = outcomes[name]
    server.fault(name)
    const sent = fetch(network[at](), { signal: abort.signal }).then(
      ({ status }) => status,
      () => 'lost',
    )
    if (outcome === 'hangs') {
      await server.called(paths[at], 1)
      await until(() => expect(server.stored()).toHaveLength(stored))
      abort.abort()
    } else {
      expect(Array.isArray(outcome) ? outcome : [outcome]).toContain(await sent)
    }
    await sent
    // Telegram has no uploads without a post.
    const posts = at === 'upload' ? server.stored().filter(({ media }) => media.length === 0) : server.stored()
    expect(posts).toHaveLength(stored)
  })

  test('a call that arrives twice at once is stored as often as the network cannot tell', async () => {
    const { server, post } = await start()
    onTestFinished(server.close)
    server.failNext({ kind: 'twice' })
    await fetch(post())
    expect(server.stored()).toHaveLength(start === bluesky ? 1 : 2)
  })

  test('faults come after as many successes as the test asks for', async () => {
    const { server, post } = await start()
    onTestFinished(server.close)
    server.fault('token_ends', 1)
    const statuses = [(await fetch(post())).status, (await fetch(post())).status]
    expect(statuses[0]).toBe(200)
    expect([400, 401]).toContain(statuses[1])
    expect(server.stored()).toHaveLength(1)
  })
})
