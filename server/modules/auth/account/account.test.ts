import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  newAddress,
  PASSWORD,
  type Person,
  signedIn,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import {
  actionsOf,
  auditOf,
  mailedCode,
  mailedToken,
  mailsTo,
  requestReset,
  withCookies,
} from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { until } from '../../../../test/until.ts'
import { inTransaction } from '../../../lib/db/database.ts'

const t = await testApp()
// Keeps tests from having the last instance admin by chance.
await signedIn(t, { instanceAdmin: true })

const signIn = (email: string, password = PASSWORD) => t.anyone.post('/api/auth/sign-in/email', { email, password })
const remove = (person: Pick<Person, 'call'>, password = PASSWORD) =>
  person.call('DELETE', '/api/v1/me', { body: { password } })
const isThere = async ({ id }: { id: string }) =>
  (await t.deps.db.selectFrom('user').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

describe('POST /me/password', () => {
  const change = (person: Pick<Person, 'post'>, current_password: string, new_password: string) =>
    person.post('/api/v1/me/password', { current_password, new_password })

  test('changing the password ends other sessions and mailed reset links, and keeps this session', async () => {
    const person = await signedIn(t)
    const other = withCookies(t, expectStatus(await signIn(person.email), 200))
    await requestReset(t, person.email)
    const token = await mailedToken(t, person.email)
    expectStatus(await change(person, PASSWORD, 'another good password'), 204)
    expectStatus(await person.get('/api/v1/me'), 200)
    expectProblem(await other.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await signIn(person.email), 401, 'sign_in_failed')
    expectStatus(await signIn(person.email, 'another good password'), 200)
    const reset = { token, newPassword: 'by the old link' }
    expectProblem(await t.anyone.post('/api/auth/reset-password', reset), 400, 'verification_failed')
    expect(await actionsOf(t, person.id)).toContain('user.password_changed')
  })

  test('403 for a wrong password, which changes nothing, 400 for a short one, and 403 for a token', async () => {
    const person = await withWorkspace(t)
    expectProblem(await change(person, 'not the password', 'another good password'), 403, 'password_wrong')
    expectProblem(await change(person, PASSWORD, 'short'), 400, 'validation_failed', '/new_password')
    const token = await withToken(t, person)
    expectProblem(await change(token, PASSWORD, 'another good password'), 403, 'token_not_accepted')
    expectStatus(await signIn(person.email), 200)
  })

  test('one of ten concurrent changes of the same password succeeds', async () => {
    const person = await signedIn(t)
    const passwords = Array.from({ length: 10 }, (_, index) => `new password number ${index}`)
    const responses = await Promise.all(passwords.map((password) => change(person, PASSWORD, password)))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(403)])
    const winner = passwords[responses.findIndex(({ status }) => status === 204)] ?? ''
    expectStatus(await signIn(person.email, winner), 200)
  })
})

test('each change of /me changes its ETag, and a stale If-Match gets 412', async () => {
  const person = await signedIn(t)
  const etag = expectStatus(await person.get('/api/v1/me'), 200).headers.get('etag') ?? ''
  const changed = expectStatus(await person.patch('/api/v1/me', { name: 'Ada L.' }, { 'if-match': etag }), 200)
  expect(changed.headers.get('etag')).not.toBe(etag)
  expectProblem(await person.patch('/api/v1/me', { name: 'Stale' }, { 'if-match': etag }), 412, 'version_conflict')
  expect((await person.get('/api/v1/me')).body.name).toBe('Ada L.')
  const edits = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      person.patch('/api/v1/me', { name }, { 'if-match': changed.headers.get('etag') ?? '' }),
    ),
  )
  expect(edits.map(({ status }) => status).sort()).toEqual([200, 412, 412])
})

