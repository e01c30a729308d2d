import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type Person, signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { newHandle, publishedGig } from '../../../../test/gigs.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()

describe.each(['/api/v1/signatures', '/api/v1/marketplace/signatures'])('%s', (path) => {
  test('a signature is empty before it is set, and then found by its handle', async () => {
    const person = await signedIn(t)
    const empty = { handle: null, text: '', updated_at: null }
    expect(expectStatus(await person.get(`${path}/me`), 200).body).toEqual(empty)
    const handle = newHandle()
    const { body } = expectStatus(await person.patch(`${path}/me`, { handle, text: 'Merhaba <b>' }), 200)
    expect(body).toEqual({ handle, text: 'Merhaba <b>', updated_at: expect.any(String) })
    expect((await person.get(`${path}/me`)).body).toEqual(body)
    expect(expectStatus(await t.anyone.get(`${path}/handle/${handle}`), 200).body).toEqual(body)
    const renamed = newHandle()
    expectStatus(await person.patch(`${path}/me`, { handle: renamed }), 200)
    expectProblem(await t.anyone.get(`${path}/handle/${handle}`), 404, 'not_found')
    expect((await t.anyone.get(`${path}/handle/${renamed}`)).body.text).toBe('Merhaba <b>')
  })

  test.each([
    { handle: 'ab' },
    { handle: 'admin' },
    { handle: 'ode_me' },
    { handle: '_support_' },
    { handle: 'x'.repeat(31) },
    { handle: 'Ada' },
    { handle: 'çağrı' },
    { handle: 'a-b-c' },
    { text: 'x'.repeat(501), handle: 'long_text' },
    { text: 'Without a handle' },
    {},
    { handle: 'unknown_field', user_id: 'x' },
  ])('400 for what breaks a rule (%#)', async (body) => {
    expectProblem(await (await signedIn(t)).patch(`${path}/me`, body), 400, 'validation_failed')
  })

  test('400 for the name of this installation', async () => {
    const admin = await signedIn(t, { instanceAdmin: true })
    expectStatus(await admin.put('/api/v1/options/app.name', { value: 'Büyük Agora' }), 200)
    const person = await signedIn(t)
    for (const handle of ['buyuk_agora', 'buyukagora'])
      expectProblem(await person.patch(`${path}/me`, { handle }), 400, 'validation_failed', '/handle')
    expectStatus(await person.patch(`${path}/me`, { handle: newHandle() }), 200)
    expectStatus(await admin.delete('/api/v1/options/app.name'), 204)
  })

  test('412 when it has changed since it was read', async () => {
    const person = await signedIn(t)
    const set = (version: number) => person.patch(`${path}/me`, { handle: newHandle() }, { 'if-match': `"${version}"` })
    expectStatus(await set(0), 200)
    expectProblem(await set(0), 412, 'version_conflict')
    expectStatus(await set(1), 200)
  })
})

test('one of ten users who choose the same handle at once gets it', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => signedIn(t)))
  const handle = newHandle()
  const responses = await Promise.all(people.map((person) => person.patch('/api/v1/signatures/me', { handle })))
  expect(responses.filter(({ status }) => status === 200).length).toBe(1)
  for (const response of responses) if (response.status !== 200) expectProblem(response, 409, 'handle_taken')
})

describe('GET /marketplace/sellers/:handle', () => {
  let seller: WorkspaceOwner
  let admin: Person
  const handle = newHandle()
  beforeAll(async () => {
    seller = await withWorkspace(t)
    admin = await signedIn(t, { instanceAdmin: true })
    expectStatus(await seller.patch('/api/v1/signatures/me', { handle, text: 'I write.' }), 200)
  })

  test('shows the signature, the ratings of all gigs, and the public gigs', async () => {
    const [one, two] = [await publishedGig(seller), await publishedGig(seller)]
    expectStatus(await seller.patch(`/api/v1/marketplace/gigs/${two.id}`, { status: 'paused' }), 200)
    const rate = (id: string, rating_count: number, rating_sum: number) =>
      t.deps.db.updateTable('gig').set({ rating_count, rating_sum }).where('id', '=', id).execute()
    await rate(one.id, 2, 10)
    await rate(two.id, 1, 3)
    const { body } = expectStatus(await t.anyone.get(`/api/v1/marketplace/sellers/${handle}`), 200)
    expect(body).toMatchObject({ name: 'Ada', handle, signature: 'I write.', rating: 4.3, rating_count: 3 })
    expect(body.completed_orders).toBe(0)
    expect(body.gigs).toMatchObject([{ id: one.id, seller: { name: 'Ada', handle } }])
    expect((await t.anyone.get(`/api/v1/marketplace/gigs?seller=${handle}`)).body.data).toEqual(body.gigs)
    expect((await t.anyone.get(`/api/v1/marketplace/gigs/${one.id}`)).body.seller).toMatchObject({
      ...{ handle, signature: 'I write.', rating: 4.3, rating_count: 3, completed_orders: 0 },
    })
  })

  test('404 for an unknown handle, and for that of a banned user', async () => {
    const seller = await signedIn(t)
    const handle = newHandle()
    expectStatus(await seller.patch('/api/v1/signatures/me', { handle }), 200)
    const paths = [`/api/v1/marketplace/sellers/${handle}`, `/api/v1/signatures/handle/${handle}`]
    expectProblem(await t.anyone.get('/api/v1/marketplace/sellers/nobody_here'), 404, 'not_found')
    expectStatus(await admin.post(`/api/v1/admin/users/${seller.id}/ban`, {}), 200)
    for (const path of paths) expectProblem(await t.anyone.get(path), 404, 'not_found')
    expectStatus(await admin.post(`/api/v1/admin/users/${seller.id}/unban`), 200)
    for (const path of paths) expectStatus(await t.anyone.get(path), 200)
  })
})
