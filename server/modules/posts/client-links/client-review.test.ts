import { afterAll, describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { waiting } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { until } from '../../../../test/until.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { approvalTeam, clientOf, EDITOR_THEN_CLIENT, POLICY } from '../approval/approval.fixture.ts'

const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())
const LINKS = '/api/v1/client-links'
const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString()
const dayIn = (days: number) => new Date(t.clock.now().getTime() + days * DAY).toISOString().slice(0, 10)

async function team(policy: object = EDITOR_THEN_CLIENT) {
  const made = await approvalTeam(t, policy)
  const link = async (more: object = {}) => {
    const body = { name: 'Bakery', starts_on: dayIn(-1), ends_on: dayIn(30), timezone: 'UTC', ...more }
    return expectStatus(await made.owner.post(LINKS, body), 201).body
  }
  const open = async (more: object = {}) => clientOf(t, await link(more))
  /** A post that waits for the client. */
  const atClient = async (body: object = {}) => {
    const { id } = await made.write({ scheduled_at: inMinutes(20), ...body })
    await made.approve(made.editor, id)
    return id as string
  }
  return { ...made, link, open, atClient }
}

describe('a policy that ends with the client', () => {
  test('is saved, and the client is its last step', async () => {
    const { owner } = await team()
    expect((await owner.get('/api/v1/workspace/approval-policies')).body.steps).toEqual([
      { kind: 'members', need: 'any', role: 'editor', user_ids: [] },
      { kind: 'client', need: 'any', role: null, user_ids: [] },
    ])
    const steps = [{ kind: 'client' }, { need: 'any', role: 'editor' }]
    const first = await owner.put(POLICY, { mode: 'steps', steps })
    expect(first.body).toMatchObject({ status: 400, errors: [{ pointer: '/steps/0/kind' }] })
    const named = await owner.put(POLICY, { mode: 'steps', steps: [{ kind: 'client', role: 'owner' }] })
    expect(named.body).toMatchObject({ status: 400, errors: [{ pointer: '/steps/0' }] })
  })

  test('lets no member decide in the step of the client, and says how many links there are', async () => {
    const { owner, editor, atClient, call, review, link } = await team()
    const id = await atClient()
    expect(await review(id)).toMatchObject({
      waits_for_you: false,
      client_links: 0,
      open: [{ step: 2, steps: 2, kind: 'client', approvers: [] }],
    })
    for (const person of [owner, editor]) {
      expectProblem(await call(person, id, 'approve'), 403, 'not_an_approver')
      expectProblem(await call(person, id, 'reject', { reason: 'No' }), 403, 'not_an_approver')
    }
    const { id: link_id } = await link()
    await link({ may_decide: false })
    await link({ starts_on: dayIn(5) })
    expect(await review(id)).toMatchObject({ client_links: 1 })
    expect((await owner.get('/api/v1/posts/reviews')).body.data).toMatchObject([{ post_id: id, client_links: 1 }])
    expectStatus(await owner.post(`${LINKS}/${link_id}/revoke`), 200)
    expect(await review(id)).toMatchObject({ client_links: 0 })
  })

  test('shows no idea, also one that the client approved while it was a post', async () => {
    const { owner, atClient, open } = await team()
    const id = await atClient()
    const { approve, postOf, read } = await open()
    expectStatus(await approve(id, (await postOf(id)).content_version), 200)
    expectStatus(await owner.patch(`/api/v1/posts/${id}`, { is_idea: true, scheduled_at: null }), 200)
    expect((await read()).posts).toEqual([])
  })

  test('publishes what the client approved, and tells by which link', async () => {
    const { owner, atClient, open, read, review, pass } = await team()
    const id = await atClient()
    await pass(1)
    const { approve, postOf } = await open()
    const { content_version } = await postOf(id)
    expect(expectStatus(await approve(id, content_version), 200).body).toMatchObject({ id, state: 'approved' })
    expect(await read(id)).toMatchObject({ status: 'scheduled', review: 'approved' })
    expect((await review(id)).decisions[0]).toMatchObject({
      ...{ decision: 'approved', step: 2, by: null, is_current: true },
      client_link: { name: 'Bakery' },
    })
    const event = await t.deps.db
      .selectFrom('event')
      .select('payload')
      .where('workspace_id', '=', owner.workspace_id)
      .where('type', '=', 'post.review.approved')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(event.payload)).toMatchObject({ data: { by: null, client_link: { name: 'Bakery' } } })
    await pass(20)
    expect(await read(id)).toMatchObject({ status: 'published' })
  })

  test('counts a decision in the gate before each attempt, for the content that was seen', async () => {
    const { atClient, open, read, pass } = await team()
    const id = await atClient()
    const { approve, postOf } = await open()
    expectStatus(await approve(id, (await postOf(id)).content_version), 200)
    await t.deps.db.updateTable('post').set({ content: 'Not seen' }).where('id', '=', id).execute()
    await pass(21)
    expect(await read(id)).toMatchObject({ status: 'draft', review: 'pending', targets: [{ attempts: 0 }] })
    expect(await postOf(id)).toBeUndefined()
  })

  test('keeps decisions of a link that is revoked', async () => {
    const { owner, atClient, link, read, pass } = await team()
    const id = await atClient()
    const made = await link()
    const { approve, postOf } = await clientOf(t, made)
    expectStatus(await approve(id, (await postOf(id)).content_version), 200)
    expectStatus(await owner.post(`${LINKS}/${made.id}/revoke`), 200)
    await pass(21)
    expect(await read(id)).toMatchObject({ status: 'published' })
  })
})

