import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import { expectStatus, memberOf, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const path = '/api/v1/snippets'
const created = async (name: string = randomUUID(), content = '#bakery') =>
  expectStatus(await owner.post(path, { name, content }), 201).body
const audited = async (action: string, id: string) =>
  (await owner.get(`/api/v1/workspace/audit-log?action=${action}`)).body.data.filter(
    ({ target_id }: { target_id: string }) => target_id === id,
  )

describe('snippets', () => {
  test('are created, read, listed newest first, changed and deleted, each with an audit entry', async () => {
    const { id } = await created('  Hashtags ', '#bakery #simit')
    const second = await created()
    const read = expectStatus(await owner.get(`${path}/${id}`), 200)
    expect(read.body).toMatchObject({ name: 'Hashtags', content: '#bakery #simit', version: 1 })
    const { data } = expectStatus(await owner.get(`${path}?limit=2`), 200).body
    expect(data.map((one: { id: string }) => one.id)).toEqual([second.id, id])

    const changed = expectStatus(await owner.patch(`${path}/${id}`, { content: '#simit' }), 200).body
    expect(changed).toMatchObject({ name: 'Hashtags', content: '#simit', version: 2 })
    expectStatus(await owner.delete(`${path}/${id}`), 204)
    expectProblem(await owner.get(`${path}/${id}`), 404, 'not_found')
    expectProblem(await owner.delete(`${path}/${id}`), 404, 'not_found')
    for (const action of ['snippet.created', 'snippet.changed', 'snippet.deleted'])
      expect(await audited(action, id)).toHaveLength(1)
  })

  test('a change that changes nothing keeps the version and writes no audit entry', async () => {
    const { id, name } = await created()
    expect(expectStatus(await owner.patch(`${path}/${id}`, { name }), 200).body.version).toBe(1)
    expect(await audited('snippet.changed', id)).toEqual([])
  })

  test('a change with the ETag of an older version is refused', async () => {
    const { id } = await created()
    const { headers } = await owner.get(`${path}/${id}`)
    const etag = { 'if-match': String(headers.get('etag')) }
    expectStatus(await owner.patch(`${path}/${id}`, { content: 'One' }, etag), 200)
    expectProblem(await owner.patch(`${path}/${id}`, { content: 'Two' }, etag), 412, 'version_conflict')
  })

  test('a name is used once in a workspace, in any case, also by calls at once', async () => {
    const name = `Name ${randomUUID()}`
    const responses = await atOnce(5, () => owner.post(path, { name, content: 'Text' }))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
    expectProblem(await owner.post(path, { name: name.toUpperCase(), content: 'A' }), 409, 'snippet_name_taken')
    const other = await created()
    expectProblem(await owner.patch(`${path}/${other.id}`, { name }), 409, 'snippet_name_taken')
    const elsewhere = await withWorkspace(t)
    expectStatus(await elsewhere.post(path, { name, content: 'Text' }), 201)
  })

  test('texts without a visible character, unknown fields and an empty change are refused', async () => {
    for (const body of [{ name: ' ', content: 'A' }, { name: 'A', content: '\n' }, { name: 'A' }])
      expectProblem(await owner.post(path, body), 400, 'validation_failed')
    const { id } = await created()
    for (const body of [{}, { content: '' }, { author: 'me' }])
      expectProblem(await owner.patch(`${path}/${id}`, body), 400, 'validation_failed')
  })

  test('authors write them, viewers only read them', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const { id } = await created()
    expectStatus(await author.patch(`${path}/${id}`, { content: 'By another author' }), 200)
    expectStatus(await viewer.get(`${path}/${id}`), 200)
    expectProblem(await viewer.post(path, { name: 'A', content: 'A' }), 403, 'forbidden_role')
    expectProblem(await viewer.delete(`${path}/${id}`), 403, 'forbidden_role')
  })

  test('a workspace has at most 500, also when calls come at once', async () => {
    const full = await withWorkspace(t)
    const rows = Array.from({ length: 498 }, (_, n) => ({
      id: randomUUID(),
      workspace_id: full.workspace_id,
      name: `Snippet ${n}`,
      content: 'Text',
    }))
    await t.deps.db.insertInto('snippet').values(rows).execute()
    const responses = await atOnce(4, () => full.post(path, { name: randomUUID(), content: 'Text' }))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403])
  })
})

