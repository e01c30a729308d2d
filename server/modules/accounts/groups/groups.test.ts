import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import { expectStatus, memberOf, playgroundAccount, withToken, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const accounts = [await playgroundAccount(owner), await playgroundAccount(owner), await playgroundAccount(owner)]
const [one = '', two = '', three = ''] = accounts

const path = '/api/v1/account-groups'
const created = async (account_ids: string[] = [], name: string = randomUUID()) =>
  expectStatus(await owner.post(path, { name, account_ids }), 201).body
const read = async (id: string) => expectStatus(await owner.get(`${path}/${id}`), 200).body
const audited = async (action: string, id: string) =>
  (await owner.get(`/api/v1/workspace/audit-log?action=${action}`)).body.data.filter(
    ({ target_id }: { target_id: string }) => target_id === id,
  )
const targetsOf = (post: { targets: { account_id: string }[] }) => post.targets.map(({ account_id }) => account_id)
const post = (fields: object) => owner.post('/api/v1/posts', { content: 'Hello', ...fields })

describe('account groups', () => {
  test('are created, read, listed newest first, changed and deleted, each with an audit entry', async () => {
    const { id } = await created([two, one.toUpperCase()], '  Shops ')
    const second = await created()
    expect(await read(id)).toMatchObject({ name: 'Shops', account_ids: [two, one], created_by: owner.id, version: 1 })
    const { data } = expectStatus(await owner.get(`${path}?limit=2`), 200).body
    expect(data.map((group: { id: string }) => group.id)).toEqual([second.id, id])
    const changed = expectStatus(await owner.patch(`${path}/${id}`, { account_ids: [one, three] }), 200).body
    expect(changed).toMatchObject({ name: 'Shops', account_ids: [one, three], version: 2 })
    expectStatus(await owner.delete(`${path}/${id}`), 204)
    expectProblem(await owner.get(`${path}/${id}`), 404, 'not_found')
    expectProblem(await owner.delete(`${path}/${id}`), 404, 'not_found')
    for (const action of ['account_group.created', 'account_group.changed', 'account_group.deleted'])
      expect(await audited(action, id)).toHaveLength(1)
  })

  test('a change that changes nothing keeps the version, and one with an older ETag is refused', async () => {
    const { id, name } = await created([one])
    expect(expectStatus(await owner.patch(`${path}/${id}`, { name, account_ids: [one] }), 200).body.version).toBe(1)
    expect(await audited('account_group.changed', id)).toEqual([])
    const etag = { 'if-match': String((await owner.get(`${path}/${id}`)).headers.get('etag')) }
    expectStatus(await owner.patch(`${path}/${id}`, { account_ids: [two] }, etag), 200)
    expectProblem(await owner.patch(`${path}/${id}`, { account_ids: [] }, etag), 412, 'version_conflict')
  })

  test('a name is used once in a workspace, in any case, also by calls at once', async () => {
    const name = `Name ${randomUUID()}`
    const responses = await atOnce(5, () => owner.post(path, { name }))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
    expectProblem(await owner.post(path, { name: name.toUpperCase() }), 409, 'account_group_name_taken')
    const other = await created()
    expectProblem(await owner.patch(`${path}/${other.id}`, { name }), 409, 'account_group_name_taken')
    expectStatus(await (await withWorkspace(t)).post(path, { name }), 201)
  })

  test('have only accounts of their workspace, at most 100, and a workspace has at most 50', async () => {
    const elsewhere = await withWorkspace(t)
    const foreign = await playgroundAccount(elsewhere)
    for (const account_ids of [
      [one, foreign],
      [one, randomUUID()],
    ])
      expectProblem(await owner.post(path, { name: 'A', account_ids }), 400, 'validation_failed', '/account_ids/1')
    const many = Array.from({ length: 101 }, () => randomUUID())
    expectProblem(await owner.post(path, { name: 'A', account_ids: many }), 400, 'validation_failed', '/account_ids')
    const rows = Array.from({ length: 48 }, (_, n) => ({
      ...{ id: randomUUID(), workspace_id: elsewhere.workspace_id, name: `Group ${n}` },
    }))
    await t.deps.db.insertInto('account_group').values(rows).execute()
    const responses = await atOnce(4, () => elsewhere.post(path, { name: randomUUID() }))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403])
  })

  test('an account that is disconnected leaves its groups, also one that is added at the same time', async () => {
    const gone = await playgroundAccount(owner)
    const { id } = await created([one, gone, two])
    const racing = await created()
    const [added] = await Promise.all([
      owner.patch(`${path}/${racing.id}`, { account_ids: [gone] }),
      owner.delete(`/api/v1/accounts/${gone}`),
    ])
    if (added.status !== 200) expectProblem(added, 400, 'validation_failed', '/account_ids/0')
    expect(await read(id)).toMatchObject({ account_ids: [one, two], version: 2 })
    expect((await read(racing.id)).account_ids).toEqual([])
    expectProblem(await owner.post(path, { name: randomUUID(), account_ids: [gone] }), 400, 'validation_failed')
  })

  test('editors change them, authors and viewers only read them', async () => {
    const [editor, author] = [
      await memberOf(t, owner.workspace_id, 'editor'),
      await memberOf(t, owner.workspace_id, 'author'),
    ]
    const { id } = await created()
    expectStatus(await editor.patch(`${path}/${id}`, { account_ids: [one] }), 200)
    expectStatus(await author.get(`${path}/${id}`), 200)
    expectProblem(await author.post(path, { name: 'A' }), 403, 'forbidden_role')
    expectProblem(await author.delete(`${path}/${id}`), 403, 'forbidden_role')
  })
})