describe('GET /review/{id}', () => {
  test('shows the settings of the network in the language of the call', async () => {
    const { owner, account, atClient, open } = await team()
    const fields = bluesky.addAccount()
    const added = await owner.post('/api/v1/accounts', { network: 'bluesky', service: bluesky.url, ...fields })
    const { id: account_id } = expectStatus(added, 201).body
    const targets = [{ account_id, options: { langs: ['tr', 'en'] } }, { account_id: account }]
    const id = await atClient({ account_ids: undefined, targets })
    const { client, path } = await open()
    const { networks, posts } = expectStatus(await client.get(`${path}?locale=tr`), 200).body
    expect(posts).toMatchObject([{ id, targets: [{ options: { langs: ['tr', 'en'] } }, { options: {} }] }])
    const { options } = networks.find(({ id }: { id: string }) => id === 'bluesky')
    expect(options).toContainEqual({ key: 'langs', label: 'Diller' })
  })

  test('names documents, and no other files', async () => {
    const { author, atClient, open } = await team()
    const image = await uploaded(author, { name: 'IMG_0001 of Ada.png' })
    const document = await uploaded(author, { bytes: Buffer.from('%PDF-1.4\n%%EOF'), name: 'Menu.pdf' })
    await atClient({ media_ids: [image.id] })
    await atClient({ media_ids: [document.id] })
    const { posts } = await (await open()).read()
    const names = posts.flatMap(({ media }: { media: { name: string | null }[] }) => media.map(({ name }) => name))
    expect(names.toSorted()).toEqual(['Menu.pdf', null])
  })

  test('shows posts that the team approved, and none before', async () => {
    const { author, write, approve, editor, open, atClient } = await team()
    const { id } = await write({ scheduled_at: inMinutes(20), content: 'Not yet' })
    await write({ content: 'A draft' })
    const seen = await atClient({ content: 'Seen' })
    const { read } = await open()
    const review = await read()
    expect(review).toMatchObject({ name: 'Bakery', workspace: { has_picture: false } })
    expect(review.posts).toMatchObject([{ id: seen, state: 'waiting', targets: [{ content: 'Seen' }] }])
    expect(JSON.stringify(review)).not.toMatch(new RegExp(`Not yet|A draft|${author.email}|${author.id}`))
    await approve(editor, id)
    expect((await read()).posts).toHaveLength(2)
  })

  test('shows nothing beyond its span, its accounts and its labels', async () => {
    const { owner, account, atClient, open } = await team()
    const other = await playgroundAccount(owner)
    const inside = await atClient({ labels: ['a'] })
    await atClient({ labels: ['b'] })
    await atClient({ labels: ['a'], account_ids: [other] })
    await atClient({ labels: ['a'], account_ids: [account, other] })
    await atClient({ labels: ['a'], scheduled_at: inMinutes(60 * 24 * 40) })
    const { read } = await open({ labels: ['a'], account_ids: [account] })
    const { posts, accounts } = await read()
    expect(posts.map(({ id }: { id: string }) => id)).toEqual([inside])
    expect(accounts.map(({ id }: { id: string }) => id)).toEqual([account])
  })

  test('reads the span in the time zone of the link', async () => {
    const { atClient, open } = await team()
    const day = dayIn(3)
    const id = await atClient({ scheduled_at: `${day}T22:30:00Z` })
    const span = { starts_on: day, ends_on: day }
    expect((await (await open({ ...span, timezone: 'UTC' })).read()).posts).toMatchObject([{ id }])
    expect((await (await open({ ...span, timezone: 'Europe/Istanbul' })).read()).posts).toEqual([])
  })

  test('hides a post that is changed after the client asked for it, until the team approved it again', async () => {
    const { author, editor, atClient, open, call, approve } = await team()
    const id = await atClient()
    const { postOf, requestChange } = await open()
    const { content_version } = await postOf(id)
    expectStatus(await requestChange(id, content_version, 'Shorter'), 200)
    expect(await postOf(id)).toMatchObject({ state: 'change_requested', reason: 'Shorter' })
    expectStatus(await author.patch(`/api/v1/posts/${id}`, { content: 'Half done' }), 200)
    expect(await postOf(id)).toBeUndefined()
    expectStatus(await call(author, id, 'request-approval', { scheduled_at: inMinutes(20) }), 200)
    expect(await postOf(id)).toBeUndefined()
    await approve(editor, id)
    expect(await postOf(id)).toMatchObject({ state: 'waiting', reason: null, targets: [{ content: 'Half done' }] })
  })

  test('serves files of posts that it shows, and no others', async () => {
    const { owner, author, atClient, open } = await team()
    const [shown, hidden] = [await uploaded(author), await uploaded(author)]
    const id = await atClient({ media_ids: [shown.id] })
    const { client, path, postOf } = await open()
    expect((await postOf(id)).media).toMatchObject([{ id: shown.id, has_thumbnail: true }])
    for (const part of ['file', 'thumbnail']) {
      const { headers } = expectStatus(await client.get(`${path}/media/${shown.id}/${part}`), 200)
      expect(headers.get('cache-control')).toBe('private, max-age=300')
      expectProblem(await client.get(`${path}/media/${hidden.id}/${part}`), 404, 'not_found')
      expectProblem(await t.anyone.get(`${path}/media/${shown.id}/${part}`), 404, 'not_found')
    }
    const avatar = (account_id: string) => client.get(`${path}/accounts/${account_id}/avatar`)
    const { account_id } = (await postOf(id)).targets[0]
    expectProblem(await avatar(account_id), 404, 'not_found')
    expectProblem(await client.get(`${path}/picture`), 404, 'not_found')
    expectStatus(await owner.patch('/api/v1/workspace', { picture_id: hidden.id }), 200)
    expectStatus(await client.get(`${path}/picture`), 200)
  })
})

