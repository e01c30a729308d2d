import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { noise, testImage, uploaded } from '../../../../test/media.ts'
import { publishDying } from '../../../../test/network-faults.ts'
import {
  type Connected,
  connectByForm,
  type Network,
  networkAccounts,
  type Server,
} from '../../../../test/network-stand-ins.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { SEED, thirdOf } from '../../../../test/torture/settings.ts'
import { advance, HOUR, publishNow, read } from './publishing.fixture.ts'

const t = await testApp()
const networks = networkAccounts(t)

type File = { id: string; mime: string; alt: string; bytes: Buffer }

/** Two images of a post, and another. */
async function uploadFiles(owner: WorkspaceOwner) {
  const jpeg = async () =>
    // Images of like colours would have the same bytes as JPEG.
    sharp(await noise(40, 30))
      .jpeg()
      .toBuffer()
  const file = async (alt: string, bytes: Buffer, mime: string): Promise<File> => {
    const { id } = await uploaded(owner, { bytes, type: mime, fields: [['alt', alt]] })
    return { id, mime, alt, bytes }
  }
  return {
    first: await file('First', await testImage(), 'image/png'),
    second: await file('Second', await jpeg(), 'image/jpeg'),
    other: await file('Other', await jpeg(), 'image/jpeg'),
  }
}

let texts = 0
/** A title and a text, which no other post has. */
const newText = (name: string) => `${name} ${++texts}\n\nText of ${name} ${texts}`

type Post = { id: string; content: string; media_ids: string[]; thread: { content: string; media_ids: string[] }[] }

/** The post with its thread as readers should see it. */
const expectedOf = (
  files: Record<string, File>,
  { hasAlt = true, typeOf = String, textOf = String }: Network,
  { content, media_ids, thread }: Post,
) =>
  [{ content, media_ids }, ...thread]
    .map((part) => ({
      text: textOf(part.content),
      media: part.media_ids.map((id) => {
        const file = Object.values(files).find((each) => each.id === id)
        return { type: typeOf(file?.mime ?? ''), alt: hasAlt ? (file?.alt ?? '') : '' }
      }),
    }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))