describe('posts and account groups', () => {
  test('a post goes to the accounts that its groups have at the time of the call, after those that are listed', async () => {
    const [first, second] = [await created([one, two]), await created([two, three])]
    const grouped = expectStatus(await post({ account_group_ids: [first.id] }), 201).body
    expect(targetsOf(grouped)).toEqual([one, two])
    const both = { account_ids: [three.toUpperCase()], account_group_ids: [second.id, first.id] }
    expect(targetsOf(expectStatus(await post(both), 201).body)).toEqual([three, two, one])
    const own = { targets: [{ account_id: two, content: 'Own' }], account_group_ids: [first.id] }
    expect(expectStatus(await post(own), 201).body.targets).toMatchObject([
      { account_id: two, content: 'Own' },
      { account_id: one, content: null },
    ])
    expectStatus(await owner.patch(`${path}/${first.id}`, { account_ids: [three] }), 200)
    const { body } = expectStatus(await owner.get(`/api/v1/posts/${grouped.id}`), 200)
    expect(targetsOf(body)).toEqual([one, two])
  })

  test('validating a post resolves its groups as well, and stores nothing', async () => {
    const { id } = await created([one, two])
    const body = { content: 'Hello', account_group_ids: [id] }
    expect(expectStatus(await owner.post('/api/v1/posts/validate', body), 200).body).toMatchObject({
      problems: [],
      targets: [{ account_id: one }, { account_id: two }],
    })
  })

  test('an unknown group, one of another workspace, and more than 50 accounts are refused at their field', async () => {
    const elsewhere = await withWorkspace(t)
    const foreign = expectStatus(await elsewhere.post(path, { name: 'Theirs' }), 201).body.id
    for (const id of [foreign, randomUUID()]) {
      const refused = await post({ account_group_ids: [id] })
      expectProblem(refused, 400, 'validation_failed', '/account_group_ids/0')
    }
    const full = await withWorkspace(t)
    const rows = Array.from({ length: 51 }, (_, n) => ({
      ...{ workspace_id: full.workspace_id, network: 'playground', external_id: `n-${n}` },
      ...{ name: `Account ${n}`, handle: `n-${n}` },
    }))
    const made = await t.deps.db.insertInto('account').values(rows).returning('id').execute()
    const account_ids = made.map(({ id }) => id)
    const { id } = expectStatus(await full.post(path, { name: 'All', account_ids }), 201).body
    const many = await full.post('/api/v1/posts', { content: 'Hello', account_group_ids: [id] })
    expectProblem(many, 400, 'validation_failed', '/account_group_ids')
  })

  test('lists and summaries have only posts with an account of the group', async () => {
    const who = await withWorkspace(t)
    const [a, b] = [await playgroundAccount(who), await playgroundAccount(who)]
    const { id } = expectStatus(await who.post(path, { name: 'A', account_ids: [a] }), 201).body
    const scheduled_at = new Date(t.clock.now().getTime() + 3600_000).toISOString()
    const write = async (content: string, account_ids: string[]) =>
      expectStatus(await who.post('/api/v1/posts', { content, account_ids, scheduled_at }), 201)
    await write('Only a', [a])
    await write('Both', [b, a])
    await write('Only b', [b])
    const listed = (query: string) => who.get(`/api/v1/posts${query}`)
    const { data } = expectStatus(await listed(`?account_group_id=${id}`), 200).body
    expect(data.map(({ content }: { content: string }) => content)).toEqual(['Both', 'Only a'])
    const from = t.clock.now().toISOString()
    const summaries = expectStatus(await listed(`/summaries?account_group_id=${id}&from=${from}`), 200).body.data
    expect(summaries.map(({ excerpt }: { excerpt: string }) => excerpt)).toEqual(['Only a', 'Both'])
    const mine = await owner.get(`/api/v1/posts?account_group_id=${id}`)
    expect(expectStatus(mine, 200).body.data).toEqual([])
  })

  test('a token needs accounts:read to see groups, accounts:write to change them, and only posts:write to post', async () => {
    const { id } = await created([one])
    const token = await withToken(t, owner, ['posts:write'])
    const body = { content: 'Hello', account_group_ids: [id] }
    expect(targetsOf(expectStatus(await token.post('/api/v1/public/posts', body), 201).body)).toEqual([one])
    expectProblem(await token.get('/api/v1/public/account-groups'), 403, 'insufficient_scope')
    const reader = await withToken(t, owner, ['accounts:read'])
    expectStatus(await reader.get('/api/v1/public/account-groups'), 200)
    expectProblem(await reader.post('/api/v1/public/account-groups', { name: 'A' }), 403, 'insufficient_scope')
  })
})
