import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import type { Client } from '../../../../test/client.ts'
import { clientReview } from '../../../../test/client-review.ts'
import { expectStatus, memberOf, type Person, signedIn, withToken, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { seenBy } from '../../notifications/notifications.fixture.ts'

const t = await testApp()

/** A post of an author, in a workspace with a viewer and another author. */
async function team() {
  const owner = await withWorkspace(t)
  const [author, other, viewer] = [
    await memberOf(t, owner.workspace_id, 'author'),
    await memberOf(t, owner.workspace_id, 'author'),
    await memberOf(t, owner.workspace_id, 'viewer'),
  ]
  const { id } = expectStatus(await author.post('/api/v1/posts', { content: 'Fresh simit' }), 201).body
  const path = `/api/v1/posts/${id}/comments`
  const say = async (person: Client, body: string, parent_id?: string) =>
    expectStatus(await person.post(path, { body, ...(parent_id && { parent_id }) }), 201).body
  const list = async () => expectStatus(await owner.get(`${path}?limit=100`), 200).body.data
  const told = async (person: Person) => {
    await t.runJobs()
    return (await seenBy(person)).map(({ kind, detail }: { kind: string; detail: string | null }) => [kind, detail])
  }
  const events = async () =>
    (await owner.get('/api/v1/events?limit=100')).body.data
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.startsWith('post.comment.'))
  const audited = async (action: string) =>
    (await owner.get(`/api/v1/workspace/audit-log?action=post.comment_${action}`)).body.data
  return { owner, author, other, viewer, post_id: id as string, path, say, list, told, events, audited }
}

describe('a comment', () => {
  test('is written, replied to, edited and deleted, each with an event and an audit entry without its text', async () => {
    const { owner, author, other, post_id, path, say, list, events, audited } = await team()
    const first = await say(other, '  Too long? ')
    expect(first).toMatchObject({
      ...{ post_id, parent_id: null, body: 'Too long?', mentions: [], resolved_at: null, edited_at: null, version: 1 },
      author: { id: other.id, name: 'Ada' },
    })
    const reply = await say(author, 'I think not', first.id)
    const changed = expectStatus(await author.patch(`${path}/${reply.id}`, { body: 'No' }), 200).body
    expect(changed).toMatchObject({ body: 'No', parent_id: first.id, edited_at: expect.any(String), version: 2 })
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([reply.id, first.id])
    expectStatus(await author.delete(`${path}/${reply.id}`), 204)
    expectProblem(await owner.get(`${path}/${reply.id}`), 404, 'not_found')
    expect(await events()).toEqual([
      ...['post.comment.created', 'post.comment.created', 'post.comment.changed', 'post.comment.deleted'],
    ])
    for (const [action, count] of [['created', 2] as const, ['changed', 1] as const, ['deleted', 1] as const]) {
      const entries = await audited(action)
      expect(entries).toHaveLength(count)
      expect(entries[0]).toMatchObject({ target_id: post_id, details: { comment_id: expect.any(String) } })
      expect(JSON.stringify(entries)).not.toContain('think')
    }
  })

  test('is read in pages, newest first', async () => {
    const { owner, path, say } = await team()
    const ids: string[] = []
    for (const body of ['One', 'Two', 'Three']) ids.unshift((await say(owner, body)).id)
    const first = expectStatus(await owner.get(`${path}?limit=2`), 200).body
    const second = expectStatus(await owner.get(`${path}?limit=2&cursor=${first.next_cursor}`), 200).body
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(second.next_cursor).toBeNull()
  })

  test('is edited by its author alone, and within 15 minutes', async () => {
    const { owner, author, path, say, audited } = await team()
    const { id } = await say(author, 'One')
    expectProblem(await owner.patch(`${path}/${id}`, { body: 'Two' }), 403, 'forbidden_role')
    expect(expectStatus(await author.patch(`${path}/${id}`, { body: ' One ' }), 200).body.version).toBe(1)
    t.clock.advance(15 * MINUTE)
    expectStatus(await author.patch(`${path}/${id}`, { body: 'Two' }), 200)
    t.clock.advance(1)
    expectProblem(await author.patch(`${path}/${id}`, { body: 'Three' }), 409, 'comment_edit_too_late')
    expect(await audited('changed')).toHaveLength(1)
  })

  test('an edit with the ETag of an older version is refused', async () => {
    const { author, path, say } = await team()
    const { id } = await say(author, 'One')
    const etag = { 'if-match': String((await author.get(`${path}/${id}`)).headers.get('etag')) }
    expectStatus(await author.patch(`${path}/${id}`, { body: 'Two' }, etag), 200)
    expectProblem(await author.patch(`${path}/${id}`, { body: 'Three' }, etag), 412, 'version_conflict')
  })

  test('is written once when its call is repeated with the same key', async () => {
    const { author, path, list } = await team()
    const key = { 'idempotency-key': randomUUID() }
    const [first, second] = [
      expectStatus(await author.post(path, { body: 'One' }, key), 201),
      expectStatus(await author.post(path, { body: 'One' }, key), 201),
    ]
    expect(second.body).toEqual(first.body)
    expect(await list()).toHaveLength(1)
  })

  test('with replies stays without its text and author, until the last reply is deleted', async () => {
    const { owner, author, other, path, say, list } = await team()
    const { id } = await say(other, 'Wrong')
    const reply = await say(author, 'Why?', id)
    const last = await say(author, 'Well?', id)
    expectStatus(await other.delete(`${path}/${id}`), 204)
    expect((await list()).at(-1)).toMatchObject({ id, body: null, author: null, mentions: [] })
    expectProblem(await other.delete(`${path}/${id}`), 404, 'not_found')
    expectProblem(await other.patch(`${path}/${id}`, { body: 'Again' }), 404, 'not_found')
    expectProblem(await author.post(path, { body: 'Late', parent_id: id }), 400, 'validation_failed')
    expectStatus(await owner.post(`${path}/${id}/resolve`), 200)
    expectStatus(await owner.delete(`${path}/${reply.id}`), 204)
    expect(await list()).toHaveLength(2)
    expectStatus(await author.delete(`${path}/${last.id}`), 204)
    expect(await list()).toEqual([])
  })

  test('a reply to a reply, to a comment of another post and to none is refused', async () => {
    const { owner, path, say } = await team()
    const { id } = await say(owner, 'One')
    const reply = await say(owner, 'Two', id)
    const elsewhere = await team()
    const foreign = await elsewhere.say(elsewhere.owner, 'Elsewhere')
    for (const parent_id of [reply.id, foreign.id, randomUUID()]) {
      const { errors } = expectProblem(await owner.post(path, { body: 'A', parent_id }), 400, 'validation_failed')
      expect(errors).toMatchObject([{ pointer: '/parent_id' }])
    }
  })

  test('has 1 to 4,000 characters, and no NUL', async () => {
    const { owner, path, say } = await team()
    expectProblem(await owner.post(path, { body: 'One\u0000' }), 400, 'validation_failed')
    await say(owner, '🥯'.repeat(4000))
    for (const body of ['', ' \n', 'a'.repeat(4001)])
      expectProblem(await owner.post(path, { body }), 400, 'validation_failed')
  })

  test('a post has at most 500, also when calls come at once', async () => {
    const { owner, post_id, path } = await team()
    const now = t.clock.now()
    const row = { workspace_id: owner.workspace_id, post_id, body: 'One', created_at: now, updated_at: now }
    await t.deps.db
      .insertInto('post_comment')
      .values(Array.from({ length: 498 }, () => row))
      .execute()
    const responses = await atOnce(4, () => owner.post(path, { body: 'One more' }))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403])
  })
})

