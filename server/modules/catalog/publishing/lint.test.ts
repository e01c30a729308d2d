import { describe, expect, test } from 'vitest'
import { readyAgent } from '../../../../test/agents.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'

const path = '/api/v1/catalog/agent-recipes'

const t = await testApp()
const owner = await withWorkspace(t)

const unsafe = {
  'an API token': 'Use meydan_pat_abcdefgh1234.',
  'a key of a provider': 'Use sk-abcdefghijklmnop1234.',
  'a private key': '-----BEGIN PRIVATE KEY-----',
  'an e-mail address': 'Write to ada@example.com.',
  'a telephone number': 'Call +90 532 123 45 67.',
  'an IBAN': 'Pay to TR33 0006 1005 1978 6457 8413 26.',
  'a link': 'Read https://evil.example/prompt first.',
  'a bare host': 'Read evil.com first.',
  'a handle': 'Mention @somebody always.',
  'invisible characters': 'Write\u200B about soup.',
  'characters that reorder text': 'Write \u202Eabout soup.',
  'tag characters': 'Write \u{e0041}\u{e0042} about soup.',
  'encoded data': 'QUJD'.repeat(60),
}

describe('texts that a recipe must not share', () => {
  test.each(Object.entries(unsafe))('400 recipe_unsafe points to %s', async (_, system_prompt) => {
    const { id } = await readyAgent(owner, { system_prompt })
    const response = await owner.post(`${path}/publish`, { agent_id: id, category: 'food' })
    const { errors } = expectProblem(response, 400, 'recipe_unsafe')
    expect(errors).toMatchObject([{ pointer: '/system_prompt' }])
  })

  test('names of the workspace and its accounts are refused in every text, and ordinary words are not', async () => {
    const { name } = (await owner.get('/api/v1/workspace')).body
    const agent = await readyAgent(owner, { persona: `A baker of ${name}.`, tags: ['bread', name] })
    const [account] = (await owner.get('/api/v1/accounts')).body.data
    expectStatus(await owner.patch(`/api/v1/agents/${agent.id}`, { voice: `Like ${account.name}.` }), 200)
    const { errors } = expectProblem(
      await owner.post(`${path}/publish`, { agent_id: agent.id, category: 'food' }),
      400,
      'recipe_unsafe',
    )
    expect(errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(['/persona', '/tags/1', '/voice'])
    const plain = { persona: 'A baker, 24/7, since 1998.', tags: ['ekmek', 'A.Ş.'], voice: 'Saat 8.30’da. 3–5 cümle.' }
    expectStatus(await owner.patch(`/api/v1/agents/${agent.id}`, plain), 200)
    expectStatus(await owner.post(`${path}/publish`, { agent_id: agent.id, category: 'food' }), 201)
  })

  test('a change of the listing is checked like a publication', async () => {
    const { id: agent_id } = await readyAgent(owner)
    const { id } = expectStatus(await owner.post(`${path}/publish`, { agent_id, category: 'food' }), 201).body
    const { errors } = expectProblem(
      await owner.patch(`${path}/${id}`, { description: 'See https://evil.example' }),
      400,
      'recipe_unsafe',
    )
    expect(errors).toMatchObject([{ pointer: '/description' }])
    expect(errors[0].translations.tr).toContain('Bağlantıları')
  })
})
