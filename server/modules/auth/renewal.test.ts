import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, signedIn } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'

const DAY = 86_400_000

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('a session that is used once a day goes on, and its cookie with it', async () => {
  const person = await signedIn(t)
  const first = await person.get('/api/v1/me')
  expect(first.headers.getSetCookie()).toEqual([])
  for (let day = 0; day < 10; day++) {
    t.advance(DAY + 60_000)
    const { headers } = expectStatus(await person.get('/api/v1/me'), 200)
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^meydan\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect((await person.get('/api/v1/me')).headers.getSetCookie()).toEqual([])
  }
})

test('one that is not used for seven days is over', async () => {
  const person = await signedIn(t)
  t.advance(7 * DAY + 60_000)
  expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
})

test('a renewal brings no ended session back', async () => {
  const person = await signedIn(t)
  t.advance(2 * DAY)
  await Promise.all([person.get('/api/v1/me'), person.post('/api/auth/sign-out'), person.get('/api/v1/me')])
  expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
})