describe('kinds of snippets', () => {
  const template = { kind: 'template', content: 'Fresh simit', labels: ['Spring', 'spring'], first_comment: 'Menu' }

  test('a snippet is a text unless its kind is given, and lists are filtered by it', async () => {
    const workspace = await withWorkspace(t)
    const create = async (fields: object) =>
      expectStatus(await workspace.post(path, { name: randomUUID(), content: '#bakery #simit', ...fields }), 201).body
    const text = await create({})
    expect(text).toMatchObject({ kind: 'text', account_ids: [], labels: [], first_comment: null })
    const hashtags = await create({ kind: 'hashtags' })
    for (const [kind, id] of [
      ['text', text.id],
      ['hashtags', hashtags.id],
      ['template', undefined],
    ]) {
      const { data } = expectStatus(await workspace.get(`${path}?kind=${kind}`), 200).body
      expect(data.map((one: { id: string }) => one.id)).toEqual(id ? [id] : [])
    }
    expectProblem(await workspace.get(`${path}?kind=other`), 400, 'validation_failed')
  })

  test('a template keeps accounts, labels and a first comment, and forgets removed accounts', async () => {
    const [second, first] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    const body = { ...template, name: randomUUID(), account_ids: [first, second] }
    const { id, ...made } = expectStatus(await owner.post(path, body), 201).body
    expect(made).toMatchObject({ account_ids: [first, second], labels: ['Spring'], first_comment: 'Menu' })
    expect(expectStatus(await owner.patch(`${path}/${id}`, { labels: [] }), 200).body).toMatchObject({
      ...{ account_ids: [first, second], labels: [], first_comment: 'Menu', version: 2 },
    })
    expectStatus(await owner.delete(`/api/v1/accounts/${first}`), 204)
    expect(expectStatus(await owner.get(`${path}/${id}`), 200).body.account_ids).toEqual([second])
    const elsewhere = await playgroundAccount(await withWorkspace(t))
    const foreign = owner.patch(`${path}/${id}`, { account_ids: [elsewhere] })
    expectProblem(await foreign, 400, 'validation_failed', '/account_ids/0')
    const cleared = expectStatus(await owner.patch(`${path}/${id}`, { first_comment: null }), 200).body
    expect(cleared.first_comment).toBeNull()
  })

  test('other kinds have none of them, and a template that becomes one loses them', async () => {
    for (const [field, value] of Object.entries({ labels: ['spring'], first_comment: 'Menu' })) {
      const body = { name: randomUUID(), content: 'Text', [field]: value }
      expectProblem(await owner.post(path, body), 400, 'validation_failed', `/${field}`)
    }
    const { id } = expectStatus(await owner.post(path, { ...template, name: randomUUID() }), 201).body
    expect(expectStatus(await owner.patch(`${path}/${id}`, { kind: 'text' }), 200).body).toMatchObject({
      ...{ kind: 'text', labels: [], first_comment: null },
    })
  })

  test('a set of hashtags has nothing but hashtags', async () => {
    for (const content of ['#one #two', '#bir\n#iki', '#{{weekday}}'])
      expectStatus(await owner.post(path, { name: randomUUID(), content, kind: 'hashtags' }), 201)
    for (const content of ['one #two', '#one two', '# one', '#'])
      expectProblem(
        await owner.post(path, { name: randomUUID(), content, kind: 'hashtags' }),
        400,
        'validation_failed',
        '/content',
      )
  })
})
