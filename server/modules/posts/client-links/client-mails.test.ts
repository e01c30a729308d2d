import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import { expectStatus, type WorkspaceOwner } from '../../../../test/factories.ts'
import { mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { approvalTeam, clientOf, EDITOR_THEN_CLIENT } from '../approval/approval.fixture.ts'
import { enqueueClientMails, mailClient } from './client-mails.ts'

const t = await testApp({ BASE_URL: 'https://meydan.test' })
const LINKS = '/api/v1/client-links'
const at = (ms: number) => new Date(t.clock.now().getTime() + ms)
let count = 0

/** A link with the address of a client, and posts that reach the client. */
async function mailed(more: object = {}) {
  const team = await approvalTeam(t, EDITOR_THEN_CLIENT)
  const email = `client-${++count}@example.com`
  const days = {
    starts_on: at(-DAY).toISOString().slice(0, 10),
    ends_on: at(60 * DAY)
      .toISOString()
      .slice(0, 10),
  }
  const newLink = { name: 'Bakery', timezone: 'UTC', client_email: email, locale: 'en', ...days, ...more }
  const link = expectStatus(await team.owner.post(LINKS, newLink), 201).body
  const atClient = async (content: string, ms: number) => {
    const { id } = await team.write({ content, scheduled_at: at(ms).toISOString() })
    await team.approve(team.editor, id)
    return id as string
  }
  /** Lets time pass, with the job before and after it. */
  const pass = async (ms: number) => {
    await run()
    t.clock.advance(ms)
    await run()
  }
  const mails = async () => (await mailsTo(t, email)).map(({ key }) => key)
  const linkTo = async (client_email: string, more: object = {}) =>
    expectStatus(await team.owner.post(LINKS, { ...newLink, client_email, ...more }), 201).body
  return { ...team, email, link, linkTo, atClient, pass, mails, read: () => mailsTo(t, email) }
}
const nameOf = async (owner: WorkspaceOwner) => expectStatus(await owner.get('/api/v1/workspace'), 200).body.name
const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
const stopBy = async (mail: { unsubscribe_url: string | null } | undefined) =>
  expect((await fetch((mail?.unsubscribe_url ?? '').replace('https://meydan.test', t.url), oneClick)).status).toBe(200)
const run = async () => {
  await enqueueClientMails(t.deps)
  await t.runJobs()
}

describe('the client of a link with an address', () => {
  test('gets one mail about all posts that reached the client within five minutes, with the link', async () => {
    const { owner, link, atClient, pass, mails, read } = await mailed()
    await atClient('Fresh simit', 10 * DAY)
    await pass(4 * MINUTE)
    await atClient('Easter cake', 11 * DAY)
    await pass(0)
    expect(await mails()).toEqual([])
    await pass(MINUTE)
    const [mail, ...others] = await read()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ key: 'client-request', locale: 'en' })
    expect(mail?.subject).toBe(`${await nameOf(owner)}: posts wait for your approval (2)`)
    expect(mail?.body_text).toContain(link.url)
    expect(mail?.body_text).toMatch(/“Fresh simit” .*“Easter cake” /)
    await pass(HOUR)
    expect(await mails()).toHaveLength(1)
  })

  test('is reminded after 48 hours and a day before the first time, and not again', async () => {
    const { atClient, pass, mails } = await mailed()
    await atClient('Fresh simit', 5 * DAY)
    await atClient('Easter cake', 9 * DAY)
    await pass(5 * MINUTE)
    await pass(2 * DAY - MINUTE)
    expect(await mails()).toEqual(['client-request'])
    await pass(MINUTE)
    expect(await mails()).toHaveLength(2)
    await pass(DAY)
    expect(await mails()).toHaveLength(2)
    await pass(DAY)
    expect((await mails()).toSorted()).toEqual(['client-reminder', 'client-reminder', 'client-request'])
    await pass(4 * DAY)
    expect(await mails()).toHaveLength(3)
  })

  test('is not reminded of posts that are decided, and is asked again about a post that changed', async () => {
    const { author, editor, approve, link, atClient, pass, mails } = await mailed()
    const id = await atClient('Fresh simit', 20 * DAY)
    await pass(5 * MINUTE)
    const client = await clientOf(t, link)
    expectStatus(await client.requestChange(id, (await client.postOf(id)).content_version), 200)
    await pass(3 * DAY)
    expect(await mails()).toHaveLength(1)
    expectStatus(await author.patch(`/api/v1/posts/${id}`, { content: 'Warm simit' }), 200)
    expectStatus(await author.post(`/api/v1/posts/${id}/request-approval`, {}), 200)
    await approve(editor, id)
    await pass(5 * MINUTE)
    expect(await mails()).toEqual(['client-request', 'client-request'])
  })

  test('gets each mail once when two nodes write it at once', async () => {
    const { link, atClient, pass, mails } = await mailed()
    await atClient('Fresh simit', 10 * DAY)
    await run()
    t.clock.advance(5 * MINUTE)
    await atOnce(4, () => mailClient(t.deps, { client_link_id: link.id }))
    await pass(0)
    expect(await mails()).toHaveLength(1)
  })

  test('stops the mails with one POST, and the link goes on working', async () => {
    const { owner, link, atClient, pass, mails, read } = await mailed({ locale: 'tr' })
    await atClient('Fresh simit', 10 * DAY)
    await pass(5 * MINUTE)
    const [mail] = await read()
    expect(mail?.subject).toBe(`${await nameOf(owner)}: gönderiler onayınızı bekliyor (1)`)
    const url = (mail?.unsubscribe_url ?? '').replace('https://meydan.test', t.url)
    const page = await fetch(url, { headers: { 'accept-language': 'tr' } })
    expect(await page.text()).toContain('<form method="post"><button>Bu e-postaları durdur</button></form>')
    const stopped = async () => (await owner.get(`${LINKS}/${link.id}`)).body.mails_stopped_at
    expect(await stopped()).toBeNull()
    expect(
      (
        await fetch(
          url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
          oneClick,
        )
      ).status,
    ).toBe(404)
    expect(await stopped()).toBeNull()
    const done = await fetch(url, oneClick)
    expect(done.status).toBe(200)
    expect(await done.text()).toContain('and you can turn them on again on the page of a link.')
    expect(await stopped()).not.toBeNull()
    await pass(2 * DAY)
    expect(await mails()).toHaveLength(1)
    const { client, path } = await clientOf(t, link)
    expectStatus(await client.get(path), 200)
  })

  test('gets none by a link for looking only, or without an address, or one that ended, whose address is erased', async () => {
    const looking = await mailed({ may_decide: false })
    const silent = await mailed({ client_email: null })
    const revoked = await mailed()
    for (const { atClient } of [looking, silent, revoked]) await atClient('Fresh simit', 10 * DAY)
    await run()
    expectStatus(await revoked.owner.post(`${LINKS}/${revoked.link.id}/revoke`), 200)
    await revoked.pass(5 * MINUTE)
    for (const { mails } of [looking, silent, revoked]) expect(await mails()).toEqual([])
    expect((await revoked.owner.get(`${LINKS}/${revoked.link.id}`)).body.client_email).toBeNull()
    const expired = await mailed({ expires_in_days: 1 })
    await expired.pass(DAY + 1)
    expect((await expired.owner.get(`${LINKS}/${expired.link.id}`)).body.client_email).toBeNull()
    const kept = await t.deps.db
      .selectFrom('client_link')
      .select('id')
      .where('id', 'in', [revoked.link.id, expired.link.id, silent.link.id])
      .where('sealed_secret', 'is not', null)
      .execute()
    expect(kept).toEqual([])
  })

  test('is asked about new posts at most once in four hours', async () => {
    const { author, editor, approve, atClient, pass, mails } = await mailed()
    const id = await atClient('Fresh simit', 10 * DAY)
    await pass(5 * MINUTE)
    for (const content of ['Warm simit', 'Hot simit']) {
      expectStatus(await author.patch(`/api/v1/posts/${id}`, { content }), 200)
      await approve(editor, id)
      await pass(HOUR)
    }
    expect(await mails()).toHaveLength(1)
    await pass(2 * HOUR)
    expect(await mails()).toEqual(['client-request', 'client-request'])
  })

  test('gets at most ten mails a day from one workspace, by any of its links, and the others when the day has passed', async () => {
    const { email, linkTo, atClient, pass, mails } = await mailed()
    for (let links = 1; links < 12; links++) await linkTo(email)
    await atClient('Fresh simit', 10 * DAY)
    await pass(5 * MINUTE)
    expect(await mails()).toHaveLength(10)
    const other = await mailed({ client_email: email })
    await other.atClient('Fresh simit', 10 * DAY)
    await other.pass(5 * MINUTE)
    expect(await mails()).toHaveLength(11)
    await pass(DAY)
    expect(await mails()).toHaveLength(13)
  })

  test('gets no mail beyond the 200 of the workspace in a day', async () => {
    const { owner, linkTo, atClient, pass, mails } = await mailed()
    await atClient('Fresh simit', 10 * DAY)
    await pass(5 * MINUTE)
    expect(await mails()).toHaveLength(1)
    const counted = await t.deps.db
      .updateTable('auth_attempt')
      .set({ count: 200 })
      .where('key', '=', sha256(`client mails of workspace ${owner.workspace_id}`))
      .returning('count')
      .execute()
    expect(counted).toHaveLength(1)
    const late = `late-${count}@example.com`
    await linkTo(late)
    await pass(5 * MINUTE)
    expect(await mailsTo(t, late)).toEqual([])
    await pass(DAY)
    expect(await mailsTo(t, late)).toHaveLength(1)
  })

  test('turns the mails on again on the page of a link, for all links of the workspace', async () => {
    const { owner, email, link, linkTo, atClient, pass, mails, read } = await mailed()
    await atClient('Fresh simit', 10 * DAY)
    await pass(5 * MINUTE)
    const { client, path } = await clientOf(t, link)
    const shown = async () => (await client.get(path)).body.gets_mails
    const stopped = async (id: string) => (await owner.get(`${LINKS}/${id}`)).body.mails_stopped_at
    expect(await shown()).toBe(true)
    const [mail] = await read()
    await stopBy(mail)
    const second = await linkTo(email)
    expect([await shown(), await stopped(second.id)]).toEqual([false, expect.any(String)])
    for (const _ of [1, 2]) expectStatus(await client.put(`${path}/mails`, { gets_mails: true }), 200)
    expect([await shown(), await stopped(link.id), await stopped(second.id)]).toEqual([true, null, null])
    const { data } = (await owner.get('/api/v1/workspace/audit-log')).body
    expect(data.filter(({ action }: { action: string }) => action === 'client_link.mails_resumed')).toHaveLength(1)
    const sent = (await mails()).length
    await atClient('Easter cake', 11 * DAY)
    await pass(5 * HOUR)
    expect((await mails()).length).toBeGreaterThan(sent)
    expectStatus(await client.put(`${path}/mails`, { gets_mails: false }), 200)
    expect(await stopped(second.id)).not.toBeNull()
  })

  test('409 for the mails of a link without an address, whose page shows no state of them', async () => {
    const { link } = await mailed({ client_email: null })
    const { client, path } = await clientOf(t, link)
    expect((await client.get(path)).body.gets_mails).toBeNull()
    expectProblem(await client.put(`${path}/mails`, { gets_mails: true }), 409, 'invalid_transition')
  })

  test('409 for the mails of a link for looking only, which leaves those of the other links as they are', async () => {
    const { owner, email, link, linkTo, atClient, pass, read } = await mailed()
    const { client, path } = await clientOf(t, await linkTo(email, { may_decide: false }))
    const stopped = async () => (await owner.get(`${LINKS}/${link.id}`)).body.mails_stopped_at
    expect((await client.get(path)).body.gets_mails).toBeNull()
    expectProblem(await client.put(`${path}/mails`, { gets_mails: false }), 409, 'invalid_transition')
    expect(await stopped()).toBeNull()
    await atClient('Fresh simit', 10 * DAY)
    await pass(5 * MINUTE)
    const [mail] = await read()
    await stopBy(mail)
    expectProblem(await client.put(`${path}/mails`, { gets_mails: true }), 409, 'invalid_transition')
    expect(await stopped()).not.toBeNull()
  })

  test('stops the mails of all links of the workspace, also of later ones, and of no other workspace', async () => {
    const { owner, email, link, linkTo, atClient, pass, mails, read } = await mailed()
    const second = await linkTo(email)
    await atClient('Fresh simit', 10 * DAY)
    await pass(5 * MINUTE)
    expect(await mails()).toHaveLength(2)
    // A link that has ended has no address any more, but its mails have their button.
    const [mail] = await read()
    for (const { id } of [link, second]) expectStatus(await owner.post(`${LINKS}/${id}/revoke`), 200)
    await stopBy(mail)
    const third = await linkTo(email.replace('client', 'Client').replace('@', '+tag@'))
    expect(third.mails_stopped_at).not.toBeNull()
    const kept = await t.deps.db.selectFrom('client_link').selectAll().where('id', '=', link.id).executeTakeFirst()
    expect(JSON.stringify(kept)).not.toContain(email)
    await pass(3 * DAY)
    expect(await mailsTo(t, third.client_email)).toEqual([])
    expect(await mails()).toHaveLength(2)
    const other = await mailed({ client_email: email })
    expect(other.link.mails_stopped_at).toBeNull()
    await other.atClient('Fresh simit', 10 * DAY)
    await other.pass(5 * MINUTE)
    expect(await mails()).toHaveLength(3)
  })
})
