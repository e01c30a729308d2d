import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { invitationCalls, someone } from '../../../../test/invitations.ts'
import { mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { roles } from '../../../lib/http/roles.ts'

const DAY = 24 * 3600_000

let owner: WorkspaceOwner
const t = await testApp()
beforeEach(async () => {
  owner = await withWorkspace(t)
})

const { invite, invited, list, revoke, resend, preview, accept, tokenFor } = invitationCalls(() => ({ t, owner }))
const absent = '01890000-0000-7000-8000-000000000000'
/** Lets days pass for the invitations only, because sessions would expire. */
const ageInvitations = (days: number) =>
  sql`update invitation set expires_at = expires_at - make_interval(days => ${days})`.execute(t.deps.db)
const actionsOn = async (target_id: string) =>
  (
    await t.deps.db
      .selectFrom('audit_entry')
      .select('action')
      .where('target_id', '=', target_id)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('POST /workspace/invitations', () => {
  test('201 returns the invitation with its link, which is also in the mail, listed nowhere, and stored hashed', async () => {
    const email = someone()
    const { url, ...body } = await invited(email.toUpperCase())
    expect(body).toEqual({
      id: expect.any(String),
      email,
      role: 'author',
      state: 'pending',
      invited_by: owner.id,
      expires_at: new Date(t.clock.now().getTime() + 7 * DAY).toISOString(),
      created_at: expect.any(String),
    })
    expect(await list()).toEqual([body])
    const token = await tokenFor(email)
    expect(url).toBe(`http://meydan.test/invitation?token=${token}`)
    const { rows } = await sql<{
      row: string
    }>`select invitation::text as row from invitation where id = ${body.id}`.execute(t.deps.db)
    expect(rows[0]?.row).not.toContain(token)
    expect(rows[0]?.row).toContain(createHash('sha256').update(token).digest('base64url'))
    expect(JSON.stringify(await t.deps.db.selectFrom('audit_entry').select('details').execute())).not.toContain(token)
  })

  test('the mail names the inviter, the workspace, the role and the expiry, in the requested language', async () => {
    const { name } = (await owner.get('/api/v1/workspace')).body
    const email = someone()
    await invited(email, { role: 'editor', locale: 'en-gb' })
    const [mail] = await mailsTo(t, email)
    expect(mail).toMatchObject({ key: 'invitation', locale: 'en-GB', subject: `Ada invited you to ${name}` })
    expect(mail?.body_text).toMatch(/Your role: editor\./)
    expect(mail?.body_text).toMatch(/valid until \d+ \w+|valid until \w+ \d+/)
    const turkish = someone()
    await invited(turkish, { role: 'admin', locale: 'tr' })
    const [mektup] = await mailsTo(t, turkish)
    expect(mektup).toMatchObject({ locale: 'tr', subject: `Ada sizi ${name} çalışma alanına davet etti` })
    expect(mektup?.body_text).toMatch(/Rolünüz: yönetici\./)
  })

  test('the mail is in the language of a known recipient by default, else in that of the workspace', async () => {
    const known = await signedIn(t)
    await t.deps.db.updateTable('user').set({ locale: 'de' }).where('id', '=', known.id).execute()
    await invited(known.email)
    expect(await mailsTo(t, known.email)).toMatchObject([{ locale: 'de', to_name: 'Ada' }])
    expectStatus(await owner.patch('/api/v1/workspace', { locale: 'fr' }), 200)
    const email = someone()
    const body = await invited(email)
    expect(await mailsTo(t, email)).toMatchObject([{ locale: 'fr', to_name: '' }])
    // The response does not reveal whether the address has an account.
    expect(Object.keys(await invited((await signedIn(t)).email))).toEqual(Object.keys(body))
  })

  test('a repeated call with an Idempotency-Key returns the same invitation without its link', async () => {
    const send = () =>
      owner.call('POST', '/api/v1/workspace/invitations', {
        body: { email: 'repeated@example.com', role: 'author' },
        headers: { 'idempotency-key': 'repeated' },
      })
    const { url, ...first } = expectStatus(await send(), 201).body
    expect(url).toContain(await tokenFor('repeated@example.com'))
    expect(expectStatus(await send(), 201).body).toEqual({ ...first, url: null })
    const { rows } = await sql<{ answer: string }>`select answer from idempotency_key`.execute(t.deps.db)
    expect(rows.map(({ answer }) => answer).join()).not.toContain('invitation?token')
  })

  test('only the invited address can accept, also when its sender passes the link on', async () => {
    const guest = await signedIn(t)
    const { url } = await invited(guest.email)
    const token = new URL(url).searchParams.get('token') ?? ''
    expectProblem(await accept(await signedIn(t), token), 403, 'forbidden_role')
    expectProblem(await accept(owner, token), 403, 'forbidden_role')
    expectStatus(await accept(guest, token), 200)
  })

  test('400 for an invalid address, role or language', async () => {
    expectProblem(await invite('nobody'), 400, 'validation_failed', '/email')
    expectProblem(await invite('a@example.com\r\nBcc: b@example.com'), 400, 'validation_failed', '/email')
    expectProblem(await invite(someone(), { role: 'king' }), 400, 'validation_failed', '/role')
    expectProblem(await invite(someone(), { locale: 'zz-ZZ-zz' }), 400, 'validation_failed', '/locale')
    expectProblem(await invite(someone(), { token: 'x' }), 400, 'validation_failed', '/token')
  })

  test('403 for an admin who invites an owner, for members below admin, and for tokens', async () => {
    const admin = await memberOf(t, owner.workspace_id, 'admin')
    expectProblem(await invite(someone(), { role: 'owner' }, admin), 403, 'forbidden_role')
    expectStatus(await invite(someone(), { role: 'admin' }, admin), 201)
    const { id } = await invited(someone(), { role: 'owner' })
    expectProblem(await resend(id, admin), 403, 'forbidden_role')
    for (const role of roles.slice(0, 3)) {
      const member = await memberOf(t, owner.workspace_id, role)
      expectProblem(await invite(someone(), {}, member), 403, 'forbidden_role')
      expectProblem(await member.get('/api/v1/workspace/invitations'), 403, 'forbidden_role')
      expectProblem(await revoke(id, member), 403, 'forbidden_role')
      expectProblem(await resend(id, member), 403, 'forbidden_role')
    }
    const token = await withToken(t, owner)
    const response = await token.post('/api/v1/workspace/invitations', { email: someone(), role: 'viewer' })
    expectProblem(response, 403, 'token_not_accepted')
    expectProblem(await token.get('/api/v1/workspace/invitations'), 403, 'token_not_accepted')
  })

  test('403 limit_exceeded for more than 100 pending invitations', async () => {
    await sql`insert into invitation (workspace_id, email, role, locale, hashed_token, expires_at)
      select ${owner.workspace_id}::uuid, n || '@example.com', 'viewer', 'en', gen_random_uuid()::text,
        ${new Date(t.clock.now().getTime() + DAY)}::timestamptz from generate_series(1, 99) n`.execute(t.deps.db)
    const responses = await Promise.all(Array.from({ length: 5 }, () => invite(someone())))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403])
    const refused = expectProblem(await invite(someone()), 403, 'limit_exceeded')
    expect(refused).toMatchObject({ meter: 'invitations', limit: 100, used: 100 })
    const { id } = (await list('?limit=1'))[0]
    expectStatus(await revoke(id), 204)
    expectStatus(await invite(someone()), 201)
  })

  test('409 for a member and for an invited address, also for ten concurrent calls', async () => {
    const member = await memberOf(t, owner.workspace_id, 'viewer')
    expectProblem(await invite(member.email.toUpperCase()), 409, 'member_taken')
    const email = someone()
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => invite(index % 2 ? email : email.toUpperCase())),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
    for (const response of responses) if (response.status === 409) expectProblem(response, 409, 'invitation_taken')
    expect(await mailsTo(t, email)).toHaveLength(1)
    const other = await withWorkspace(t)
    expectStatus(await invite(email, {}, other), 201)
  })

  test('201 for an address whose invitation has expired', async () => {
    const email = someone()
    const { id } = await invited(email)
    const old = await tokenFor(email)
    await ageInvitations(7)
    expect((await list())[0]).toMatchObject({ id, state: 'expired' })
    const again = await invited(email, { role: 'viewer' })
    expect(await list()).toMatchObject([
      { id: again.id, state: 'pending' },
      { id, state: 'revoked' },
    ])
    expect((await preview(old)).body.state).toBe('revoked')
  })
})

