import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, newAddress, signedIn, withToken, withWorkspace } from '../../../../test/factories.ts'
import { signUp } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

/** A signed-in user, for tests where it does not matter who. */
const t = await testApp()
const ada = await signedIn(t)

describe('GET /me', () => {
  test('200 returns exactly the public fields', async () => {
    const person = await signedIn(t)
    const { body } = expectStatus(await person.get('/api/v1/me'), 200)
    expect(body).toEqual({
      id: person.id,
      email: person.email,
      name: 'Ada',
      locale: 'en',
      timezone: 'UTC',
      is_instance_admin: false,
      two_factor_enabled: false,
      mail_post_failures: true,
      workspace_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect((await (await signedIn(t, { instanceAdmin: true })).get('/api/v1/me')).body.is_instance_admin).toBe(true)
  })

  test('200 with a token without scopes, 403 with a token that has scopes', async () => {
    const owner = await withWorkspace(t)
    expect((await (await withToken(t, owner)).get('/api/v1/me')).body.id).toBe(owner.id)
    expectProblem(await (await withToken(t, owner, ['posts:read'])).get('/api/v1/me'), 403, 'token_not_accepted')
  })

  test('401 without credentials', async () => {
    expectProblem(await t.anyone.get('/api/v1/me'), 401, 'unauthenticated')
  })
})

describe('PATCH /me', () => {
  test('200 changes name, locale, time zone and workspace, and nothing else', async () => {
    const owner = await withWorkspace(t)
    const before = (await owner.get('/api/v1/me')).body
    const change = {
      name: 'Ada Lovelace',
      locale: 'tr-TR',
      timezone: 'Europe/Istanbul',
      workspace_id: owner.workspace_id,
    }
    expect(expectStatus(await owner.patch('/api/v1/me', change), 200).body).toEqual({ ...before, ...change })
    expect((await owner.get('/api/v1/me')).body).toEqual({ ...before, ...change })
    expect(expectStatus(await owner.patch('/api/v1/me', { name: 'Ada' }), 200).body.locale).toBe('tr-TR')
  })

  test('a locale is stored in its canonical form, also at sign-up', async () => {
    const email = newAddress()
    await signUp(t, email, { locale: 'zh-hant-tw' })
    expect(await t.deps.db.selectFrom('user').select('locale').where('email', '=', email).execute()).toEqual([
      { locale: 'zh-Hant-TW' },
    ])
    const person = await signedIn(t)
    expect(expectStatus(await person.patch('/api/v1/me', { locale: 'en-gb' }), 200).body.locale).toBe('en-GB')
  })

  test('400 for each invalid field, with its pointer', async () => {
    const stranger = await withWorkspace(t)
    for (const [body, pointer, code] of [
      [{}, '', 'validation_failed'],
      [{ name: '' }, '/name', 'validation_failed'],
      [{ name: 'x'.repeat(81) }, '/name', 'validation_failed'],
      [{ locale: 'turkish!' }, '/locale', 'validation_failed'],
      [{ locale: 'zz-ZZ-zz' }, '/locale', 'validation_failed'],
      [{ timezone: 'Mars/Olympus' }, '/timezone', 'validation_failed'],
      [{ timezone: '' }, '/timezone', 'validation_failed'],
      [{ timezone: '+03:00' }, '/timezone', 'validation_failed'],
      [{ workspace_id: 'not-an-id' }, '/workspace_id', 'validation_failed'],
      [{ workspace_id: stranger.workspace_id }, '/workspace_id', 'validation_failed'],
      [{ email: 'other@example.com' }, '/email', 'read_only'],
      [{ is_instance_admin: true }, '/is_instance_admin', 'read_only'],
      [{ nickname: 'x' }, '/nickname', 'validation_failed'],
      [{ name: 'A\udc00' }, '/name', 'validation_failed'],
    ] as const)
      expectProblem(await ada.patch('/api/v1/me', body), 400, code, pointer)
    expect((await ada.get('/api/v1/me')).body).toMatchObject({ name: 'Ada', email: ada.email })
  })

  test('403 with a token, 401 without credentials', async () => {
    const token = await withToken(t, await withWorkspace(t))
    expectProblem(await token.patch('/api/v1/me', { name: 'Eve' }), 403, 'token_not_accepted')
    expectProblem(await t.anyone.patch('/api/v1/me', { name: 'Eve' }), 401, 'unauthenticated')
  })
})
