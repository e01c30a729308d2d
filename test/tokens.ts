import type { TestApp } from './app.ts'
import type { Client } from './client.ts'

/** Calls that tests of tokens share. `now`: the test app. */
export function tokenCalls(now: () => { t: TestApp }) {
  const create = (person: Client, body: object = {}, headers?: Record<string, string>) =>
    person.post('/api/v1/api-tokens', { name: 'test', ...body }, headers)
  const bearer = (token: string, path = '/api/v1/public/posts') =>
    now().t.anyone.get(path, { authorization: `Bearer ${token}` })
  return { create, bearer }
}