describe('GET /workspace/invitations', () => {
  test('200 lists the invitations of this workspace by state, page by page', async () => {
    const [first, second] = [await invited(someone()), await invited(someone())]
    expectStatus(await revoke(first.id), 204)
    const ids = async (state: string) => (await list(`?state=${state}`)).map(({ id }: { id: string }) => id)
    expect(await ids('pending')).toEqual([second.id])
    expect(await ids('revoked')).toEqual([first.id])
    expect(await ids('accepted')).toEqual([])
    expect(await ids('expired')).toEqual([])
    await ageInvitations(7)
    expect(await ids('pending')).toEqual([])
    expect(await ids('expired')).toEqual([second.id])
    const { body } = await owner.get('/api/v1/workspace/invitations?limit=1')
    expect(body.data).toMatchObject([{ id: second.id }])
    expect(await list(`?cursor=${body.next_cursor}`)).toMatchObject([{ id: first.id }])
    const stranger = await withWorkspace(t)
    expect((await stranger.get('/api/v1/workspace/invitations')).body.data).toEqual([])
    for (const id of [first.id, absent]) {
      expectProblem(await revoke(id, stranger), 404, 'not_found')
      expectProblem(await resend(id, stranger), 404, 'not_found')
    }
    expectProblem(await owner.get('/api/v1/workspace/invitations?state=open'), 400, 'validation_failed', '/state')
  })
})

