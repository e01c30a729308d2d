import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { Client } from '../../../test/client.ts'
import { expectStatus, memberOf, playgroundAccount, withToken, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'

const t = await testApp()

describe('the checklist', () => {
  const read = async (person: Client) => expectStatus(await person.get('/api/v1/workspace/checklist'), 200).body
  const dismiss = (person: Client) => person.post('/api/v1/workspace/checklist/dismiss')

  test('200 marks each step that was done in this workspace', async () => {
    const owner = await withWorkspace(t)
    const none = { connected: false, written: false, published: false, webhook: false, dismissed: false }
    expect(await read(owner)).toEqual(none)
    const account = await playgroundAccount(owner)
    expect(await read(owner)).toEqual({ ...none, connected: true })
    const post = { content: 'Hello', account_ids: [account] }
    const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
    expect(await read(owner)).toEqual({ ...none, connected: true, written: true })
    expectStatus(await owner.post(`/api/v1/posts/${body.id}/publish`), 200)
    await t.runJobs()
    expect(await read(owner)).toEqual({ ...none, connected: true, written: true, published: true })
    expectStatus(await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] }), 201)
    const all = { connected: true, written: true, published: true, webhook: true, dismissed: false }
    expect(await read(await memberOf(t, owner.workspace_id, 'viewer'))).toEqual(all)
    expect(await read(await withWorkspace(t))).toEqual(none)
  })

  test('200 dismisses the checklist permanently for the caller only', async () => {
    const owner = await withWorkspace(t)
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    for (let time = 0; time < 2; time++)
      expect(expectStatus(await dismiss(viewer), 200).body).toMatchObject({ connected: false, dismissed: true })
    expect((await read(viewer)).dismissed).toBe(true)
    expect((await read(owner)).dismissed).toBe(false)
    const { body: other } = expectStatus(await viewer.post('/api/v1/workspaces', { name: 'Another' }), 201)
    expect((await read(viewer.with({ 'x-workspace-id': other.id }))).dismissed).toBe(false)
  })

  test('403 for a token that dismisses the checklist', async () => {
    expectProblem(await dismiss(await withToken(t, await withWorkspace(t))), 403, 'token_not_accepted')
  })
})