describe('decisions of a client', () => {
  test('404 for one that waits for the deletion of the workspace, and nothing is decided', async () => {
    const { owner, atClient, open, read } = await team()
    const id = await atClient()
    const { approve, postOf } = await open()
    const { content_version } = await postOf(id)
    const { decided } = await inTransaction(t.deps.db, async (tx) => {
      await tx.selectFrom('workspace').where('id', '=', owner.workspace_id).forUpdate().execute()
      await tx
        .updateTable('workspace')
        .set({ deleted_at: t.clock.now() })
        .where('id', '=', owner.workspace_id)
        .execute()
      const decided = approve(id, content_version)
      await until(async () => expect(await waiting(t)).toBe(1))
      return { decided }
    })
    expectProblem(await decided, 404, 'not_found')
    await t.deps.db.updateTable('workspace').set({ deleted_at: null }).where('id', '=', owner.workspace_id).execute()
    expect(await read(id)).toMatchObject({ status: 'draft', review: 'pending' })
  })

  test('409 for a content that changed since it was seen, and nothing is decided', async () => {
    const { author, editor, atClient, open, approve: approveAs, review } = await team()
    const id = await atClient()
    const { approve, requestChange, postOf } = await open()
    const { content_version } = await postOf(id)
    expectStatus(await author.patch(`/api/v1/posts/${id}`, { content: 'Other' }), 200)
    // The team has not approved it yet.
    expectProblem(await approve(id, content_version), 404, 'not_found')
    await approveAs(editor, id)
    expectProblem(await approve(id, content_version), 409, 'content_changed')
    expectProblem(await requestChange(id, content_version), 409, 'content_changed')
    expect((await review(id)).decisions).toHaveLength(2)
    expectStatus(await approve(id, (await postOf(id)).content_version), 200)
  })

  test('404 for posts that the link does not show', async () => {
    const { write, open, atClient } = await team()
    const { id } = await write({ scheduled_at: inMinutes(20) })
    const seen = await atClient()
    const { approve, postOf } = await open({ starts_on: dayIn(-1), ends_on: dayIn(1) })
    const { content_version } = await postOf(seen)
    expectProblem(await approve(id, content_version), 404, 'not_found')
    const foreign = await team()
    expectProblem(await approve(await foreign.atClient(), content_version), 404, 'not_found')
  })

  test('403 for a link for looking only', async () => {
    const { atClient, open } = await team()
    const id = await atClient()
    const { approve, postOf } = await open({ may_decide: false })
    expectProblem(await approve(id, (await postOf(id)).content_version), 403, 'not_an_approver')
  })

  test('of two at once, one counts and the other gets 409', async () => {
    const { atClient, open, review } = await team()
    const id = await atClient()
    const { approve, requestChange, postOf } = await open()
    const { content_version } = await postOf(id)
    const responses = await Promise.all([approve(id, content_version), approve(id, content_version)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await review(id)).decisions).toHaveLength(2)
    expectProblem(await requestChange(id, content_version), 409, 'invalid_transition')
  })

  test('approve all that were seen, and leave out what changed', async () => {
    const { author, atClient, open, read } = await team()
    const ids = [await atClient(), await atClient(), await atClient()]
    const { client, path, read: readReview } = await open()
    const posts = (await readReview()).posts.map(
      ({ id, content_version }: { id: string; content_version: string }) => ({
        id,
        content_version,
      }),
    )
    expectStatus(await author.patch(`/api/v1/posts/${ids[1]}`, { first_comment: 'Not seen' }), 200)
    const { approved, left_out } = expectStatus(await client.post(`${path}/approve`, { posts }), 200).body
    expect(approved.map(({ id }: { id: string }) => id).sort()).toEqual([ids[0], ids[2]].sort())
    expect(left_out).toEqual([ids[1]])
    expect(await read(ids[1] ?? '')).toMatchObject({ review: 'pending' })
  })

  test('a change reaches the team as a rejection with its reason', async () => {
    const { atClient, open, read } = await team()
    const id = await atClient()
    const { requestChange, postOf } = await open()
    expectStatus(await requestChange(id, (await postOf(id)).content_version, 'We are closed on Mondays'), 200)
    expect(await read(id)).toMatchObject({
      ...{ status: 'draft', review: 'rejected' },
      review_reason: 'We are closed on Mondays',
    })
  })

  test('of a post whose time passed long ago make it an approved draft without a time', async () => {
    const { atClient, open, read, pass } = await team()
    const id = await atClient()
    const { approve, postOf } = await open()
    await pass(200)
    expectStatus(await approve(id, (await postOf(id)).content_version), 200)
    expect(await read(id)).toMatchObject({ status: 'draft', review: 'approved', scheduled_at: null })
    expect(await postOf(id)).toMatchObject({ state: 'approved', scheduled_at: null })
  })

  test('409 post_not_ready, without the reason, for a post that cannot be scheduled', async () => {
    const { account, atClient, open } = await team()
    const id = await atClient()
    const { approve, postOf } = await open()
    const { content_version } = await postOf(id)
    await t.deps.db.updateTable('account').set({ limits: '{"max_length": 2}' }).where('id', '=', account).execute()
    const response = await approve(id, content_version)
    expectProblem(response, 409, 'post_not_ready')
    expect(response.body.errors).toBeUndefined()
  })
})

