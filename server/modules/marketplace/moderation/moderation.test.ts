import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, PASSWORD, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { newHandle, publishedGig, reportedGig } from '../../../../test/gigs.ts'
import { closeWithLedger } from '../../../../test/ledger.ts'
import { actionsOf, lastMail, mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const gigs = '/api/v1/marketplace/gigs'
const forAdmin = '/api/v1/admin/marketplace'

const t = await testApp()
const seller = await withWorkspace(t)
const admin = await signedIn(t, { instanceAdmin: true })
afterAll(() => closeWithLedger(t))

describe('POST /marketplace/gigs/:id/report', () => {
  test('201 once for each user and gig', async () => {
    const { id, slug } = await publishedGig(seller)
    const reporter = await signedIn(t)
    const report = { reason: 'copyright', text: 'My <i>picture</i>' }
    const { body } = expectStatus(await reporter.post(`${gigs}/${slug}/report`, report), 201)
    expect(body).toMatchObject({ ...report, gig_id: id })
    expectProblem(await reporter.post(`${gigs}/${id}/report`, report), 409, 'gig_reported')
    expectStatus(await (await signedIn(t)).post(`${gigs}/${id}/report`, report), 201)
    const { data } = expectStatus(await admin.get(`${forAdmin}/reports?status=open`), 200).body
    expect(data[1]).toMatchObject({ ...body, status: 'open', reporter: { id: reporter.id, email: reporter.email } })
  })

  test('404 for a hidden gig, 401 without a session, 400 for another reason', async () => {
    const { id } = await publishedGig(seller, { status: 'draft' })
    const reporter = await signedIn(t)
    expectProblem(await reporter.post(`${gigs}/${id}/report`, { reason: 'spam' }), 404, 'not_found')
    expectProblem(await t.anyone.post(`${gigs}/${id}/report`, { reason: 'spam' }), 401, 'unauthenticated')
    expectProblem(await reporter.post(`${gigs}/${id}/report`, { reason: 'ugly' }), 400, 'validation_failed')
  })

  test('403 limit_exceeded beyond fifty open reports of a user', async () => {
    const reporter = await signedIn(t)
    const made = await Promise.all(Array.from({ length: 51 }, () => publishedGig(seller)))
    const responses = await Promise.all(
      made.map(({ id }) => reporter.post(`${gigs}/${id}/report`, { reason: 'other' })),
    )
    const refused = responses.filter(({ status }) => status !== 201)
    expect(refused.length).toBe(1)
    for (const response of refused) expect(expectProblem(response, 403, 'limit_exceeded').meter).toBe('open_reports')
  })
})

describe('reports', () => {
  test('a dismissed report stays dismissed, and one of a gig that was taken down is upheld', async () => {
    const first = await reportedGig(seller, await signedIn(t))
    const { body } = expectStatus(await admin.post(`${forAdmin}/reports/${first}/dismiss`), 200)
    expect(body).toMatchObject({ id: first, status: 'dismissed', decided_by_id: admin.id })
    expect((await admin.post(`${forAdmin}/reports/${first}/dismiss`)).body).toEqual(body)
    const second = await reportedGig(seller, await signedIn(t))
    const open = expectStatus(await admin.get(`${forAdmin}/reports?status=open&limit=1`), 200).body.data[0]
    expect(open.id).toBe(second)
    expectStatus(await admin.post(`${forAdmin}/gigs/${open.gig_id}/take-down`, { reason: 'Spam' }), 200)
    const [upheld] = (await admin.get(`${forAdmin}/reports?status=upheld`)).body.data
    expect(upheld).toMatchObject({ id: second, decided_by_id: admin.id })
    expectProblem(await admin.post(`${forAdmin}/reports/${second}/dismiss`), 409, 'invalid_transition')
    expectProblem(await admin.post(`${forAdmin}/reports/${seller.id}/dismiss`), 404, 'not_found')
  })
})

describe('POST /admin/marketplace/gigs/:id/take-down and restore', () => {
  test('a gig that was taken down is hidden until it is restored, and its owner gets one mail', async () => {
    const { id, title } = await publishedGig(seller)
    const before = (await mailsTo(t, seller.email)).length
    const down = expectStatus(await admin.post(`${forAdmin}/gigs/${id}/take-down`, { reason: 'Copied' }), 200).body
    expect(down).toMatchObject({ id, take_down_reason: 'Copied', owner: { id: seller.id } })
    const again = expectStatus(await admin.post(`${forAdmin}/gigs/${id}/take-down`, { reason: 'Other' }), 200).body
    expect(again).toEqual(down)
    expect((await mailsTo(t, seller.email)).length).toBe(before + 1)
    const mail = await lastMail(t, seller.email)
    expect(mail.subject).toContain(title)
    expect(mail.body_text).toContain('Copied')
    expectProblem(await t.anyone.get(`${gigs}/${id}`), 404, 'not_found')
    expect((await seller.get(`${gigs}/${id}`)).body).toMatchObject({ status: 'published', take_down_reason: 'Copied' })
    expectStatus(await seller.patch(`${gigs}/${id}`, { status: 'paused' }), 200)
    expectStatus(await seller.patch(`${gigs}/${id}`, { status: 'published' }), 200)
    expectProblem(await t.anyone.get(`${gigs}/${id}`), 404, 'not_found')

    const restored = expectStatus(await admin.post(`${forAdmin}/gigs/${id}/restore`), 200).body
    expect(restored).toMatchObject({ taken_down_at: null, take_down_reason: null })
    expect((await admin.post(`${forAdmin}/gigs/${id}/restore`)).body).toEqual(restored)
    expectStatus(await t.anyone.get(`${gigs}/${id}`), 200)
    expect(await actionsOf(t, admin.id)).toEqual(expect.arrayContaining(['gig.taken_down', 'gig.restored']))
  })

  test('the list of all gigs finds hidden ones, and those of an owner', async () => {
    const other = await withWorkspace(t)
    const [one, two] = [await publishedGig(other), await publishedGig(other, { status: 'draft' })]
    expectStatus(await admin.post(`${forAdmin}/gigs/${one.id}/take-down`, { reason: 'Spam' }), 200)
    const ids = async (query: string) =>
      (await admin.get(`${forAdmin}/gigs?${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids(`search=${other.email}`)).toEqual([two.id, one.id])
    expect(await ids(`search=${other.email}&taken_down=true`)).toEqual([one.id])
    for (const name of [two.slug, two.id]) expect(await ids(`search=${name}`)).toEqual([two.id])
  })
})

describe('gigs of those who leave', () => {
  test('the public gigs of a removed member are paused', async () => {
    const member = await memberOf(t, seller.workspace_id, 'admin')
    const [one, draft] = [await publishedGig(member), await publishedGig(member, { status: 'draft' })]
    expectStatus(await seller.delete(`/api/v1/workspace/members/${member.id}`), 204)
    expectProblem(await t.anyone.get(`${gigs}/${one.id}`), 404, 'not_found')
    const rows = await t.deps.db.selectFrom('gig').select(['id', 'status']).where('owner_id', '=', member.id).execute()
    expect(rows).toEqual(
      expect.arrayContaining([
        { id: one.id, status: 'paused' },
        { id: draft.id, status: 'draft' },
      ]),
    )
  })

  test('the gigs of a deleted user are hidden, and the handle is free', async () => {
    const member = await memberOf(t, seller.workspace_id, 'admin')
    const handle = newHandle()
    expectStatus(await member.patch('/api/v1/signatures/me', { handle }), 200)
    const { id } = await publishedGig(member)
    const exported = expectStatus(await member.get('/api/v1/me/export'), 200).body
    expect(exported.signature).toMatchObject({ handle })
    expect(exported.gigs).toMatchObject([{ id, price: 1499.9, currency: 'TRY' }])
    expectStatus(await member.call('DELETE', '/api/v1/me', { body: { password: PASSWORD } }), 204)
    expectProblem(await t.anyone.get(`${gigs}/${id}`), 404, 'not_found')
    expectProblem(await t.anyone.get(`/api/v1/signatures/handle/${handle}`), 404, 'not_found')
    expectStatus(await (await signedIn(t)).patch('/api/v1/signatures/me', { handle }), 200)
    expect((await admin.get(`${forAdmin}/gigs?search=${id}`)).body.data).toMatchObject([{ id, owner: null }])
  })
})