describe('a discussion', () => {
  test('is resolved and reopened by its first comment, and repeating either changes nothing', async () => {
    const { author, other, path, say, events } = await team()
    const { id } = await say(author, 'One')
    const reply = await say(author, 'Two', id)
    for (const _ of [1, 2])
      expect(expectStatus(await other.post(`${path}/${id}/resolve`), 200).body).toMatchObject({
        ...{ resolved_at: expect.any(String), resolved_by: { id: other.id }, version: 2 },
      })
    for (const _ of [1, 2])
      expect(expectStatus(await author.post(`${path}/${id}/reopen`), 200).body).toMatchObject({
        ...{ resolved_at: null, resolved_by: null, version: 3 },
      })
    for (const action of ['resolve', 'reopen'])
      expectProblem(await author.post(`${path}/${reply.id}/${action}`), 409, 'invalid_transition')
    expect((await events()).slice(2)).toEqual(['post.comment.resolved', 'post.comment.reopened'])
  })

  test('is reopened by a reply', async () => {
    const { author, owner, path, say, events } = await team()
    const { id } = await say(author, 'One')
    expectStatus(await owner.post(`${path}/${id}/resolve`), 200)
    await say(author, 'Not yet', id)
    expect(expectStatus(await owner.get(`${path}/${id}`), 200).body.resolved_at).toBeNull()
    expect((await events()).slice(1)).toEqual([
      ...['post.comment.resolved', 'post.comment.reopened', 'post.comment.created'],
    ])
  })
})

