import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()

const variablesPath = '/api/v1/workspace/variables'
const path = '/api/v1/snippets'

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await withWorkspace(t)
})

const save = (variables: { name: string; value: string }[]) => owner.put(variablesPath, { variables })
const created = async (content: string, fields = {}) =>
  expectStatus(await owner.post(path, { name: randomUUID(), content, ...fields }), 201).body
const filled = async (content: string, body = {}) => {
  const { id } = await created(content)
  return expectStatus(await owner.post(`${path}/${id}/fill`, body), 200).body.content
}

describe('variables of a workspace', () => {
  test('are replaced as a whole, with a version and an audit entry', async () => {
    expect(expectStatus(await owner.get(variablesPath), 200).body).toEqual({
      ...{ variables: [], updated_at: null, version: 0 },
    })
    const variables = [
      { name: 'phone', value: ' 0312 555 01 01 ' },
      { name: 'address', value: 'Kızılay 5' },
    ]
    const first = expectStatus(await save(variables), 200).body
    expect(first).toMatchObject({ version: 1, variables: [{ name: 'phone', value: '0312 555 01 01' }, variables[1]] })
    expect(expectStatus(await save(first.variables), 200).body.version).toBe(1)
    expect(expectStatus(await save([]), 200).body).toMatchObject({ variables: [], version: 2 })
    const { data } = (await owner.get('/api/v1/workspace/audit-log?action=workspace.variables_changed')).body
    expect(data).toHaveLength(2)
  })

  test('a save with the ETag of an older version is refused', async () => {
    const { headers } = await save([{ name: 'phone', value: '1' }])
    expectStatus(await save([{ name: 'phone', value: '2' }]), 200)
    const late = owner.put(variablesPath, { variables: [] }, { 'if-match': String(headers.get('etag')) })
    expectProblem(await late, 412, 'version_conflict')
  })

  test('names are unique, have no spaces, and are none of those that every workspace has', async () => {
    const refused = [[{ name: 'date', value: '1' }], [{ name: 'Phone', value: '1' }], [{ name: 'a b', value: '1' }]]
    for (const variables of refused) expectProblem(await save(variables), 400, 'validation_failed', '/variables/0/name')
    const twins = [
      { name: 'phone', value: '1' },
      { name: 'phone', value: '2' },
    ]
    expectProblem(await save(twins), 400, 'validation_failed', '/variables/1/name')
    const many = Array.from({ length: 51 }, (_, number) => ({ name: `v${number}`, value: '1' }))
    expectProblem(await save(many), 400, 'validation_failed', '/variables')
  })

  test('authors save them, viewers only read them', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expectStatus(await author.put(variablesPath, { variables: [] }), 200)
    expectStatus(await viewer.get(variablesPath), 200)
    expectProblem(await viewer.put(variablesPath, { variables: [] }), 403, 'forbidden_role')
  })

  test('one that a snippet uses is not removed, also when both calls come at once', async () => {
    expectStatus(await save([{ name: 'phone', value: '1' }]), 200)
    const { id } = await created('Call {{phone}}')
    const refused = expectProblem(await save([]), 400, 'validation_failed', '/variables')
    expect(JSON.stringify(refused)).toContain('{{phone}}')
    expectStatus(await owner.delete(`${path}/${id}`), 204)
    const responses = await atOnce(2, (number) =>
      number === 0 ? save([]) : owner.post(path, { name: randomUUID(), content: '{{phone}}' }),
    )
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(1)
  })
})

