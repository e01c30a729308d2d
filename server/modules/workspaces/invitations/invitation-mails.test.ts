import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, newAddress, signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { invitationCalls, someone } from '../../../../test/invitations.ts'
import { mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const DAY = 24 * 3600_000

let owner: WorkspaceOwner
// PostgreSQL dates mails by its own clock.
const t = await testApp({}, { origin: new Date() })
beforeEach(async () => {
  owner = await withWorkspace(t)
})

const { invite, invited, list, revoke, resend } = invitationCalls(() => ({ t, owner }))

describe('the daily limit of invitation mails', () => {
  const resendUntilLimit = async () => {
    // The link is sent again as often as possible.
    for (let sent = 1; sent < 5; sent++) expectStatus(await resend((await list())[0].id), 200)
  }

  test('429 after five mails of a workspace to one mailbox, until a day has passed, while others can still invite', async () => {
    const [email, other] = [someone(), await withWorkspace(t)]
    const { id } = await invited(email)
    await resendUntilLimit()
    const refused = await resend(id)
    expectProblem(refused, 429, 'too_many_requests')
    expect(Number(refused.headers.get('retry-after'))).toBe(86_400)
    expectProblem(await invite(email.replace('@', '+tag@')), 429, 'too_many_requests')
    expectStatus(await revoke(id), 204)
    expectProblem(await invite(email.toUpperCase()), 429, 'too_many_requests')
    expect(await mailsTo(t, email)).toHaveLength(5)
    expectStatus(await invite(email, {}, other), 201)
    t.advance(DAY + 60_000)
    expectStatus(await invite(email), 201)
    t.advance(-DAY - 60_000)
  })

  test('429 after ten mails of a sender to one mailbox, and after thirty of all senders at the same time', async () => {
    const local = newAddress().split('@')[0]
    const address = (index: number) => `${local}+${index}@example.com`
    const senders = await Promise.all(Array.from({ length: 3 }, () => signedIn(t)))
    const workspaces = await Promise.all(
      senders.flatMap((sender) =>
        Array.from({ length: 3 }, async () => {
          const { body } = expectStatus(await sender.post('/api/v1/workspaces', { name: newAddress() }), 201)
          return sender.with({ 'x-workspace-id': body.id })
        }),
      ),
    )
    const responses = await Promise.all(
      workspaces.flatMap((workspace) => Array.from({ length: 4 }, (_, index) => invite(address(index), {}, workspace))),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(30)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(6)
    expectProblem(await invite(address(0)), 429, 'too_many_requests')
  })

  test('429 after 100 mails of one workspace, also for concurrent calls, until a day has passed', async () => {
    const other = await withWorkspace(t)
    const fill = (action: string, count: number) =>
      sql`insert into audit_entry (workspace_id, action) select ${owner.workspace_id}::uuid, ${action}
        from generate_series(1, ${count}::int)`.execute(t.deps.db)
    await fill('invitation.created', 40)
    await fill('invitation.resent', 57)
    await fill('invitation.revoked', 100)
    const responses = await Promise.all(Array.from({ length: 5 }, () => invite(someone())))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429])
    const [first] = await list()
    for (const refused of [await invite(someone()), await resend(first.id)]) {
      expectProblem(refused, 429, 'too_many_requests')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    }
    expectStatus(await revoke(first.id), 204)
    expectProblem(await invite(someone()), 429, 'too_many_requests')
    expectStatus(await invite(someone(), {}, other), 201)
    t.advance(DAY + 60_000)
    expectStatus(await invite(someone()), 201)
    t.advance(-DAY - 60_000)
  })
})
