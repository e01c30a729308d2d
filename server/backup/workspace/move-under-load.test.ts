import { expect, onTestFinished, test } from 'vitest'
import { SECOND } from '../../../shared/time.ts'
import type { ApiResponse } from '../../../test/client.ts'
import { createWebhook } from '../../../test/deliveries.ts'
import { expectStatus, type WorkspaceOwner, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { webhookReceiver } from '../../../test/receiver.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { until } from '../../../test/until.ts'
import { createTimings } from '../../lib/runtime/timings.ts'
import { startWorker } from '../../worker.ts'
import { twoInstallations } from './workspace.fixture.ts'

const { closed, imported, source, target, there } = await twoInstallations({ origin: new Date() })
const bluesky = await blueskyServer()
const receiver = await webhookReceiver()

type Sender = { who: WorkspaceOwner; account: string; webhook: string; publish: (body: object) => Promise<ApiResponse> }

/** A workspace with an account and a webhook. */
async function withSender(t: typeof source): Promise<Sender> {
  const who = await withWorkspace(t)
  const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
  const { id: account } = expectStatus(await who.post('/api/v1/accounts', fields), 201).body
  const { id: webhook } = await createWebhook(who, receiver.url, ['post.published'])
  return { who, account, webhook, publish: (body) => who.post('/api/v1/posts', body) }
}

let number = 0

/** Publishes posts one after the other while `goesOn`, until one is refused. `pause`: between two posts. */
async function publishPosts({ account, publish }: Sender, goesOn: () => boolean, pause = async (_id: string) => {}) {
  const acknowledged: { id: string; content: string }[] = []
  const refused: ApiResponse[] = []
  while (goesOn() && refused.length === 0) {
    const content = `Post ${++number}`
    const response = await publish({ content, account_ids: [account], publish_now: true })
    if (response.status !== 201) refused.push(response)
    else {
      acknowledged.push({ id: response.body.id, content })
      await pause(response.body.id)
    }
  }
  return { acknowledged, refused }
}

type Post = {
  id: string
  content: string
  status: string
  held: string | null
  targets: { id: string; error_code: string | null; needs_resolution: boolean }[]
}

async function postsOf(who: WorkspaceOwner) {
  const posts: Post[] = []
  for (let query = '?limit=100'; ; ) {
    const { data, next_cursor } = expectStatus(await who.get(`/api/v1/posts${query}`), 200).body
    posts.push(...data)
    if (next_cursor === null) return posts
    query = `?limit=100&cursor=${next_cursor}`
  }
}

const onNetwork = () => [...bluesky.records.values()].map(({ value }) => String(value.text))

/** Ids of the events about a post. */
const eventsOf = (id: string) =>
  new Set(
    receiver.received.filter(({ raw }) => JSON.parse(raw.toString()).data.post.id === id).map((event) => event.id),
  )

test('a workspace that moves under load keeps what was acknowledged, sends nothing twice, and disturbs no other', async () => {
  const workers = await Promise.all(
    [source, target].map(({ deps }) => startWorker({ ...deps, timings: createTimings(50) }, { alone: false })),
  )
  onTestFinished(async () => {
    for (const worker of workers) await worker.stop()
    bluesky.close()
    receiver.close()
  })
  const moving = await withSender(source)
  const neighbours = [await withSender(source), await withSender(target)]
  let hasMoved = false
  const isTold = (id: string) => until(() => expect(eventsOf(id).size).toBe(1))
  const beside = neighbours.map((neighbour) => publishPosts(neighbour, () => !hasMoved, isTold))
  const token = await withToken(source, moving.who, ['posts:write'])
  const program: Sender = { ...moving, publish: (body) => token.post('/api/v1/public/posts', body) }
  const clients = [moving, moving, program, program].map((client) => publishPosts(client, () => true))
  await until(() => expect(receiver.received.length).toBeGreaterThan(10))
  const { path } = await closed(moving.who)
  const written = await Promise.all(clients)
  await imported(path)
  hasMoved = true

  const undisturbed = await Promise.all(beside)
  for (const { refused } of undisturbed) expect(refused).toEqual([])
  for (const { refused } of written)
    expect(refused).toMatchObject([
      { status: 404, body: { code: 'not_found', detail: expect.stringContaining('moved to') } },
    ])
  expectProblem(await moving.publish({ content: 'Later' }), 409, 'workspace_required')
  expectProblem(await program.publish({ content: 'Later' }), 401, 'unauthenticated')

  // Nothing but what was acknowledged is in the target.
  const acknowledged = written.flatMap((client) => client.acknowledged)
  const who = await there(moving.who)
  const posts = await postsOf(who)
  const identities = (all: { id: string; content: string }[]) => all.map(({ id, content }) => `${id} ${content}`)
  expect(identities(posts).toSorted()).toEqual(identities(acknowledged).toSorted())

  // Posts that were being published at the closing are left to a person. The target publishes the others.
  const interrupted = posts.filter(({ status }) => status === 'failed')
  for (const { targets } of interrupted) expect(targets).toMatchObject([{ error_code: 'unconfirmed' }])
  const settled = acknowledged.filter(({ id }) => !interrupted.some((post) => post.id === id))
  expectStatus(await who.patch(`/api/v1/webhooks/${moving.webhook}`, { active: true }), 200)
  expectStatus(await who.patch(`/api/v1/accounts/${moving.account}`, { paused: false }), 200)
  target.advance(SECOND)
  for (const { id, held } of posts)
    if (held === 'late') expectStatus(await who.post(`/api/v1/posts/${id}/publish`), 200)
  for (const { id } of settled) await isTold(id)
  const others = undisturbed.flatMap((client) => client.acknowledged)
  const contents = onNetwork()
  expect(contents).toEqual(expect.arrayContaining([...settled, ...others].map(({ content }) => content)))
  expect(new Set(contents).size).toBe(contents.length)

  // A person who finds an interrupted post says so, and the network is asked for the rest.
  for (const { id, content, targets } of interrupted)
    for (const { id: target_id, needs_resolution } of targets)
      if (needs_resolution && contents.includes(content)) {
        expectStatus(await who.post(`/api/v1/posts/${id}/targets/${target_id}/resolve`, { published: true }), 200)
        await until(async () => {
          expect((await postsOf(who)).find((post) => post.id === id)).toMatchObject({ status: 'published' })
        })
      }
})