describe('snippets with variables', () => {
  test('an unknown name is refused with the known ones, in the text and in the first comment', async () => {
    expectStatus(await save([{ name: 'phone', value: '1' }]), 200)
    const refused = await owner.post(path, { name: 'A', content: 'Call {{ fone }}' })
    expect(expectProblem(refused, 400, 'validation_failed', '/content').errors?.[0]?.message).toBe(
      'There is no variable {{fone}}. Known are: {{date}}, {{time}}, {{weekday}}, {{account}}, {{workspace}}, {{phone}}.',
    )
    const template = { name: 'A', kind: 'template', content: 'A', first_comment: '{{fone}}' }
    expectProblem(await owner.post(path, template), 400, 'validation_failed', '/first_comment')
    const { id } = await created('Call {{phone}}')
    expectProblem(await owner.patch(`${path}/${id}`, { content: '{{}}' }), 400, 'validation_failed', '/content')
  })

  test('a text from before there were variables can be renamed', async () => {
    const { id } = await created('Text')
    await t.deps.db.updateTable('snippet').set({ content: 'Old {{thing}}' }).where('id', '=', id).execute()
    expectStatus(await owner.patch(`${path}/${id}`, { name: randomUUID() }), 200)
    expect(expectStatus(await owner.post(`${path}/${id}/fill`, {}), 200).body.content).toBe('Old {{thing}}')
  })

  test('time and day are those of the planned time in the zone and the language of the workspace', async () => {
    expectStatus(await owner.patch('/api/v1/workspace', { timezone: 'Europe/Istanbul', locale: 'tr' }), 200)
    const time = '2026-11-28T22:30:00Z'
    expect(await filled('{{date}} {{weekday}} {{time}}', { time })).toBe('29 Kasım 2026 Pazar 01:30')
    expectStatus(await owner.patch('/api/v1/workspace', { timezone: 'America/New_York', locale: 'en' }), 200)
    expect(await filled('{{date}} {{weekday}} {{ time }}', { time })).toBe('November 28, 2026 Saturday 5:30 PM')
  })

  test('without a time they are those of now', async () => {
    expectStatus(await owner.patch('/api/v1/workspace', { timezone: 'UTC', locale: 'en' }), 200)
    const today = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(t.deps.clock.now())
    expect(await filled('{{date}}')).toBe(today)
  })

  test('accounts are named in their order, those of the same name once, and without any it is the workspace', async () => {
    const [first, second, third] = [
      await playgroundAccount(owner),
      await playgroundAccount(owner),
      await playgroundAccount(owner),
    ]
    for (const [id, name] of [
      [first, 'Bakery'],
      [second, 'Café'],
      [third, 'Bakery'],
    ])
      expectStatus(await owner.patch(`/api/v1/accounts/${id}`, { name }), 200)
    const { name } = (await owner.get('/api/v1/workspace')).body
    expect(await filled('{{account}}', { account_ids: [first, second, third] })).toBe('Bakery ve Café')
    expect(await filled('{{account}} of {{workspace}}')).toBe(`${name} of ${name}`)
    const { id } = await created('{{account}}')
    const elsewhere = await playgroundAccount(await withWorkspace(t))
    const foreign = owner.post(`${path}/${id}/fill`, { account_ids: [first, elsewhere] })
    expectProblem(await foreign, 400, 'validation_failed', '/account_ids/1')
  })

  test('400 for a text that would be longer with its values than that of a post', async () => {
    expectStatus(await save([{ name: 'long', value: 'x'.repeat(500) }]), 200)
    const template = { kind: 'template', first_comment: '{{long}}'.repeat(200) }
    const most = await created('{{long}}'.repeat(131), template)
    expectProblem(await owner.post(`${path}/${most.id}/fill`, {}), 400, 'validation_failed', '/first_comment')
    const { id } = await created('{{long}}'.repeat(132))
    expectProblem(await owner.post(`${path}/${id}/fill`, {}), 400, 'validation_failed', '/content')
    expect(await filled('{{long}}'.repeat(131))).toHaveLength(65_500)
  })

  test('values are inserted as they are, without filling in variables in them', async () => {
    expectStatus(await save([{ name: 'odd', value: "$& {{date}} $'" }]), 200)
    const { id } = await created('[{{odd}}]', { kind: 'template', first_comment: '{{odd}}!' })
    expect(expectStatus(await owner.post(`${path}/${id}/fill`, {}), 200).body).toEqual({
      content: "[$& {{date}} $']",
      first_comment: "$& {{date}} $'!",
    })
  })
})