describe('who may comment', () => {
  test('authors and above; viewers read', async () => {
    const { author, other, owner, viewer, path, say } = await team()
    const { id } = await say(author, 'One')
    expectStatus(await viewer.get(`${path}/${id}`), 200)
    expectProblem(await viewer.post(path, { body: 'A' }), 403, 'forbidden_role')
    expectProblem(await viewer.post(`${path}/${id}/resolve`), 403, 'forbidden_role')
    expectProblem(await other.delete(`${path}/${id}`), 403, 'forbidden_role')
    expectStatus(await owner.delete(`${path}/${id}`), 204)
  })

  test('tokens with the scopes of posts', async () => {
    const { owner, path, say } = await team()
    const publicPath = path.replace('/api/v1', '/api/v1/public')
    await say(owner, 'One')
    const reader = await withToken(t, owner, ['posts:read'])
    expect(expectStatus(await reader.get(publicPath), 200).body.data).toHaveLength(1)
    expectProblem(await reader.post(publicPath, { body: 'A' }), 403, 'insufficient_scope')
    const writer = await withToken(t, owner, ['posts:write'])
    expectStatus(await writer.post(publicPath, { body: 'A' }), 201)
  })

  test('nobody on a deleted post, whose comments come back with it', async () => {
    const { author, owner, post_id, path, say, list } = await team()
    const { id } = await say(author, 'One')
    expectStatus(await author.delete(`/api/v1/posts/${post_id}`), 204)
    expectProblem(await owner.get(path), 404, 'not_found')
    expectProblem(await owner.get(`${path}/${id}`), 404, 'not_found')
    expectProblem(await owner.post(path, { body: 'A' }), 404, 'not_found')
    expectStatus(await author.post(`/api/v1/posts/${post_id}/restore`), 200)
    expect(await list()).toHaveLength(1)
    await t.deps.db.deleteFrom('post').where('id', '=', post_id).execute()
    expect(await t.deps.db.selectFrom('post_comment').select('id').where('post_id', '=', post_id).execute()).toEqual([])
  })

  test('a client of a link never sees a comment of the team', async () => {
    const { owner, client, post_id, link } = await clientReview(t)
    const text = `Never show this to the client ${randomUUID()}`
    expectStatus(await owner.post(`/api/v1/posts/${post_id}/comments`, { body: text }), 201)
    const shown = expectStatus(await client.get(`/api/v1/review/${link.id}`), 200)
    expect(JSON.stringify(shown.body)).toContain(post_id)
    expect(JSON.stringify(shown.body)).not.toContain(text)
    expectProblem(await client.get(`/api/v1/posts/${post_id}/comments`), 401, 'unauthenticated')
  })
})

describe('a mention', () => {
  test('is stored by the id, and shown with the current name while that person is a member', async () => {
    const { owner, author, other, path, say } = await team()
    const { id, body, mentions } = await say(owner, `Look, @[${other.id.toUpperCase()}] and @[${other.id}]!`)
    expect(body).toBe(`Look, @[${other.id}] and @[${other.id}]!`)
    expect(mentions).toEqual([{ id: other.id, name: 'Ada' }])
    expectStatus(await other.patch('/api/v1/me', { name: 'Grace' }), 200)
    const read = async () => expectStatus(await author.get(`${path}/${id}`), 200).body.mentions
    expect(await read()).toEqual([{ id: other.id, name: 'Grace' }])
    expectStatus(await owner.delete(`/api/v1/workspace/members/${other.id}`), 204)
    expect(await read()).toEqual([])
  })

  test('of somebody without access is refused with the same words, whether that user exists or not', async () => {
    const { owner, path, list } = await team()
    const stranger = await signedIn(t)
    const refused = async (id: string) => {
      const { errors, detail } = expectProblem(await owner.post(path, { body: `@[${id}]` }), 400, 'validation_failed')
      return { errors, detail }
    }
    const one = await refused(stranger.id)
    expect(one.errors).toMatchObject([{ pointer: '/body', code: 'invalid' }])
    expect(await refused(randomUUID())).toEqual(one)
    expect(await list()).toEqual([])
  })

  test('is told once of a comment, however often it is edited out and in again', async () => {
    const { author, other, path, say, told } = await team()
    const { id } = await say(author, `@[${other.id}] see`)
    for (const body of ['see', `@[${other.id}] see`, 'look', `@[${other.id}] look`])
      expectStatus(await author.patch(`${path}/${id}`, { body }), 200)
    expect(await told(other)).toEqual([['comment.mentioned', '@Ada look']])
  })

  test('is told to those who are mentioned, once, and not as a comment, too', async () => {
    const { owner, author, other, viewer, path, say, told } = await team()
    await say(author, `@[${author.id}] @[${viewer.id}] @[${viewer.id}] see`)
    expect(await told(viewer)).toEqual([['comment.mentioned', '@Ada @Ada @Ada see']])
    expect(await told(author)).toEqual([])
    const { id } = await say(other, `@[${author.id}] yes`)
    expect(await told(author)).toEqual([['comment.mentioned', '@Ada yes']])
    expectStatus(await other.patch(`${path}/${id}`, { body: `@[${author.id}] @[${owner.id}] yes` }), 200)
    expect(await told(author)).toEqual([['comment.mentioned', '@Ada @Ada yes']])
    expect(await told(owner)).toEqual([['comment.mentioned', '@Ada @Ada yes']])
    expectStatus(await other.delete(`${path}/${id}`), 204)
    for (const person of [author, owner]) expect(await told(person)).toEqual([])
  })
})

test('a comment is told to the author of the post and the others in the discussion', async () => {
  const { owner, author, other, viewer, say, told } = await team()
  const { id } = await say(other, 'One')
  expect(await told(author)).toEqual([['comment.created', 'One']])
  await say(owner, 'Elsewhere')
  expect(await told(other)).toEqual([])
  await say(author, 'Two', id)
  expect(await told(other)).toEqual([['comment.created', 'Two']])
  expect(await told(viewer)).toEqual([])
  expect(await told(owner)).toEqual([])
})
