import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readyAgent } from '../../../../test/agents.ts'
import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { generationApp } from '../../../../test/generations.ts'
import { actionsOf } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { insertPlaceholders, listSourceKinds } from './incomplete-sources.ts'

let t: TestApp
let owner: WorkspaceOwner
let close: () => Promise<void>
let agent: string
let path: string

beforeAll(async () => {
  ;({ t, close } = await generationApp())
})
beforeEach(async () => {
  owner = await withWorkspace(t)
  agent = (await readyAgent(owner)).id
  path = `/api/v1/agents/${agent}/sources`
})
afterAll(() => close())

const feed = { kind: 'feed', label: 'Blog', url: 'https://cafe.example/feed.xml' }
const menu = { kind: 'text', label: 'Menu', text: 'Lentil soup, 90 TL' }

describe('POST /agents/:id/sources', () => {
  test('201 with a source that members read and others do not', async () => {
    const { body } = expectStatus(await owner.post(path, feed), 201)
    expect(body).toMatchObject({ ...feed, text: null, is_trusted: false, is_complete: true, last_error: null })
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expect(expectStatus(await viewer.get(path), 200).body.data).toEqual([body])
    expectProblem(await viewer.post(path, feed), 403, 'forbidden_role')
    const stranger = await withWorkspace(t)
    expectProblem(await stranger.get(path), 404, 'not_found')
    expectProblem(await stranger.post(path, feed), 404, 'not_found')
    expect(await actionsOf(t, owner.id)).toContain('agent.source_added')
  })

  test('201 with a text, which counts as trusted', async () => {
    expect(expectStatus(await owner.post(path, menu), 201).body).toMatchObject({ ...menu, url: null, is_trusted: true })
  })

  test.each([
    [{ ...feed, url: undefined }, '/url'],
    [{ ...feed, text: 'x' }, '/text'],
    [{ ...menu, text: undefined }, '/text'],
    [{ ...menu, text: ' \n' }, '/text'],
    [{ ...menu, text: 'x'.repeat(20_001) }, '/text'],
    [{ ...menu, url: feed.url }, '/url'],
    [{ ...menu, is_trusted: false }, '/is_trusted'],
    [{ ...feed, kind: 'sitemap' }, '/kind'],
  ])('400 for fields that do not belong together: %j', async (input, pointer) => {
    const { body } = await owner.post(path, input)
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] })
  })

  test.each([
    ...['http://10.0.0.1/feed', 'https://169.254.169.254/', 'https://user:pass@cafe.example/', 'file:///etc/passwd'],
    ...['https://[::ffff:10.0.0.1]/', 'https://cafe.example:22/', 'javascript:alert(1)', '/feed'],
  ])('400 for an address that Meydan does not call: %s', async (url) => {
    expectProblem(await owner.post(path, { ...feed, url }), 400, 'url_not_allowed')
  })

  test('403 for more than five', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => owner.post(path, feed)))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(all.find(({ status }) => status === 403)?.body).toMatchObject({ code: 'limit_exceeded', limit: 5 })
  })
})

describe('trust', () => {
  test('is given by admins only, and lost when an editor changes the address', async () => {
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectProblem(await editor.post(path, { ...feed, is_trusted: true }), 403, 'forbidden_role')
    const { id } = expectStatus(await owner.post(path, { ...feed, is_trusted: true }), 201).body
    expectProblem(await editor.patch(`${path}/${id}`, { is_trusted: true }), 403, 'forbidden_role')
    expect(expectStatus(await editor.patch(`${path}/${id}`, { label: 'News' }), 200).body).toMatchObject({
      label: 'News',
      is_trusted: true,
    })
    const moved = await editor.patch(`${path}/${id}`, { url: 'https://other.example/feed' })
    expect(expectStatus(moved, 200).body).toMatchObject({ is_trusted: false })
    expect(expectStatus(await owner.patch(`${path}/${id}`, { is_trusted: true }), 200).body.is_trusted).toBe(true)
    const again = await owner.patch(`${path}/${id}`, { url: feed.url })
    expect(expectStatus(again, 200).body.is_trusted).toBe(true)
  })

  test('runs act for the member who changed a source last', async () => {
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    expectStatus(await editor.post(path, feed), 201)
    expect(expectStatus(await owner.get(`/api/v1/agents/${agent}`), 200).body.acts_for.id).toBe(editor.id)
  })
})

describe('PATCH and DELETE /agents/:id/sources/:source_id', () => {
  test('404 for sources of another agent or workspace', async () => {
    const { id } = expectStatus(await owner.post(path, feed), 201).body
    const { id: sibling } = await readyAgent(owner)
    const stranger = await withWorkspace(t)
    const { id: foreign } = await readyAgent(stranger)
    for (const [who, of] of [
      [owner, sibling],
      [stranger, agent],
      [stranger, foreign],
    ] as const) {
      const at = `/api/v1/agents/${of}/sources/${id}`
      expectProblem(await who.patch(at, { label: 'Mine' }), 404, 'not_found')
      expectProblem(await who.delete(at), 404, 'not_found')
    }
    expect(expectStatus(await owner.get(path), 200).body.data).toMatchObject([{ id, label: 'Blog' }])
  })

  test('412 when somebody else changed it since', async () => {
    const made = expectStatus(await owner.post(path, feed), 201)
    const at = `${path}/${made.body.id}`
    const etag = made.headers.get('etag') ?? ''
    expectStatus(await owner.patch(at, { label: 'A' }, { 'if-match': etag }), 200)
    expectStatus(await owner.patch(at, { label: 'B' }, { 'if-match': etag }), 412)
  })

  test('204 removes it', async () => {
    const { id } = expectStatus(await owner.post(path, menu), 201).body
    expectStatus(await owner.delete(`${path}/${id}`), 204)
    expect(expectStatus(await owner.get(path), 200).body.data).toEqual([])
    expect(await actionsOf(t, owner.id)).toContain('agent.source_removed')
  })

  test('200 with a new text', async () => {
    const { id } = expectStatus(await owner.post(path, menu), 201).body
    expect(expectStatus(await owner.patch(`${path}/${id}`, { text: 'Rice' }), 200).body).toMatchObject({ text: 'Rice' })
    expect(await actionsOf(t, owner.id)).toContain('agent.source_updated')
  })
})

test('a placeholder is shown as incomplete, and the agent is not ready until it has its text', async () => {
  const kinds = [
    { kind: 'text', label: 'Menu' },
    { kind: 'feed', label: 'Blog' },
  ] as const
  await t.deps.db.transaction().execute(async (tx) => {
    await insertPlaceholders(tx, { workspace_id: owner.workspace_id, agent_id: agent }, kinds)
    expect(await listSourceKinds(tx, agent)).toEqual(kinds)
  })
  const { data } = expectStatus(await owner.get(path), 200).body
  expect(data).toMatchObject([
    { label: 'Blog', is_complete: false, is_trusted: false },
    { label: 'Menu', is_complete: false, is_trusted: true },
  ])
  const refused = expectProblem(await owner.post(`/api/v1/agents/${agent}/enable`), 409, 'agent_not_ready')
  expect(refused).toMatchObject({ missing: ['source'] })
  expect(JSON.stringify(refused)).toContain('Give the source \\"Menu\\" an address or a text.')
  expectStatus(await owner.patch(`${path}/${data[1].id}`, { text: 'Soup' }), 200)
  expectStatus(await owner.patch(`${path}/${data[0].id}`, { url: feed.url }), 200)
  expectStatus(await owner.post(`/api/v1/agents/${agent}/enable`), 200)
})
