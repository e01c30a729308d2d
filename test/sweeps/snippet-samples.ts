import { randomUUID } from 'node:crypto'
import { expectStatus } from '../factories.ts'
import type { Make } from './resources.ts'

const snippet: Make = async ({ owner }) => {
  const body = { name: randomUUID(), content: '#bakery' }
  return { id: expectStatus(await owner.post('/api/v1/snippets', body), 201).body.id }
}
const newVariables = () => ({ variables: [{ name: 'phone', value: randomUUID() }] })

export const snippetResources: Record<string, Make> = { snippets: snippet }

export const snippetSamples: Record<string, Make> = {
  'POST /snippets': () => ({ body: { name: randomUUID(), content: '#bakery' } }),
  'PATCH /snippets/:id': async (fixture) => ({ ...(await snippet(fixture)), body: { content: '#simit' } }),
  'POST /snippets/:id/fill': async (fixture) => ({ ...(await snippet(fixture)), body: {} }),
  'PUT /workspace/variables': async ({ owner }) => {
    expectStatus(await owner.put('/api/v1/workspace/variables', newVariables()), 200)
    return { body: newVariables() }
  },
}