describe('invitations', () => {
  test('a revoked invitation cannot be accepted, and revoking it again changes nothing', async () => {
    const guest = await signedIn(t)
    const { id } = await invited(guest.email)
    const token = await tokenFor(guest.email)
    for (let time = 0; time < 2; time++) expectStatus(await revoke(id), 204)
    expect(expectProblem(await accept(guest, token), 409, 'invalid_transition').state).toBe('revoked')
    expect(expectProblem(await resend(id), 409, 'invalid_transition').state).toBe('revoked')
    expect(await actionsOn(id)).toEqual(['invitation.created', 'invitation.revoked'])
    expectStatus(await invite(guest.email), 201)
  })

  test('sending an invitation again replaces its link and extends it to another 7 days', async () => {
    const guest = await signedIn(t)
    const { id } = await invited(guest.email)
    const old = await tokenFor(guest.email)
    await ageInvitations(8)
    expect(expectProblem(await accept(guest, old), 409, 'invalid_transition').state).toBe('expired')
    const { url, ...body } = expectStatus(await resend(id), 200).body
    expect(url).toBe(`http://meydan.test/invitation?token=${await tokenFor(guest.email)}`)
    expect(body).toMatchObject({
      id,
      state: 'pending',
      expires_at: new Date(t.clock.now().getTime() + 7 * DAY).toISOString(),
    })
    expect(await list()).toEqual([body])
    expectProblem(await preview(old), 404, 'not_found')
    expectProblem(await accept(guest, old), 404, 'not_found')
    expect(await mailsTo(t, guest.email)).toHaveLength(2)
    expectStatus(await accept(guest, await tokenFor(guest.email)), 200)
    expect(expectProblem(await resend(id), 409, 'invalid_transition').state).toBe('accepted')
    expect(expectProblem(await revoke(id), 409, 'invalid_transition').state).toBe('accepted')
    expect(await actionsOn(id)).toEqual(['invitation.created', 'invitation.resent', 'invitation.accepted'])
  })

  test('anybody with the link can read the invitation', async () => {
    const { name } = (await owner.get('/api/v1/workspace')).body
    const email = someone()
    const { expires_at } = await invited(email, { role: 'editor' })
    expect(expectStatus(await preview(await tokenFor(email)), 200).body).toEqual({
      workspace_name: name,
      inviter_name: 'Ada',
      email,
      role: 'editor',
      state: 'pending',
      expires_at,
    })
    expectProblem(await preview('x'.repeat(43)), 404, 'not_found')
    expectProblem(await preview('x'), 400, 'validation_failed', '/token')
  })

  test('an invitation from a deleted user shows no name', async () => {
    const email = someone()
    await invited(email)
    await sql`update invitation set invited_by = null where email = ${email}`.execute(t.deps.db)
    expect((await preview(await tokenFor(email))).body.inviter_name).toBeNull()
  })
})

