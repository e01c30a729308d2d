import { beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, PASSWORD, signedIn } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'
import { setUpCode } from '../auth/instance-admin.ts'

describe('GET /instance', () => {
  test('200 for anyone, without caching, says whether the instance still needs its first admin', async () => {
    const fresh = await testApp()
    const read = async () => expectStatus(await fresh.anyone.get('/api/v1/instance'), 200)
    expect((await read()).body).toEqual({ needs_setup: true, sends_mail: false, sign_up: 'open' })
    expect((await read()).headers.get('cache-control')).toBe('no-store')
    await signedIn(fresh)
    expect((await read()).body.needs_setup).toBe(true)
    await signedIn(fresh, { instanceAdmin: true })
    expect((await read()).body.needs_setup).toBe(false)
    await fresh.close()
  })

  test('200 says whether there is a mail server', async () => {
    const fresh = await testApp({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' })
    expect((await fresh.anyone.get('/api/v1/instance')).body.sends_mail).toBe(true)
    await fresh.close()
  })

  test.each(['invitation', 'closed'])('200 says that sign-up is %s', async (sign_up) => {
    const fresh = await testApp({ SIGN_UP: sign_up })
    expect((await fresh.anyone.get('/api/v1/instance')).body.sign_up).toBe(sign_up)
    await fresh.close()
  })
})

describe('POST /setup', () => {
  let fresh: TestApp
  beforeEach(async () => {
    fresh = await testApp()
    return fresh.close
  })
  const input = (more: object = {}) => ({
    code: setUpCode(fresh.deps.keyring),
    email: 'root@example.com',
    password: PASSWORD,
    name: 'Root',
    ...more,
  })
  const setUp = (body: unknown) => fresh.anyone.post('/api/v1/setup', body)

  test('403 with a wrong code, and nothing is created', async () => {
    for (const code of ['', 'x', `${setUpCode(fresh.deps.keyring)}x`])
      expectProblem(await setUp(input({ code })), 403, 'setup_code_invalid')
    expect(await fresh.deps.db.selectFrom('user').select('id').execute()).toEqual([])
  })

  test('400 for an invalid body', async () => {
    expectProblem(await setUp({}), 400, 'validation_failed', '/code')
    expectProblem(await setUp(input({ password: 'short' })), 400, 'validation_failed', '/password')
    expectProblem(await setUp(input({ workspace_name: ' ' })), 400, 'validation_failed', '/workspace_name')
    expectProblem(await setUp(input({ locale: 'zz-ZZ-zz' })), 400, 'validation_failed', '/locale')
    expectProblem(await setUp(input({ is_instance_admin: true })), 400, 'validation_failed', '/is_instance_admin')
  })

  test('one of twenty concurrent calls creates the admin with 201, and all others get 409', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        setUp(input({ email: `root${index}@example.com`, workspace_name: `Ana Çalışma ${index}` })),
      ),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([201, ...Array(19).fill(409)])
    const users = await fresh.deps.db.selectFrom('user').select(['id', 'email', 'is_instance_admin']).execute()
    expect(users).toMatchObject([{ is_instance_admin: true }])
    const made = responses.find((response) => response.status === 201)
    expect(made?.body).toEqual({ user_id: users[0]?.id, workspace_id: expect.any(String) })
    for (const response of responses) if (response !== made) expectProblem(response, 409, 'setup_done')
    expectProblem(await setUp(input()), 409, 'setup_done')

    const email = users[0]?.email
    const signIn = await fresh.anyone.post('/api/auth/sign-in/email', { email, password: PASSWORD })
    const admin = fresh.anyone.with({ cookie: signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' })
    expect(expectStatus(await admin.get('/api/v1/workspace'), 200).body).toMatchObject({
      id: made?.body.workspace_id,
      role: 'owner',
    })
  })
})