describe('workspace_id of /me', () => {
  test('changing workspace_id invalidates the access caches of all nodes, and other changes of /me do not', async () => {
    const person = await withWorkspace(t)
    const second = expectStatus(await person.post('/api/v1/workspaces', { name: `Second of ${person.id}` }), 201).body
      .id
    let received: unknown[] = []
    t.deps.invalidationBus.onInvalidate((message) => received.push(message))
    /** Returns the announcements so far. They arrive at the commit and again from PostgreSQL, in the same order. */
    const announced = async () => {
      await inTransaction(t.deps.db, (tx) => t.deps.invalidationBus.invalidate(tx, 'keys'))
      await until(() => expect(received.filter((kind) => kind === 'keys')).toHaveLength(2))
      const kinds = new Set(received)
      received = []
      return [...kinds].filter((kind) => kind !== 'keys')
    }
    await announced()
    const choose = (workspace_id: string) => person.patch('/api/v1/me', { workspace_id })
    expect(expectStatus(await choose(second), 200).body.workspace_id).toBe(second)
    expect(await announced()).toEqual(['access'])
    expect(expectStatus(await choose(second.toUpperCase()), 200).body.workspace_id).toBe(second)
    expectStatus(await person.patch('/api/v1/me', { locale: 'tr' }), 200)
    expect(await announced()).toEqual([])
  })

  test('workspace_id is null while the chosen workspace is deleted', async () => {
    const person = await withWorkspace(t)
    expectStatus(await person.patch('/api/v1/me', { workspace_id: person.workspace_id }), 200)
    const { name } = expectStatus(await person.get('/api/v1/workspace'), 200).body
    expectStatus(await person.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    expect(expectStatus(await person.get('/api/v1/me'), 200).body.workspace_id).toBeNull()
    expect(expectStatus(await person.patch('/api/v1/me', { name: 'Ada L.' }), 200).body.workspace_id).toBeNull()
    expectStatus(await person.post(`/api/v1/workspaces/${person.workspace_id}/restore`), 200)
    expect(expectStatus(await person.get('/api/v1/me'), 200).body.workspace_id).toBe(person.workspace_id)
  })
})

describe('GET /me/export', () => {
  test('200 returns one document with all personal data and no secret', async () => {
    const person = await withWorkspace(t)
    const token = await withToken(t, person)
    await t.deps.db
      .insertInto('post')
      .values({ workspace_id: person.workspace_id, author_id: person.id, content: 'What I “wrote”', status: 'draft' })
      .execute()
    const response = expectStatus(await person.get('/api/v1/me/export'), 200)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="meydan-export.json"')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { body } = response
    expect(Object.keys(body)).toEqual([
      'exported_at',
      'profile',
      'memberships',
      'email_change',
      'sessions',
      'api_tokens',
      'audit_log',
      'posts',
      'post_comments',
      'post_versions',
      'recurring_posts',
      'account_groups',
      'snippets',
      'calendar_feeds',
      'calendar_notes',
      'media',
      'agents',
      'agent_sources',
      'agent_rules',
      'recipes',
      'recipe_reports',
      'gigs',
      'signature',
      'orders',
      'order_messages',
      'order_reviews',
      'gig_reports',
      'webhooks',
      'invitations',
      'mails',
      'notifications',
      'notification_settings',
      'push_subscriptions',
      'subscriptions',
      'payments',
      'invoices',
      'payout_accounts',
      'payouts',
    ])
    expect(body.profile).toMatchObject({ id: person.id, email: person.email, email_verified: true })
    expect(body.memberships).toMatchObject([{ workspace_id: person.workspace_id, role: 'owner' }])
    expect(body.sessions).toHaveLength(1)
    expect(body.api_tokens).toMatchObject([{ id: token.id }])
    expect(body.posts).toMatchObject([{ content: 'What I “wrote”' }])
    expect(body.audit_log.map(({ action }: { action: string }) => action)).toEqual([
      'workspace.created',
      'token.created',
      'user.exported',
    ])
    const sessions = await t.deps.db.selectFrom('session').select('token').where('user_id', '=', person.id).execute()
    const text = JSON.stringify(body)
    expect(text).not.toContain(sessions[0]?.token)
    expect(text).not.toContain(token.token)
    expect(text).not.toMatch(/hashed|"password":/)
  })

  test('200 includes webhooks, invitations, mails and a pending email change, without their secrets and codes', async () => {
    const person = await withWorkspace(t)
    const [guest, next] = [await signedIn(t), newAddress()]
    const made = await person.post('/api/v1/webhooks', { url: 'https://hooks.example/in', events: ['post.published'] })
    const { secret } = expectStatus(made, 201).body
    const invite = (email: string) => person.post('/api/v1/workspace/invitations', { email, role: 'viewer' })
    expectStatus(await invite(guest.email), 201)
    const mail = (await mailsTo(t, guest.email)).at(-1)
    const link = /invitation\?token=([\w-]+)/.exec(mail?.body_text ?? '')?.[1]
    expectStatus(await guest.post(`/api/v1/invitations/${link}/accept`), 200)
    expectStatus(await person.post('/api/v1/me/email', { email: next, password: PASSWORD }), 202)
    const code = await mailedCode(t, person.email)

    const { body } = expectStatus(await person.get('/api/v1/me/export'), 200)
    expect(body.email_change).toMatchObject({ email: next })
    expect(body.webhooks).toMatchObject([{ url: 'https://hooks.example/in', active: true }])
    expect(body.invitations).toMatchObject([
      { email: guest.email, role: 'viewer', state: 'accepted', sent: true, accepted: false },
    ])
    expect(body.mails).toMatchObject([
      { key: 'email-change', state: 'kept', subject: '****** is your code to change your Meydan email address' },
    ])
    expect(secret).toMatch(/\S{20}/)
    for (const hidden of [secret, code, link]) expect(JSON.stringify(body)).not.toContain(hidden)

    const theirs = expectStatus(await guest.get('/api/v1/me/export'), 200).body
    expect(theirs.invitations).toMatchObject([{ state: 'accepted', sent: false, accepted: true }])
    expect(theirs.mails).toMatchObject([{ key: 'invitation', subject: mail?.subject }])
    expect(JSON.stringify(theirs)).not.toContain(link)
  })

  test('200 leaves out what the user wrote for a workspace that they have left', async () => {
    const owner = await withWorkspace(t)
    const person = await memberOf(t, owner.workspace_id, 'author')
    const { body: post } = expectStatus(await person.post('/api/v1/posts', { content: 'As an author' }), 201)
    expect((await person.get('/api/v1/me/export')).body.posts).toHaveLength(1)
    expectStatus(await owner.delete(`/api/v1/workspace/members/${person.id}`), 204)
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { content: 'What others made of it' }), 200)
    expect((await person.get('/api/v1/me/export')).body.posts).toEqual([])
  })

  test('429 when the export exceeds the limit of sign-in attempts', async () => {
    const own = await testApp({ RATE_LIMIT_AUTH: '3' })
    try {
      const person = await signedIn(own)
      own.advance(61_000)
      for (let time = 0; time < 3; time++) expectStatus(await person.get('/api/v1/me/export'), 200)
      expectProblem(await person.get('/api/v1/me/export'), 429, 'too_many_requests')
    } finally {
      await own.close()
    }
  })

  test('200 lists every record once when they are read in several parts, and none of other users', async () => {
    const [person, other] = [await withWorkspace(t), await withWorkspace(t)]
    for (const { workspace_id, id } of [person, other])
      await t.deps.db
        .insertInto('post')
        .values(
          Array.from({ length: 1203 }, (_, index) => ({
            workspace_id,
            author_id: id,
            content: `post ${index}`,
            status: 'draft' as const,
          })),
        )
        .execute()
    const { body } = expectStatus(await person.get('/api/v1/me/export'), 200)
    expect(new Set(body.posts.map(({ content }: { content: string }) => content)).size).toBe(1203)
    expect(body.posts).toHaveLength(1203)
    expect(new Set(body.posts.map(({ workspace_id }: { workspace_id: string }) => workspace_id))).toEqual(
      new Set([person.workspace_id]),
    )
  })
})