/** The posts that readers see, except for these. Posts of one moment are in no order. */
const seen = (server: Server, except: ReadonlySet<string>) =>
  server
    .stored()
    .filter(({ id, deleted }) => !deleted && !except.has(id))
    .map(({ text, media }) => ({ text, media: media.map(({ type, alt }) => ({ type, alt: alt ?? '' })) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))

const idsOf = (server: Server) => new Set(server.stored().map(({ id }) => id))

const REFUSED = { kind: 'response', status: 400 } as const

describe.each(thirdOf(Object.entries(networks)))(`on %s (seed ${SEED})`, (_, network) => {
  let owner: WorkspaceOwner
  let files: Awaited<ReturnType<typeof uploadFiles>>
  let connected: Connected
  beforeAll(async () => {
    owner = await withWorkspace(t)
    files = await uploadFiles(owner)
    connected = await network.connect(owner)
  })
  afterAll(() => connected.server.close())

  const setAlt = async (file: File, alt: string) => {
    expectStatus(await owner.patch(`/api/v1/media/${file.id}`, { alt }), 200)
    file.alt = alt
  }

  const current = async ({ id }: { id: string }) => expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body

  /** Runs jobs until the post has ended. */
  async function ended(post: { id: string }, waits = [60_000, HOUR, HOUR, HOUR, 3 * HOUR]) {
    await t.runJobs()
    for (const wait of waits) {
      if ((await current(post)).status !== 'publishing') break
      await advance(t, wait)
    }
    return current(post)
  }

  const targets = (which: 'former' | 'corrected') => {
    const { option } = network
    return [{ account_id: connected.account, options: option ? { [option.name]: option[which] } : {} }]
  }

  const create = async (fields: object | false = {}): Promise<{ id: string }> => {
    const post = {
      content: newText('Former'),
      media_ids: [files.first.id, files.second.id],
      ...(network.hasThread && { thread: [{ content: newText('Former part'), media_ids: [files.second.id] }] }),
      ...{ targets: targets('former'), publish_now: true },
    }
    return expectStatus(await owner.post('/api/v1/posts', { ...post, ...fields }), 201).body
  }

  const change = (post: { id: string }, fields: object) => owner.patch(`/api/v1/posts/${post.id}`, fields)

  /** A post that was refused, and the posts that readers saw before. */
  async function refused(fields: object = {}) {
    const { server } = connected
    const before = idsOf(server)
    server.failNext(REFUSED)
    const post = await create(fields)
    expect((await ended(post)).status).toBe('failed')
    return { post, before }
  }

  /** Publishes a post that failed, and expects that readers see it as Meydan shows it. */
  async function expectPublished(post: { id: string }, how: 'publish' | 'retry', before: Set<string>) {
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/${how}`), 200)
    const done = await ended(post)
    expect(done.targets[0]).toMatchObject({ status: 'published', error_message: null })
    expect(seen(connected.server, before)).toEqual(expectedOf(files, network, done))
  }

  const changes: [string, () => object, boolean][] = [
    ['the text', () => ({ content: newText('Corrected') }), true],
    ['an image', () => ({ media_ids: [files.other.id, files.second.id] }), true],
    ['the order of two images', () => ({ media_ids: [files.second.id, files.first.id] }), true],
    ['a part of the thread', () => ({ thread: [{ content: newText('Corrected part') }] }), network.hasThread === true],
  ]
  test.each(changes.filter(([, , isPossible]) => isPossible))(
    'a refused post of which %s was changed is published as it is then',
    async (_, fields) => {
      const { post, before } = await refused()
      expectStatus(await change(post, fields()), 200)
      await expectPublished(post, 'publish', before)
    },
  )

  if (network.typeOf && !network.fetches)
    test('the bytes of another image are sent', async () => {
      const { post, before } = await refused()
      const { id, bytes } = files.other
      const callsBefore = connected.server.calls.length
      expectStatus(await change(post, { media_ids: [id] }), 200)
      await expectPublished(post, 'publish', before)
      expect(
        connected.server.calls
          .slice(callsBefore)
          .some((call) => 'raw' in call && Buffer.isBuffer(call.raw) && call.raw.includes(bytes)),
      ).toBe(true)
    })

  if (network.option)
    test('a refused post of which an option was changed is published with it', async () => {
      const { post, before } = await refused()
      expectStatus(await change(post, { targets: targets('corrected') }), 200)
      await expectPublished(post, 'publish', before)
      expect(connected.shownOption?.()).toEqual(network.option?.corrected)
    })

  test('a refused post is retried with the alternative text that its image has then', async () => {
    const { post, before } = await refused()
    await setAlt(files.second, `Second ${texts}`)
    await expectPublished(post, 'retry', before)
  })

  test('whichever call is refused, a changed post is published as it is then', async () => {
    const { server } = connected
    for (let nth = 1, isLast = false; !isLast; nth++) {
      const before = idsOf(server)
      const isPending = server.failCall(nth, REFUSED)
      const post = await create(network.hasThread === true && { thread: [{ content: newText('Former part') }] })
      const { status } = await ended(post)
      isLast = isPending()
      server.failCall(0)
      if (status === 'published') {
        expect(seen(server, before)).toEqual(expectedOf(files, network, await current(post)))
        continue
      }
      const corrected = await change(post, {
        content: newText('Corrected'),
        media_ids: [files.other.id, files.first.id],
        ...(network.hasThread && { thread: [{ content: newText('Corrected part') }] }),
        targets: targets('corrected'),
      })
      if (status === 'partially_published') {
        // Readers see a part already, which would stay as it is.
        expectProblem(corrected, 409, 'invalid_transition')
        await expectPublished(post, 'retry', before)
      } else {
        expectStatus(corrected, 200)
        await setAlt(files.first, `First ${texts}`)
        await expectPublished(post, 'publish', before)
      }
    }
  })

  if (network.canLookUp !== false)
    describe('a post that nobody could look up for a day', () => {
      /** A post whose response was lost, and which was changed since. */
      async function lost(fault: 'response_lost_before_saving' | 'response_lost_after_saving') {
        const { server } = connected
        const before = idsOf(server)
        server.fault(fault)
        const post = await create()
        await t.runJobs()
        while ((await current(post)).targets[0].status === 'publishing') await advance(t, 10_000)
        server.failAlways({ kind: 'response', status: 503 })
        await advance(t, 25 * HOUR)
        server.failAlways()
        expect((await current(post)).targets[0]).toMatchObject({ status: 'failed', error_code: 'unconfirmed' })
        const fields = { content: newText('Corrected'), media_ids: [files.other.id], targets: targets('corrected') }
        expectStatus(await change(post, fields), 200)
        return { post, before }
      }

      test('is published as it is after a change if it did not arrive', async () => {
        const { post, before } = await lost('response_lost_before_saving')
        await expectPublished(post, 'publish', before)
      })

      test('is found by what was sent if it arrived, and not published again', async () => {
        const { post, before } = await lost('response_lost_after_saving')
        expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200)
        expect((await ended(post)).status).toBe('published')
        expect(seen(connected.server, before)).toHaveLength(network.hasThread ? 2 : 1)
      })
    })
})

describe('inside Meydan', () => {
  const feed = (owner: WorkspaceOwner) =>
    connectByForm(owner, { network: 'rss', title: 'Bakery', description: 'News', language: 'en' })
  const addressOf = async (owner: WorkspaceOwner, account: string) =>
    String((await owner.get(`/api/v1/accounts/${account}`)).body.url).replace(t.deps.baseUrl, '')

  test.each([
    ['the Playground', playgroundAccount, async () => '/api/v1/playground'],
    ['a feed', feed, addressOf],
  ] as const)('what a dead worker left on %s is shown as the post is after a change', async (_, connect, pathOf) => {
    const owner = await withWorkspace(t)
    const account = await connect(owner)
    const post = await publishNow(owner, { content: 'Former', account_ids: [account] })
    expect(await publishDying(t, post, 1, 'before')).toBe(true)
    expectStatus(await owner.patch(`/api/v1/accounts/${account}`, { paused: true }), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('failed')
    expectStatus(await owner.patch(`/api/v1/accounts/${account}`, { paused: false }), 200)
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { content: 'Corrected' }), 200)
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/publish`), 200)
    await t.runJobs()
    expect((await read(owner, post)).status).toBe('published')
    const shown = JSON.stringify((await owner.get(await pathOf(owner, account))).body)
    expect([shown.includes('Corrected'), shown.includes('Former')]).toEqual([true, false])
  })
})
