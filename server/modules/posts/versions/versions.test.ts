import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import { expectStatus, memberOf, playgroundAccount, withToken, withWorkspace } from '../../../../test/factories.ts'
import { checkedImport, confirmed } from '../../../../test/imports.ts'
import { uploaded } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { postsOf, recurringPost } from '../../../../test/recurring-posts.ts'
import { approvalTeam } from '../approval/approval.fixture.ts'
import { draft, list, pathOf, read } from './versions.fixture.ts'
import { deleteOldVersions } from './versions.ts'

const t = await testApp()

describe('a version of a post', () => {
  test('is written by each change of what the post says, and by no other', async () => {
    const { owner, author, id, change } = await draft(t)
    const account = await playgroundAccount(owner)
    t.clock.advance(MINUTE)
    await change(owner, { content: 'Two' })
    await change(owner, { content: 'Two' })
    await change(owner, { labels: ['spring'] })
    await change(author, { thread: [{ content: 'More' }], first_comment: 'Link' })
    await change(owner, { targets: [{ account_id: account, content: 'Own text' }] })
    await change(owner, { scheduled_at: new Date(t.clock.now().getTime() + DAY).toISOString() })
    const versions = await list(owner, id)
    expect(versions).toMatchObject([
      { number: 4, is_current: true, changed: ['targets'], by: { id: owner.id }, source: 'console', token_id: null },
      { number: 3, is_current: false, changed: ['first_comment', 'thread'], by: { id: author.id } },
      { number: 2, changed: ['content'], by: { id: owner.id, name: 'Ada' } },
      { number: 1, changed: [], by: { id: author.id }, restored_number: null },
    ])
    expect(await read(owner, id, versions[0]?.id)).toMatchObject({
      ...{ content: 'Two', thread: [{ content: 'More', media_ids: [] }], first_comment: 'Link', media: [] },
      targets: [{ account_id: account, network: 'playground', content: 'Own text', is_removed: false }],
    })
    expect(await read(owner, id, versions[3]?.id)).toMatchObject({ content: 'One', thread: [], targets: [] })
  })

  test('has all that one member writes into a draft in the console within ten minutes', async () => {
    const { author, owner, id, change } = await draft(t)
    t.clock.advance(9 * MINUTE)
    await change(author, { content: 'Two' })
    expect(await list(author, id)).toMatchObject([{ number: 1, changed: [] }])
    t.clock.advance(MINUTE)
    await change(author, { content: 'Three' })
    await change(author, { first_comment: 'Link' })
    const versions = await list(author, id)
    expect(versions).toMatchObject([{ number: 2, changed: ['content', 'first_comment'] }, { number: 1 }])
    expect(await read(author, id, versions[1]?.id)).toMatchObject({ content: 'Two' })
    await change(owner, { content: 'Four' })
    expect(await list(author, id)).toHaveLength(3)
  })

  test('is one for each change of a post with a time', async () => {
    const owner = await withWorkspace(t)
    const scheduled_at = new Date(t.clock.now().getTime() + DAY).toISOString()
    const input = { content: 'One', account_ids: [await playgroundAccount(owner)], scheduled_at }
    const { id } = expectStatus(await owner.post('/api/v1/posts', input), 201).body
    for (const content of ['Two', 'Three']) expectStatus(await owner.patch(pathOf(id), { content }), 200)
    expect((await list(owner, id)).map(({ number }) => number)).toEqual([3, 2, 1])
  })

  test('does not take in an edit of what was decided on', async () => {
    const { owner, author, write, call, review } = await approvalTeam(t)
    const { id } = await write()
    expectStatus(await call(author, id, 'request-approval'), 200)
    expectStatus(await call(owner, id, 'reject', { reason: 'Shorter' }), 200)
    expectStatus(await author.patch(pathOf(id), { content: 'Hi' }), 200)
    const versions = await list(owner, id)
    expect(versions).toMatchObject([{ number: 2 }, { number: 1 }])
    expect(await read(owner, id, versions[1]?.id)).toMatchObject({ content: 'Hello' })
    expect((await review(id)).decisions).toHaveLength(1)
  })

  test('names the API token of the change, as long as it exists', async () => {
    const { owner, id } = await draft(t)
    const token = await withToken(t, owner, ['posts:write', 'posts:read'])
    for (const content of ['Two', 'Three'])
      expectStatus(await token.patch(`/api/v1/public/posts/${id}`, { content }), 200)
    const by = { source: 'api', by: { id: owner.id }, token_id: token.id, token_name: 'test' }
    expect((await list(owner, id)).slice(0, 2)).toMatchObject([by, by])
    expectStatus(await owner.delete(`/api/v1/api-tokens/${token.id}`), 204)
    expect((await list(owner, id))[0]).toMatchObject({ source: 'api', token_id: token.id, token_name: null })
  })

  test('names an import and a recurring post as its source', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    const { id } = await checkedImport(t, owner, 'text\nImported\nSecond\n', [['account_ids', account]])
    await confirmed(t, owner, id, { only: 'ok', as: 'draft' })
    const imported = expectStatus(await owner.get('/api/v1/posts'), 200).body.data
    expect(imported).toHaveLength(2)
    for (const post of imported)
      expect(await list(owner, post.id)).toMatchObject([{ source: 'import', by: { id: owner.id } }])
    const recurring = await recurringPost(t, owner, { account_ids: [account] })
    const [first] = await postsOf(owner, recurring.id)
    expect(await list(owner, first?.id ?? '')).toMatchObject([{ source: 'recurring_post', by: { id: owner.id } }])
  })

  test('has the text that was changed on the network of a published post', async () => {
    const owner = await withWorkspace(t)
    const input = { content: 'One', account_ids: [await playgroundAccount(owner)], publish_now: true }
    const { id } = expectStatus(await owner.post('/api/v1/posts', input), 201).body
    await t.runJobs()
    const [target] = expectStatus(await owner.get(pathOf(id)), 200).body.targets
    expectStatus(await owner.patch(`${pathOf(id)}/targets/${target.id}`, { content: 'Two' }), 200)
    const versions = await list(owner, id)
    expect(versions).toMatchObject([{ number: 2, source: 'network', changed: ['targets'] }, { number: 1 }])
    expectProblem(await owner.post(`${pathOf(id)}/versions/${versions[1]?.id}/restore`), 409, 'invalid_transition')
  })

  test('has the alternative texts of files, of every post that is not published', async () => {
    const { owner, id, change } = await draft(t)
    const file = await uploaded(owner)
    await change(owner, { media_ids: [file.id] })
    expect((await list(owner, id))[0]).toMatchObject({ changed: ['media_ids'] })
    const other = expectStatus(await owner.post('/api/v1/posts', { media_ids: [file.id], content: '' }), 201).body
    for (const alt of ['A tray', 'A tray', 'A tray of simit'])
      expectStatus(await owner.patch(`/api/v1/media/${file.id}`, { alt }), 200)
    for (const post of [id, other.id]) {
      const versions = await list(owner, post)
      const byMedia = { source: 'media', changed: ['media'], by: { id: owner.id } }
      expect(versions.slice(0, 2)).toMatchObject([byMedia, byMedia])
      expect(await read(owner, post, versions[0]?.id)).toMatchObject({
        media: [{ id: file.id, alt: 'A tray of simit', name: null, is_deleted: false }],
      })
      expect(await read(owner, post, versions[1]?.id)).toMatchObject({ media: [{ alt: 'A tray' }] })
    }
  })

  test('is written once for each of several edits at once', async () => {
    const { owner, id, change } = await draft(t)
    const account = await playgroundAccount(owner)
    const scheduled_at = new Date(t.clock.now().getTime() + DAY).toISOString()
    await change(owner, { account_ids: [account], scheduled_at })
    const before = (await list(owner, id)).length
    const edits = await atOnce(6, (index) => owner.patch(pathOf(id), { content: `Edit ${index}` }))
    for (const edit of edits) expectStatus(edit, 200)
    const versions = await list(owner, id)
    expect(versions.map(({ number }) => number)).toEqual(
      Array.from({ length: before + 6 }, (_, index) => before + 6 - index),
    )
    const { content } = expectStatus(await owner.get(pathOf(id)), 200).body
    expect(await read(owner, id, versions[0]?.id)).toMatchObject({ content })
  })

  test('holds both changes of a text and of a file that happen at once', async () => {
    const { owner, id, change } = await draft(t)
    const file = await uploaded(owner)
    await change(owner, { media_ids: [file.id] })
    const calls = [
      () => owner.patch(pathOf(id), { content: 'Two' }),
      () => owner.patch(`/api/v1/media/${file.id}`, { alt: 'A tray' }),
    ]
    for (const { status } of await atOnce(2, (index) => calls[index]?.() ?? owner.get(pathOf(id))))
      expect(status).toBe(200)
    const [newest] = await list(owner, id)
    expect(await read(owner, id, newest?.id)).toMatchObject({ content: 'Two', media: [{ alt: 'A tray' }] })
  })

  test('is one of at most 100 of a post, and of a megabyte', async () => {
    const { owner, id, change } = await draft(t)
    const token = await withToken(t, owner)
    await change(owner, { content: 'Two' })
    await sql`insert into post_version (post_id, number, content, content_hash, bytes, source, started_at, created_at)
      select post_id, n, content, n, bytes, source, started_at, created_at
      from post_version, generate_series(3, 120) as n where post_id = ${id} and number = 2`.execute(t.deps.db)
    expectStatus(await token.patch(pathOf(id), { content: 'New' }), 200)
    const numbers = (await list(owner, id)).map(({ number }) => number)
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => 121 - index))
    await t.deps.db.updateTable('post_version').set({ bytes: 300_000 }).where('post_id', '=', id).execute()
    // Small versions are not added up.
    const content = 'Newer '.repeat(2000)
    expectStatus(await token.patch(pathOf(id), { content }), 200)
    expect((await list(owner, id)).map(({ number }) => number)).toEqual([122, 121, 120, 119])
  })

  test('is deleted after a year, unless it is the newest', async () => {
    const { owner, id, change } = await draft(t)
    await change(owner, { content: 'Two' })
    await sql`update post_version set id = uuidv7(${t.clock.now()} - now() - interval '364 days') where post_id = ${id}`.execute(
      t.deps.db,
    )
    await deleteOldVersions(t.deps)
    expect(await list(owner, id)).toHaveLength(2)
    await sql`update post_version set id = uuidv7(${t.clock.now()} - now() - interval '366 days') where post_id = ${id}`.execute(
      t.deps.db,
    )
    await deleteOldVersions(t.deps)
    expect(await list(owner, id)).toMatchObject([{ number: 2, is_current: true }])
  })

  test('goes with its post, and has no name of a user who is gone', async () => {
    const { owner, author, id, change } = await draft(t)
    await change(owner, { content: 'Two' })
    expectStatus(await owner.delete(`/api/v1/workspace/members/${author.id}`), 204)
    expect((await list(owner, id))[1]).toMatchObject({ by: { id: author.id } })
    await t.deps.db.deleteFrom('user').where('id', '=', author.id).execute()
    expect((await list(owner, id))[1]).toMatchObject({ by: null, source: 'console' })
    expectStatus(await owner.delete(pathOf(id)), 204)
    expectProblem(await owner.get(`${pathOf(id)}/versions`), 404, 'not_found')
    await t.deps.db.deleteFrom('post').where('id', '=', id).execute()
    expect(await t.deps.db.selectFrom('post_version').select('id').where('post_id', '=', id).execute()).toEqual([])
  })
})

