import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, signedIn } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'

const DAY = 86_400_000

// One per test, because each moves the clock by months.
let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

test('a session that is used every day is renewed together with its cookie', async () => {
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

test('a session ends 90 days after the sign-in, however often it is used', async () => {
  const person = await signedIn(t)
  const ages: (number | undefined)[] = []
  // A renewal of less than a day is left out.
  t.advance(DAY / 24)
  for (let day = 1; day < 90; day++) {
    t.advance(DAY)
    const [cookie] = expectStatus(await person.get('/api/v1/me'), 200).headers.getSetCookie()
    if (cookie) ages.push(Number(/Max-Age=(\d+)/.exec(cookie)?.[1]))
  }
  expect(ages.at(0)).toBe(604_800)
  // The last renewal reached the end. No other follows.
  expect(ages.at(-1)).toBeLessThan(604_000)
  expect(ages.length).toBeLessThan(85)
  t.advance(DAY + 60_000)
  expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
})

test('a session that is not used for seven days expires', async () => {
  const person = await signedIn(t)
  t.advance(7 * DAY + 60_000)
  expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
})

test('renewing does not bring an ended session back', async () => {
  const person = await signedIn(t)
  t.advance(2 * DAY)
  await Promise.all([person.get('/api/v1/me'), person.post('/api/auth/sign-out'), person.get('/api/v1/me')])
  expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
})