test('429 for more wrong secrets in a minute than are allowed, from one address, while the right one opens', async () => {
  const own = await testApp({ RATE_LIMIT_AUTH: '3' })
  const owner = await withWorkspace(own)
  const day = own.clock.now().toISOString().slice(0, 10)
  const link = { name: 'Bakery', starts_on: day, ends_on: day }
  const { id, url } = expectStatus(await owner.post(LINKS, link), 201).body
  const attempt = (secret: string) => own.anyone.post(`/api/v1/review/${id}/session`, { secret })
  for (let count = 0; count < 4; count++) expectStatus(await attempt(url.split('#')[1]), 204)
  for (let count = 0; count < 3; count++) expectProblem(await attempt('wrong'), 404, 'not_found')
  expectProblem(await attempt('wrong'), 429, 'too_many_requests')
})

test('429 for more openings of a link in a minute than are allowed, while open ones go on', async () => {
  const own = await testApp({ RATE_LIMIT_AUTH: '1' })
  const owner = await withWorkspace(own)
  const day = own.clock.now().toISOString().slice(0, 10)
  const link = expectStatus(await owner.post(LINKS, { name: 'Bakery', starts_on: day, ends_on: day }), 201).body
  const { client, path } = await clientOf(own, link)
  const secret = link.url.split('#')[1]
  for (let count = 1; count < 3; count++) expectStatus(await own.anyone.post(`${path}/session`, { secret }), 204)
  expectProblem(await own.anyone.post(`${path}/session`, { secret }), 429, 'too_many_requests')
  expectStatus(await client.post(`${path}/session`, { secret }), 204)
  expectStatus(await client.get(path), 200)
})

test('429 for more decisions in a minute than a person makes', async () => {
  const own = await testApp({ RATE_LIMIT_AUTH: '1' })
  const owner = await withWorkspace(own)
  const day = own.clock.now().toISOString().slice(0, 10)
  const link = expectStatus(await owner.post(LINKS, { name: 'Bakery', starts_on: day, ends_on: day }), 201).body
  const { client, path } = await clientOf(own, link)
  const posts = [{ id: link.id, content_version: '0'.repeat(64) }]
  for (let count = 0; count < 6; count++) expectStatus(await client.post(`${path}/approve`, { posts }), 200)
  expectProblem(await client.post(`${path}/approve`, { posts }), 429, 'too_many_requests')
})