describe('the first version of a post', () => {
  /** A post of a token on an account with a file, with its only version. */
  async function unchanged(more: object = {}) {
    const owner = await withWorkspace(t)
    const token = await withToken(t, owner)
    const [account, file] = [await playgroundAccount(owner), await uploaded(owner)]
    const input = { content: 'One', media_ids: [file.id], targets: [{ account_id: account, content: 'Own' }], ...more }
    const { id } = expectStatus(await token.post('/api/v1/posts', input), 201).body
    const [version, ...others] = await list(owner, id)
    expect(others).toEqual([])
    return { owner, token, account, file, id, version, said: await read(owner, id, version?.id) }
  }
  const stored = (id: string) =>
    t.deps.db.selectFrom('post_version').select('number').where('post_id', '=', id).orderBy('number').execute()

  test('is not stored before a change, and stays as it was', async () => {
    const { owner, token, id, version, said } = await unchanged()
    expect(version).toMatchObject({
      ...{ number: 1, is_current: true, changed: [], source: 'api', by: { id: owner.id }, token_id: token.id },
    })
    expect(said).toMatchObject({ content: 'One', media: [{ alt: '' }], targets: [{ content: 'Own' }] })
    expectStatus(await owner.patch(pathOf(id), { labels: ['spring'] }), 200)
    expect(await stored(id)).toEqual([])
    t.clock.advance(MINUTE)
    for (const content of ['Two', 'Three']) expectStatus(await token.patch(pathOf(id), { content }), 200)
    expect(await stored(id)).toHaveLength(3)
    expect((await list(owner, id)).at(-1)).toEqual({ ...version, is_current: false })
    expect(await read(owner, id, version?.id)).toEqual({ ...said, is_current: false })
  })

  test.each([
    ['another account', ({ account }: { account: string }, other: string) => ({ account_ids: [account, other] })],
    ['an account less', () => ({ account_ids: [] })],
    ['another text of an account', ({ account }) => ({ targets: [{ account_id: account, content: 'New' }] })],
    ['a file less', () => ({ media_ids: [] })],
  ])('is kept when the first change is %s', async (_, changeOf) => {
    const { owner, token, account, id, said } = await unchanged()
    expectStatus(await token.patch(pathOf(id), changeOf({ account }, await playgroundAccount(owner))), 200)
    const [newest, first] = await list(owner, id)
    expect(newest).toMatchObject({ number: 2, is_current: true })
    expect(await read(owner, id, first?.id)).toEqual({ ...said, is_current: false })
  })

  test('keeps the alternative text of a file, also of a published post, which gets no other version', async () => {
    const posts = [await unchanged(), await unchanged({ publish_now: true })]
    await t.runJobs()
    for (const [index, { owner, file, id, said }] of posts.entries()) {
      expectStatus(await owner.patch(`/api/v1/media/${file.id}`, { alt: 'A tray' }), 200)
      const versions = await list(owner, id)
      expect(versions).toHaveLength(index === 0 ? 2 : 1)
      const { media } = await read(owner, id, versions.at(-1)?.id)
      expect(media).toEqual(said.media)
    }
  })

  test('is one when two change the post at the same time', async () => {
    const { owner, token, account, id, said } = await unchanged()
    const bodies = [{ content: 'Two' }, { targets: [{ account_id: account, content: 'New' }] }]
    for (const { status } of await atOnce(2, (index) => token.patch(pathOf(id), bodies[index] ?? {})))
      expect(status).toBe(200)
    const versions = await list(owner, id)
    expect(versions.map(({ number }) => number)).toEqual([3, 2, 1])
    expect(await read(owner, id, versions[2]?.id)).toEqual({ ...said, is_current: false })
  })

  test('is stored at once of a post that a node of the former version creates', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    const { rows } = await sql<{ id: string }>`
      with created as (insert into post (workspace_id, author_id, content, status)
        values (${owner.workspace_id}, ${owner.id}, 'One', 'draft') returning id)
      insert into post_target (post_id, account_id, position) select id, ${account}, 0 from created
      returning post_id as id`.execute(t.deps.db)
    const id = rows[0]?.id ?? ''
    expect(await stored(id)).toEqual([{ number: 1 }])
    const [version] = await list(owner, id)
    expect(await read(owner, id, version?.id)).toMatchObject({ content: 'One', targets: [{ account_id: account }] })
  })
})

