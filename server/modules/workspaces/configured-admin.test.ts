import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, newAddress, signedIn } from '../../../test/factories.ts'
import { passwordOf, signIn, signUp, userOf } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { ensureConfiguredAdmin } from './setup.ts'

const t = await testApp()

const DAY = 86_400_000

describe('the admin named by ADMIN_EMAIL', () => {
  const configured = (email: string) => ({
    ...t.deps,
    config: { ...t.deps.config, ADMIN_EMAIL: email, ADMIN_PASSWORD: 'password of the admin' },
  })

  test('the admin is created when no such user exists, and can sign in', async () => {
    const email = newAddress()
    await ensureConfiguredAdmin(configured(email))
    await ensureConfiguredAdmin(configured(email))
    expectStatus(await signIn(t, email, 'password of the admin'), 200)
    expect(await userOf(t, email)).toMatchObject({ is_instance_admin: true, email_verified: true })
  })

  test('a verified user becomes instance admin and keeps password and sessions', async () => {
    const person = await signedIn(t)
    await ensureConfiguredAdmin(configured(person.email))
    expect(expectStatus(await person.get('/api/v1/me'), 200).body.is_instance_admin).toBe(true)
    expectStatus(await signIn(t, person.email), 200)
    expectProblem(await signIn(t, person.email, 'password of the admin'), 401, 'sign_in_failed')
  })

  test('an unverified user becomes instance admin with this password and loses all sessions', async () => {
    const email = newAddress()
    await signUp(t, email)
    const { id } = await userOf(t, email)
    const session = { user_id: id, token: randomBytes(16).toString('hex'), expires_at: new Date(Date.now() + DAY) }
    await t.deps.db.insertInto('session').values(session).execute()
    await ensureConfiguredAdmin(configured(email))
    expect(await t.deps.db.selectFrom('session').select('id').where('user_id', '=', id).execute()).toEqual([])
    expectProblem(await signIn(t, email), 401, 'sign_in_failed')
    expectStatus(await signIn(t, email, 'password of the admin'), 200)
    expect(await userOf(t, email)).toMatchObject({ id, is_instance_admin: true, email_verified: true })
  })

  test('nodes that start at the same time create the admin once', async () => {
    const email = newAddress()
    await Promise.all(Array.from({ length: 5 }, () => ensureConfiguredAdmin(configured(email))))
    expect(await passwordOf(t, email)).toHaveLength(1)
    expectStatus(await signIn(t, email, 'password of the admin'), 200)
  })
})