describe('POST /invitations/:token/accept', () => {
  test('200 returns the workspace, gives the role and emits an event', async () => {
    const { body: hook } = expectStatus(
      await owner.post('/api/v1/webhooks', { url: 'http://127.0.0.1:1/', events: ['team.invitation.accepted'] }),
      201,
    )
    const guest = await signedIn(t)
    const { id } = await invited(guest.email, { role: 'editor' })
    const { body, headers } = expectStatus(await accept(guest, await tokenFor(guest.email)), 200)
    expect(body).toMatchObject({ id: owner.workspace_id, role: 'editor' })
    expect(headers.get('etag')).toBe((await owner.get('/api/v1/workspace')).headers.get('etag'))
    expect((await guest.get('/api/v1/workspace')).body).toEqual(body)
    expect((await list())[0]).toMatchObject({ id, state: 'accepted' })

    const { rows } = await sql<{ payload: string }>`
      select payload from event join delivery on delivery.event_id = event.id
      where webhook_id = ${hook.id}`.execute(t.deps.db)
    const { data, type } = JSON.parse(rows[0]?.payload ?? '')
    expect([rows.length, type]).toEqual([1, 'team.invitation.accepted'])
    expect(data).toEqual({
      invitation: { ...(await list())[0] },
      inviter: { id: owner.id, name: 'Ada', email: owner.email },
      member: (await owner.get(`/api/v1/workspace/members/${guest.id}`)).body,
    })
  })

  test('one of ten concurrent calls gets 200, and the others 409 with the state', async () => {
    const guest = await signedIn(t)
    await invited(guest.email)
    const token = await tokenFor(guest.email)
    const responses = await Promise.all(Array.from({ length: 10 }, () => accept(guest, token)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    for (const response of responses)
      if (response.status === 409) expect(expectProblem(response, 409, 'invalid_transition').state).toBe('accepted')
  })

  test('accepting and revoking at the same time ends with one of the two', async () => {
    for (let round = 0; round < 5; round++) {
      const guest = await signedIn(t)
      const { id } = await invited(guest.email)
      const [accepted, revoked] = await Promise.all([accept(guest, await tokenFor(guest.email)), revoke(id)])
      expect([accepted.status, revoked.status].sort()).toEqual(accepted.status === 200 ? [200, 409] : [204, 409])
      const isMember = (await guest.get('/api/v1/workspace', { 'x-workspace-id': owner.workspace_id })).status === 200
      expect(isMember).toBe(accepted.status === 200)
    }
  })

  test('401 without credentials, 403 for another address, for an unverified one and for tokens', async () => {
    const [guest, other] = [await signedIn(t), await signedIn(t)]
    await invited(guest.email)
    const token = await tokenFor(guest.email)
    expectProblem(await accept(t.anyone, token), 401, 'unauthenticated')
    expect(expectProblem(await accept(other, token), 403, 'forbidden_role').detail).toMatch(/another e-mail address/)
    expectProblem(await accept(await withToken(t, await withWorkspace(t)), token), 403, 'token_not_accepted')
    const proven = (email_verified: boolean) =>
      t.deps.db.updateTable('user').set({ email_verified }).where('id', '=', guest.id).execute()
    await proven(false)
    expectProblem(await accept(guest, token), 403, 'forbidden_role')
    await proven(true)
    expectStatus(await accept(guest, token), 200)
  })

  test('404 for an unknown link', async () => {
    expectProblem(await accept(owner, 'x'.repeat(43)), 404, 'not_found')
  })

  test('409 member_taken for a user who became a member in another way', async () => {
    const guest = await signedIn(t)
    const { id } = await invited(guest.email)
    const { workspace_id } = owner
    await t.deps.db.insertInto('workspace_member').values({ workspace_id, user_id: guest.id, role: 'viewer' }).execute()
    expectProblem(await accept(guest, await tokenFor(guest.email)), 409, 'member_taken')
    expectProblem(await resend(id), 409, 'member_taken')
    expect((await list())[0].state).toBe('pending')
  })
})