describe('the versions of a post', () => {
  test('are read in pages, newest first', async () => {
    const { owner, author, id, change } = await draft(t)
    for (const [person, content] of [[owner, 'Two'] as const, [author, 'Three'] as const])
      await change(person, { content })
    const path = `${pathOf(id)}/versions?limit=2`
    const first = expectStatus(await owner.get(path), 200).body
    const second = expectStatus(await owner.get(`${path}&cursor=${first.next_cursor}`), 200).body
    expect([...first.data, ...second.data].map(({ number }) => number)).toEqual([3, 2, 1])
    expect(second.next_cursor).toBeNull()
    expectProblem(await owner.get(`${path}&cursor=bm9uZQ`), 400, 'validation_failed')
  })

  test('are read by every member, and by nobody else', async () => {
    const { owner, id } = await draft(t)
    const [version] = await list(owner, id)
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expect(await read(viewer, id, version?.id)).toMatchObject({ content: 'One' })
    const stranger = await withWorkspace(t)
    for (const path of [`${pathOf(id)}/versions`, `${pathOf(id)}/versions/${version?.id}`])
      expectProblem(await stranger.get(path), 404, 'not_found')
    const own = expectStatus(await stranger.post('/api/v1/posts', { content: 'Theirs' }), 201).body
    expectProblem(await stranger.get(`${pathOf(own.id)}/versions/${version?.id}`), 404, 'not_found')
    expectProblem(await stranger.post(`${pathOf(own.id)}/versions/${version?.id}/restore`), 404, 'not_found')
  })
})
