import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  PASSWORD,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../test/factories.ts'
import { invitationCalls, someone } from '../../../../test/invitations.ts'
import { expectProblem } from '../../../../test/problem.ts'

let owner: WorkspaceOwner
const t = await testApp()
beforeEach(async () => {
  owner = await withWorkspace(t)
})

const { invite, invited, list, resend, accept, tokenFor } = invitationCalls(() => ({ t, owner }))

const entriesOn = (ids: string[]) =>
  t.deps.db
    .selectFrom('audit_entry')
    .select(['target_id', 'actor_id', 'details'])
    .where('action', '=', 'invitation.revoked')
    .where('target_id', 'in', ids)
    .orderBy('id')
    .execute()
const member = (id: string) => `/api/v1/workspace/members/${id}`

test.each(['removed', 'gone', 'lowered', 'deleted'])('an invitation is revoked when its sender is %s', async (how) => {
  const admin = await memberOf(t, owner.workspace_id, 'admin')
  const [guest, other] = [await signedIn(t), await signedIn(t)]
  const { id } = expectStatus(await invite(guest.email, {}, admin), 201).body
  const token = await tokenFor(guest.email)
  const kept = await invited(other.email)
  const password = PASSWORD
  if (how === 'removed') expectStatus(await owner.delete(member(admin.id)), 204)
  if (how === 'gone') expectStatus(await admin.delete(member(admin.id)), 204)
  if (how === 'lowered') expectStatus(await owner.patch(member(admin.id), { role: 'editor' }), 200)
  if (how === 'deleted') expectStatus(await admin.call('DELETE', '/api/v1/me', { body: { password } }), 204)
  expect(expectProblem(await accept(guest, token), 409, 'invalid_transition').state).toBe('revoked')
  expect(await list()).toMatchObject([
    { id: kept.id, state: 'pending' },
    { id, state: 'revoked' },
  ])
  const actor_id = ['removed', 'lowered'].includes(how) ? owner.id : admin.id
  // When the account is deleted, the entry keeps only who did what.
  const details = how === 'deleted' ? {} : { before: { state: 'pending', email: guest.email, role: 'author' } }
  expect(await entriesOn([id, kept.id])).toEqual([{ target_id: id, actor_id, details }])
  expectStatus(await invite(guest.email), 201)
})

test('an invitation to become an owner is revoked when its sender stops being an owner, others when the sender is below admin', async () => {
  const second = await memberOf(t, owner.workspace_id, 'owner')
  const asOwner = expectStatus(await invite(someone(), { role: 'owner' }, second), 201).body
  const asAdmin = expectStatus(await invite(someone(), { role: 'admin' }, second), 201).body
  expectStatus(await owner.patch(member(second.id), { role: 'admin' }), 200)
  const states = async () =>
    Object.fromEntries((await list()).map((row: { id: string; state: string }) => [row.id, row.state]))
  expect(await states()).toEqual({ [asOwner.id]: 'revoked', [asAdmin.id]: 'pending' })
  expectStatus(await owner.patch(member(second.id), { role: 'owner' }), 200)
  expect((await states())[asAdmin.id]).toBe('pending')
  expect(await entriesOn([asOwner.id, asAdmin.id])).toMatchObject([{ target_id: asOwner.id }])
})

test('an invitation that another admin sent again belongs to that admin', async () => {
  const admin = await memberOf(t, owner.workspace_id, 'admin')
  const { id } = expectStatus(await invite(someone(), {}, admin), 201).body
  expectStatus(await resend(id), 200)
  expectStatus(await owner.delete(member(admin.id)), 204)
  expect((await list())[0]).toMatchObject({ id, state: 'pending', invited_by: owner.id })
})

test('accepting an invitation while its sender is removed ends with one of the two', async () => {
  const admin = await memberOf(t, owner.workspace_id, 'admin')
  const guest = await signedIn(t)
  const { id } = expectStatus(await invite(guest.email, {}, admin), 201).body
  const token = await tokenFor(guest.email)
  const [accepted] = await Promise.all([accept(guest, token), owner.delete(member(admin.id))])
  expect((await list())[0]).toMatchObject({ id, state: accepted.status === 200 ? 'accepted' : 'revoked' })
})
