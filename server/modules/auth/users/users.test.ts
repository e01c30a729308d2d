import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  newAddress,
  PASSWORD,
  type Person,
  signedIn,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { actionsOf, auditOf, challenged, requestReset, totp, withTwoFactor } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const root = await signedIn(t, { instanceAdmin: true })

const signIn = (email: string, password = PASSWORD) => t.anyone.post('/api/auth/sign-in/email', { email, password })
const ban = (admin: Person, { id }: { id: string }, body: object = {}) =>
  admin.post(`/api/v1/admin/users/${id}/ban`, body)
const unban = (admin: Person, { id }: { id: string }) => admin.post(`/api/v1/admin/users/${id}/unban`)

describe('GET /admin/users', () => {
  test('200 lists all users, newest first, and searches in address and name', async () => {
    const owner = await withWorkspace(t)
    const { body } = expectStatus(await root.get('/api/v1/admin/users?limit=1'), 200)
    expect(body.data).toEqual([
      {
        id: owner.id,
        email: owner.email,
        name: 'Ada',
        email_verified: true,
        is_instance_admin: false,
        two_factor_enabled: false,
        banned_at: null,
        ban_reason: null,
        created_at: expect.any(String),
        workspaces: 1,
      },
    ])
    expect(body.next_cursor).not.toBeNull()
    const person = await signedIn(t, { name: 'Gráinne 100%_x' })
    for (const search of [person.email.slice(2, 9).toUpperCase(), 'gráinne', '100%_X'])
      expect(
        (await root.get(`/api/v1/admin/users?search=${encodeURIComponent(search)}`)).body.data.map(
          ({ id }: Person) => id,
        ),
      ).toEqual([person.id])
    expect((await root.get('/api/v1/admin/users?search=%25_%25')).body.data).toEqual([])
  })

  test('the search takes I, İ, ı and i for one letter, and letters with and without marks', async () => {
    const people = []
    for (const name of ['IŞIK Usta', 'Işık Usta', 'ışık usta', 'isik usta']) people.push(await signedIn(t, { name }))
    const ids = people.map(({ id }) => id).toSorted()
    for (const search of ['isik usta', 'IŞIK USTA', 'ışık', 'İşık ustA']) {
      const { data } = expectStatus(
        await root.get(`/api/v1/admin/users?search=${encodeURIComponent(search)}`),
        200,
      ).body
      expect(data.map(({ id }: Person) => id).toSorted(), search).toEqual(ids)
    }
  })

  test('403 for all other users, whatever their role in a workspace', async () => {
    const owner = await withWorkspace(t)
    expectProblem(await owner.get('/api/v1/admin/users'), 403, 'forbidden_role')
    expectProblem(await ban(owner, root), 403, 'forbidden_role')
    expectProblem(await (await withToken(t, owner)).get('/api/v1/admin/users'), 403, 'token_not_accepted')
  })
})