describe('DELETE /me', () => {
  test('204 deletes the account with its sessions, tokens and mails, and removes personal data from its audit entries', async () => {
    const owner = await withWorkspace(t)
    const person = await memberOf(t, owner.workspace_id, 'editor')
    const token = await withToken(t, person)
    await requestReset(t, person.email)
    expect((await auditOf(t, person.id))[0]).toMatchObject({ ip: '127.0.0.1' })
    expectProblem(await remove(person, 'not the password'), 403, 'password_wrong')
    expect(await isThere(person)).toBe(true)
    expectStatus(await remove(person), 204)
    expect(await isThere(person)).toBe(false)
    expectProblem(await person.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await token.get('/api/v1/me'), 401, 'unauthenticated')
    expectProblem(await signIn(person.email), 401, 'sign_in_failed')
    expect(await mailsTo(t, person.email)).toEqual([])
    const entries = await auditOf(t, person.id)
    expect(entries.at(-1)?.action).toBe('user.deleted')
    for (const { ip, user_agent, details, action } of entries)
      expect({ ip, user_agent, details }).toEqual({
        ip: null,
        user_agent: null,
        details: action === 'member.left' ? { before: { role: 'editor' } } : {},
      })
    expect(entries.filter(({ action }) => action === 'member.left')).toMatchObject([
      { workspace_id: owner.workspace_id, target_id: person.id },
    ])
    const log = expectStatus(await owner.get('/api/v1/workspace/audit-log?action=member.left'), 200).body.data
    expect(log).toMatchObject([{ actor: { id: person.id, name: null, email: null }, target_id: person.id }])
    expect((await auditOf(t, owner.id))[0]).toMatchObject({ ip: '127.0.0.1' })
    expectStatus(await owner.get('/api/v1/workspace'), 200)
  })

  test('audit entries about what others did to the deleted user stay unchanged', async () => {
    const owner = await withWorkspace(t)
    const person = await memberOf(t, owner.workspace_id, 'editor')
    expectStatus(await owner.patch(`/api/v1/workspace/members/${person.id}`, { role: 'admin' }), 200)
    const given = async () => (await auditOf(t, owner.id)).filter(({ action }) => action === 'member.role_changed')
    const before = await given()
    expect(before).toMatchObject([{ ip: '127.0.0.1', details: { after: { role: 'admin' } }, target_id: person.id }])
    expectStatus(await remove(person), 204)
    expect(await given()).toEqual(before)
  })

  test('writes to the workspace do not wait while an account is deleted', async () => {
    const owner = await withWorkspace(t)
    const person = await memberOf(t, owner.workspace_id, 'editor')
    const removed = await inTransaction(t.deps.db, async (tx) => {
      // Blocks the deletion while it holds the workspace lock.
      await tx.selectFrom('user').select('id').where('id', '=', person.id).forShare().execute()
      const response = remove(person)
      await until(async () => {
        const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database() and query like '%for update%'`.execute(t.deps.db)
        expect(rows).toHaveLength(1)
      })
      expectStatus(await owner.post('/api/v1/posts', { content: 'Meanwhile' }), 201)
      return { response }
    })
    expectStatus(await removed.response, 204)
  })

  test('a sign-in during the deletion fails, or its session ends with the account', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await signedIn(t)
      const [removed, response] = await Promise.all([remove(person), signIn(person.email)])
      expectStatus(removed, 204)
      if (response.status !== 200) expectProblem(response, 401, 'sign_in_failed')
      else expectProblem(await withCookies(t, response).get('/api/v1/me'), 401, 'unauthenticated')
    }
  })

  test('409 last_owner while a workspace would be left without an owner, and the response names it', async () => {
    const person = await withWorkspace(t)
    await memberOf(t, person.workspace_id, 'admin')
    const { name } = (await person.get('/api/v1/workspace')).body
    const refused = expectProblem(await remove(person), 409, 'last_owner')
    expect(refused.detail).toContain(name)
    expect(refused.workspace_ids).toEqual([person.workspace_id])
    expect(await isThere(person)).toBe(true)
    await memberOf(t, person.workspace_id, 'owner')
    expectStatus(await remove(person), 204)
  })

  test('one of three owners who delete their accounts at the same time stays', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await withWorkspace(t)
      const owners = [
        first,
        await memberOf(t, first.workspace_id, 'owner'),
        await memberOf(t, first.workspace_id, 'owner'),
      ]
      const responses = await Promise.all(owners.map((owner) => remove(owner)))
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 204, 409])
      expect(await Promise.all(owners.map(isThere))).toContain(true)
    }
  })

  test('409 last_owner when a workspace is created at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await signedIn(t)
      const [removed, made] = await Promise.all([
        remove(person),
        person.post('/api/v1/workspaces', { name: `Made by ${person.id}` }),
      ])
      if (made.status === 201) expectProblem(removed, 409, 'last_owner')
      else expectStatus(removed, 204)
      expect(await isThere(person)).toBe(made.status === 201)
    }
  })

  test('the last instance admin cannot delete the account, also when two do so at the same time', async () => {
    const own = await testApp()
    try {
      const root = await signedIn(own, { instanceAdmin: true })
      expect(expectProblem(await remove(root), 409, 'invalid_transition').state).toBe('last_instance_admin')
      const second = await signedIn(own, { instanceAdmin: true })
      const responses = await Promise.all([remove(root), remove(second)])
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 409])
    } finally {
      await own.close()
    }
  })

  test('403 for tokens', async () => {
    const token = await withToken(t, await withWorkspace(t))
    expectProblem(await remove(token), 403, 'token_not_accepted')
    expectProblem(await token.get('/api/v1/me/export'), 403, 'token_not_accepted')
  })
})
