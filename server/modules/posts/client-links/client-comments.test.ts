import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner } from '../../../../test/factories.ts'
import { mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { advanceMinutes, seenBy } from '../../notifications/notifications.fixture.ts'
import { approvalTeam, clientOf, EDITOR_THEN_CLIENT } from '../approval/approval.fixture.ts'

const t = await testApp()
const LINKS = '/api/v1/client-links'
const hour = () => new Date(t.clock.now().getTime() + 3_600_000).toISOString()

/** A post that waits for the client of a link. */
async function reviewed(more: object = {}, app = t) {
  const team = await approvalTeam(app, EDITOR_THEN_CLIENT)
  const { editor, write, approve } = team
  const waiting = async () => {
    const { id } = await write({ scheduled_at: hour() })
    await approve(editor, id)
    return id as string
  }
  const post_id = await waiting()
  const day = hour().slice(0, 10)
  const newLink = { name: 'Bakery', starts_on: day, ends_on: day, timezone: 'UTC', ...more }
  const link = expectStatus(await editor.post(LINKS, newLink), 201).body
  const { client, path, postOf } = await clientOf(app, link)
  const comments = `${path}/posts/${post_id}/comments`
  const ofTeam = `/api/v1/posts/${post_id}/comments`
  const write_ = (body: object) => client.post(comments, { name: 'Ayşe', ...body })
  const say = async (body: string, parent_id?: string) =>
    expectStatus(await write_({ body, ...(parent_id && { parent_id }) }), 201).body
  const read = async () => expectStatus(await client.get(comments), 200).body.data
  const told = async (person: WorkspaceOwner) => {
    await app.runJobs()
    return (await seenBy(person)).map(({ kind, detail }: { kind: string; detail: string | null }) => [kind, detail])
  }
  return { ...team, waiting, post_id, link, client, path, postOf, comments, ofTeam, comment: write_, say, read, told }
}

describe('a client and the team', () => {
  test('talk about a post, and the client reads nothing of the discussions of the team', async () => {
    const { owner, author, post_id, link, postOf, ofTeam, say, read } = await reviewed()
    const internal = expectStatus(await author.post(ofTeam, { body: 'Never show this to the client' }), 201).body
    expect(internal).toMatchObject({ audience: 'team', client: null })
    const first = await say('  Can we show the simit first? https://example.com ')
    expect(first).toEqual({
      ...{ id: expect.any(String), parent_id: null, written_by: 'client', name: 'Ayşe' },
      body: 'Can we show the simit first? https://example.com',
      ...{ resolved_at: null, edited_at: null, created_at: expect.any(String) },
    })
    expect(expectStatus(await owner.get(`${ofTeam}/${first.id}`), 200).body).toMatchObject({
      ...{ audience: 'client', author: null, mentions: [] },
      client: { name: 'Ayşe', client_link: { id: link.id, name: 'Bakery' } },
    })
    const reply = { body: `Yes, @[${owner.id}] does it`, audience: 'client', parent_id: first.id }
    const { id } = expectStatus(await author.post(ofTeam, reply), 201).body
    const shown = await read()
    expect(shown.map((comment: { id: string }) => comment.id)).toEqual([id, first.id])
    expect(shown[0]).toMatchObject({ written_by: 'team', name: 'Ada', body: 'Yes, @Ada does it', parent_id: first.id })
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${owner.id}|${author.id}|@example|Never`))
    expect(await postOf(post_id)).toMatchObject({ comments: 2 })
  })

  test('a reply needs the audience of its discussion, so that nothing reaches the client by mistake', async () => {
    const { author, ofTeam, comment, say, read } = await reviewed()
    const first = await say('Hello')
    const reply = (parent_id: string, audience?: string) =>
      author.post(ofTeam, { body: 'For the team', parent_id, ...(audience && { audience }) })
    const { errors } = expectProblem(await reply(first.id), 400, 'validation_failed')
    expect(errors).toMatchObject([{ pointer: '/audience' }])
    const internal = expectStatus(await author.post(ofTeam, { body: 'Internal' }), 201).body
    expectProblem(await reply(internal.id, 'client'), 400, 'validation_failed')
    // Whether there is a comment of the team is not for clients to know.
    const same = ({ request_id: _, ...problem }: Record<string, unknown>) => problem
    const [ofTeam_, unknown] = [
      expectProblem(await comment({ body: 'A', parent_id: internal.id }), 400, 'validation_failed'),
      expectProblem(await comment({ body: 'A', parent_id: randomUUID() }), 400, 'validation_failed'),
    ]
    expect(same(ofTeam_)).toEqual(same(unknown))
    expect(await read()).toHaveLength(1)
  })

  test('a text of the client mentions nobody, so that it finds out no names', async () => {
    const { owner, ofTeam, say, read, told } = await reviewed()
    const first = await say(`Hi @[${owner.id}] and @@[${owner.id.toUpperCase()}]`)
    expect(first.body).toBe(`Hi [${owner.id}] and [${owner.id.toUpperCase()}]`)
    expect((await read())[0].body).toBe(first.body)
    expect((await owner.get(`${ofTeam}/${first.id}`)).body.mentions).toEqual([])
    expect(await told(owner)).not.toContainEqual(['comment.mentioned', expect.anything()])
  })

  test('the author, those in the discussion and the creator of the link are notified of a comment', async () => {
    const { owner, author, editor, ofTeam, say, told } = await reviewed()
    const first = await say('Shorter, please')
    const detail = 'Ayşe (Bakery): Shorter, please'
    for (const person of [author, editor]) expect(await told(person)).toContainEqual(['comment.from_client', detail])
    expect(await told(owner)).not.toContainEqual(['comment.from_client', detail])
    expectStatus(await owner.post(ofTeam, { body: 'How short?', audience: 'client', parent_id: first.id }), 201)
    await say('Ten words', first.id)
    expect(await told(owner)).toContainEqual(['comment.from_client', 'Ayşe (Bakery): Ten words'])
    expectStatus(await owner.delete(`${ofTeam}/${first.id}`), 204)
    expect(await told(editor)).not.toContainEqual(['comment.from_client', detail])
  })

  test('the author gets one mail about all comments of a quarter of an hour', async () => {
    const { author, say } = await reviewed()
    const mails = async () =>
      (await mailsTo(t, author.email)).filter(({ subject }) => subject.includes('client commented')).length
    for (let minute = 0; minute < 12; minute++) {
      await say(`Comment ${minute}`)
      await advanceMinutes(t, 1)
    }
    expect(await mails()).toBe(0)
    await advanceMinutes(t, 3)
    expect(await mails()).toBe(1)
    await advanceMinutes(t, 60)
    expect(await mails()).toBe(1)
  })

  test('an event and an audit entry name the link, and a reply reopens the discussion', async () => {
    const { owner, link, ofTeam, post_id, say } = await reviewed()
    const first = await say('Shorter')
    expectStatus(await owner.post(`${ofTeam}/${first.id}/resolve`), 200)
    await say('Still too long', first.id)
    expect(expectStatus(await owner.get(`${ofTeam}/${first.id}`), 200).body.resolved_at).toBeNull()
    const events = await t.deps.db
      .selectFrom('event')
      .select(['type', 'payload'])
      .where('workspace_id', '=', owner.workspace_id)
      .where('type', 'in', ['post.comment.created', 'post.comment.reopened'])
      .orderBy('id')
      .execute()
    expect(events.map(({ type }) => type)).toEqual([
      ...['post.comment.created', 'post.comment.reopened', 'post.comment.created'],
    ])
    for (const { payload } of events)
      expect(JSON.parse(payload).data).toMatchObject({ by: null, client_link: { id: link.id, name: 'Bakery' } })
    const { data } = (await owner.get('/api/v1/workspace/audit-log?action=post.comment_created')).body
    expect(data[0]).toMatchObject({ actor: null, target_id: post_id, details: { client_link_id: link.id } })
    expect(JSON.stringify(data)).not.toContain('long')
  })

  test('a comment that the team deletes loses its text and its names, and stays while it has replies', async () => {
    const { editor, ofTeam, say, read } = await reviewed()
    const first = await say('Wrong')
    await say('Right', first.id)
    expectStatus(await editor.delete(`${ofTeam}/${first.id}`), 204)
    const [, stone] = await read()
    expect(stone).toMatchObject({ id: first.id, body: null, name: null, written_by: null })
    expect((await editor.get(`${ofTeam}/${first.id}`)).body).toMatchObject({ client: null, author: null, body: null })
  })
})

describe('who comments as a client', () => {
  test('nobody on a post that the link does not show, or by a link that is revoked', async () => {
    const { owner, write, link, client, path, comments, comment } = await reviewed()
    const { id } = await write({ scheduled_at: hour() })
    const other = `${path}/posts/${id}/comments`
    expectProblem(await client.get(other), 404, 'not_found')
    expectProblem(await client.post(other, { name: 'Ayşe', body: 'A' }), 404, 'not_found')
    expectProblem(await t.anyone.get(comments), 404, 'not_found')
    expectStatus(await owner.post(`${LINKS}/${link.id}/revoke`), 200)
    expectProblem(await comment({ body: 'A' }), 404, 'not_found')
  })

  test('nobody by a link for looking only, which shows what the team wrote', async () => {
    const { owner, ofTeam, comment, read } = await reviewed({ may_decide: false })
    expectStatus(await owner.post(ofTeam, { body: 'Hello', audience: 'client' }), 201)
    expect(await read()).toMatchObject([{ body: 'Hello' }])
    expectProblem(await comment({ body: 'A' }), 403, 'not_an_approver')
  })

  test('with a name of one line and 1 to 2,000 characters', async () => {
    const { comment, say } = await reviewed()
    await say('🥯'.repeat(2000))
    for (const body of [
      ...[{ body: '' }, { body: ' \n' }, { body: 'a'.repeat(2001) }, { body: 'a\u0000' }],
      ...[
        { body: 'A', name: ' ' },
        { body: 'A', name: 'A\nB' },
        { body: 'A', name: 'A\u2028B' },
        { body: 'A', name: 'A\u202EB' },
        { body: 'A', name: 'a'.repeat(81) },
      ],
    ])
      expectProblem(await comment(body), 400, 'validation_failed')
  })

  test('another link that shows the post shows its comments, too', async () => {
    const { owner, editor, post_id, say } = await reviewed()
    await say('Hello')
    const day = hour().slice(0, 10)
    const newLink = { name: 'Boss', starts_on: day, ends_on: day, timezone: 'UTC' }
    const { client, path } = await clientOf(t, expectStatus(await owner.post(LINKS, newLink), 201).body)
    expect((await client.get(`${path}/posts/${post_id}/comments`)).body.data).toMatchObject([{ body: 'Hello' }])
    const viewer = await memberOf(t, editor.workspace_id, 'viewer')
    expect((await viewer.get(`/api/v1/posts/${post_id}/comments`)).body.data).toHaveLength(1)
  })
})

test('429 for more comments by one link than a person writes', async () => {
  const own = await testApp({ RATE_LIMIT_AUTH: '1' })
  const { comment } = await reviewed({}, own)
  expectStatus(await comment({ body: 'One' }), 201)
  expectProblem(await comment({ body: 'Two' }), 429, 'too_many_requests')
  for (let minute = 1; minute < 19; minute++) {
    own.clock.advance(60_000)
    expectStatus(await comment({ body: 'One more' }), 201)
  }
  own.clock.advance(60_000)
  expectProblem(await comment({ body: 'One too many' }), 429, 'too_many_requests')
})