describe('bans', () => {
  test('a ban ends sessions, refuses tokens, and is shown only with the right password; unbanning restores access', async () => {
    const person = await withWorkspace(t)
    const token = await withToken(t, person)
    expectStatus(await token.get('/api/v1/me'), 200)
    const { body } = expectStatus(await ban(root, person, { reason: 'spam' }), 200)
    expect(body).toMatchObject({ id: person.id, ban_reason: 'spam', banned_at: t.clock.now().toISOString() })
    expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await token.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await signIn(person.email, 'not the password'), 401, 'sign_in_failed')
    const refused = await signIn(person.email)
    expectProblem(refused, 403, 'banned')
    expect(refused.headers.getSetCookie()).toEqual([])
    const sessions = () => t.deps.db.selectFrom('session').select('id').where('user_id', '=', person.id).execute()
    expect(await sessions()).toEqual([])

    expect(expectStatus(await unban(root, person), 200).body).toMatchObject({ banned_at: null, ban_reason: null })
    expect(await sessions()).toEqual([])
    expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
    expectStatus(await token.get('/api/v1/me'), 200)
    expectStatus(await signIn(person.email), 200)
    const entries = (await auditOf(t, root.id)).filter(({ target_id }) => target_id === person.id)
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['user.banned', { reason: 'spam' }],
      ['user.unbanned', {}],
    ])
    expect((await auditOf(t, person.id)).at(-2)).toMatchObject({
      action: 'user.sign_in_failed',
      details: { reason: 'banned' },
    })
  })

  test('200 for banning or unbanning twice, and the second call changes nothing', async () => {
    const person = await signedIn(t)
    const first = expectStatus(await ban(root, person, { reason: 'first' }), 200).body
    expect(expectStatus(await ban(root, person, { reason: 'second' }), 200).body).toEqual(first)
    expectStatus(await unban(root, person), 200)
    expectStatus(await unban(root, person), 200)
  })

  test('a banned user gets 403 banned with the right second factor, and the usual error with a wrong one', async () => {
    const { person, uri } = await withTwoFactor(t, await signedIn(t))
    const [first, second] = [await challenged(t, person.email), await challenged(t, person.email)]
    expectStatus(await ban(root, person), 200)
    const path = '/api/auth/two-factor/verify-totp'
    expectProblem(await first.post(path, { code: '000000' === totp(uri) ? '000001' : '000000' }), 400, 'code_rejected')
    expectProblem(await second.post(path, { code: totp(uri) }), 403, 'banned')
    expect(await t.deps.db.selectFrom('session').select('id').where('user_id', '=', person.id).execute()).toEqual([])
  })

  test('a password reset does not circumvent a ban', async () => {
    const person = await signedIn(t)
    expectStatus(await ban(root, person), 200)
    const known = await requestReset(t, person.email)
    const unknown = await requestReset(t, newAddress())
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    const mail = await t.deps.db
      .selectFrom('mail')
      .select('body_text')
      .where('to_address', '=', person.email)
      .executeTakeFirstOrThrow()
    const token = /token=([\w-]+)/.exec(mail.body_text)?.[1]
    const reset = { token, newPassword: 'a brand new password' }
    expectStatus(await t.anyone.post('/api/auth/reset-password', reset), 200)
    expectProblem(await signIn(person.email, 'a brand new password'), 403, 'banned')
  })

  test('a sign-in during the ban leaves no session', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => signedIn(t)))
    await Promise.all(people.flatMap((person) => [signIn(person.email), ban(root, person), signIn(person.email)]))
    for (const { id } of people)
      expect(await t.deps.db.selectFrom('session').select('id').where('user_id', '=', id).execute()).toEqual([])
  })

  test('409 for banning oneself, and one of two admins who ban each other at the same time stays', async () => {
    expect(expectProblem(await ban(root, root), 409, 'invalid_transition').state).toBe('signed_in')
    const [one, two] = [await signedIn(t, { instanceAdmin: true }), await signedIn(t, { instanceAdmin: true })]
    const responses = await Promise.all([ban(one, two), ban(two, one)])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const rows = await t.deps.db.selectFrom('user').select('banned_at').where('id', 'in', [one.id, two.id]).execute()
    expect(rows.filter(({ banned_at }) => banned_at === null)).toHaveLength(1)
  })

  test('an admin who bans the only other one while deleting their own account leaves exactly one instance admin', async () => {
    for (let round = 0; round < 5; round++) {
      const own = await testApp()
      try {
        const [one, two] = [await signedIn(own, { instanceAdmin: true }), await signedIn(own, { instanceAdmin: true })]
        await Promise.all([
          one.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } }),
          one.post(`/api/v1/admin/users/${two.id}/ban`, {}),
        ])
        const admins = await own.deps.db
          .selectFrom('user')
          .select('id')
          .where('is_instance_admin', '=', true)
          .where('banned_at', 'is', null)
          .execute()
        expect(admins).toHaveLength(1)
      } finally {
        await own.close()
      }
    }
  })

  test('404 for an unknown id', async () => {
    const nobody = { id: '019a0000-0000-7000-8000-000000000000' }
    expectProblem(await ban(root, nobody), 404, 'not_found')
    expectProblem(await unban(root, nobody), 404, 'not_found')
    expect(await actionsOf(t, nobody.id)).toEqual([])
  })
})
