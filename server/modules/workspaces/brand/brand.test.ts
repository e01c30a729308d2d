import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, withToken, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const path = '/api/v1/workspace/brand'
const brand = {
  ...{ about: 'A bakery.', audience: null, voice: 'Warm.', use_words: ['fresh'], avoid_words: ['cheap'] },
  ...{ never_mention: ['Other Bakery'], links: ['https://bakery.example/menu'], hashtags: ['simit'] },
  ...{ languages: ['tr'], liked_posts: ['Fresh simit from seven.'] },
}

test('a workspace without a brand has no texts, and empty lists', async () => {
  const owner = await withWorkspace(t)
  const { body, headers } = expectStatus(await owner.get(path), 200)
  expect(body).toEqual({
    ...{ about: null, audience: null, voice: null, use_words: [], avoid_words: [], never_mention: [], links: [] },
    ...{ hashtags: [], languages: [], liked_posts: [], updated_at: null, version: 0 },
  })
  expect(headers.get('etag')).not.toBeNull()
})

test('editors replace the brand, all members read it, and the change is audited', async () => {
  const owner = await withWorkspace(t)
  const editor = await memberOf(t, owner.workspace_id, 'editor')
  const input = { ...brand, hashtags: ['#simit', 'simit'], languages: ['TR', 'tr'], about: ' A bakery. ' }
  expect(expectStatus(await editor.put(path, input), 200).body).toMatchObject({ ...brand, version: 1 })
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  expect(expectStatus(await viewer.get(path), 200).body).toMatchObject(brand)
  expectProblem(await (await memberOf(t, owner.workspace_id, 'author')).put(path, brand), 403, 'forbidden_role')
  const changed = { ...brand, voice: null }
  expect(expectStatus(await editor.put(path, changed), 200).body).toMatchObject({ voice: null, version: 2 })
  // The same again changes nothing.
  expect(expectStatus(await editor.put(path, changed), 200).body).toMatchObject({ version: 2 })
  const { data } = expectStatus(await owner.get('/api/v1/workspace/audit-log?action=workspace.brand_changed'), 200).body
  expect(data.map(({ details }: { details: object }) => details)).toMatchObject([
    { before: { voice: 'Warm.' }, after: { voice: null } },
    { after: { about: 'A bakery.' } },
  ])
})

test('a brand that somebody else has changed since is not replaced', async () => {
  const owner = await withWorkspace(t)
  const { headers } = expectStatus(await owner.get(path), 200)
  const ifMatch = { 'if-match': String(headers.get('etag')) }
  expectStatus(await owner.with(ifMatch).put(path, brand), 200)
  expectProblem(await owner.with(ifMatch).put(path, { ...brand, voice: 'Cold.' }), 412, 'version_conflict')
})

test.each([
  [{ languages: ['not a tag'] }, '/languages/0'],
  [{ links: ['ftp://bakery.example'] }, '/links/0'],
  [{ links: ['https://bakery.example', 'https://?'] }, '/links/1'],
  [{ links: ['https://com'] }, '/links/0'],
  [{ languages: ['Turkish'] }, '/languages/0'],
  [{ hashtags: ['two words'] }, '/hashtags/0'],
  [{ avoid_words: [' '] }, '/avoid_words/0'],
])('%j is refused at %s', async (wrong, pointer) => {
  const owner = await withWorkspace(t)
  expectProblem(await owner.put(path, { ...brand, ...wrong }), 400, 'validation_failed', pointer)
})

test('tokens need the scopes of the workspace', async () => {
  const owner = await withWorkspace(t)
  const reader = await withToken(t, owner, ['workspace:read'])
  expectStatus(await reader.get('/api/v1/public/workspace/brand'), 200)
  expectProblem(await reader.put('/api/v1/public/workspace/brand', brand), 403, 'insufficient_scope')
})
