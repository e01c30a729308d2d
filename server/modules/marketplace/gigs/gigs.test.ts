import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, withToken, withWorkspace } from '../../../../test/factories.ts'
import { newGig, publishedGig } from '../../../../test/gigs.ts'
import { closeWithLedger } from '../../../../test/ledger.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { actionsOf } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { rawRequest } from '../../../../test/raw-http.ts'

const path = '/api/v1/marketplace/gigs'

const t = await testApp()
const seller = await withWorkspace(t)
afterAll(() => closeWithLedger(t))

describe('POST /marketplace/gigs', () => {
  test('201 with a draft that only its owner sees', async () => {
    const { body } = expectStatus(await seller.post(path, newGig), 201)
    expect(body).toMatchObject({
      ...newGig,
      ...{ status: 'draft', sample_media: [], samples: [], published_at: null, taken_down_at: null },
      ...{ rating: null, rating_count: 0 },
      seller: { name: 'Ada', handle: null, signature: null, rating: null, rating_count: 0, completed_orders: 0 },
    })
    expect(expectStatus(await seller.get(`${path}/${body.id}`), 200).body).toEqual(body)
    const { data } = expectStatus(await seller.get(`${path}/mine`), 200).body
    expect(data).toContainEqual(body)
    for (const who of [t.anyone, await withWorkspace(t), await memberOf(t, seller.workspace_id, 'owner')])
      for (const name of [body.id, body.slug]) expectProblem(await who.get(`${path}/${name}`), 404, 'not_found')
    expect(await actionsOf(t, seller.id)).toContain('gig.created')
  })

  test('a draft is shown to a session or a token without scopes of its owner, and to no other credentials', async () => {
    const { id } = expectStatus(await seller.post(path, newGig), 201).body
    const [bare, scoped] = [await withToken(t, seller), await withToken(t, seller, ['gigs:write'])]
    for (const who of [seller, bare]) expectStatus(await who.get(`${path}/${id}`), 200)
    const gig = await publishedGig(seller)
    for (const who of [
      scoped,
      ...['Bearer', 'Bearer wrong'].map((authorization) => seller.with({ authorization })),
      t.anyone.with({ cookie: 'meydan.session_token=wrong' }),
    ]) {
      expectProblem(await who.get(`${path}/${id}`), 404, 'not_found')
      expectStatus(await who.get(`${path}/${gig.id}`), 200)
    }
  })

  test('a published gig is public at once, by its id and by its slug, without data of its workspace', async () => {
    const gig = await publishedGig(seller, { title: 'Şubat için on gönderi' })
    for (const name of [gig.id, gig.slug]) {
      const response = expectStatus(await t.anyone.get(`${path}/${name}`), 200)
      expect(response.body).toEqual(gig)
      expect(JSON.stringify(response.body)).not.toContain(seller.workspace_id)
      expect(JSON.stringify(response.body)).not.toContain(seller.email)
      expect(response.headers.get('etag')).toBe('"1"')
    }
    expect(gig.url).toBe(`/marketplace/gigs/${gig.slug}`)
  })

  test.each([
    ['Şık ÇAĞRI & İĞNE ıtır', 'sik-cagri-igne-itir'],
    ['  Crème brûlée!  ', 'creme-brulee'],
    ['夏', 'gig'],
    ['mine', 'gig-mine'],
  ])('the slug of %j is %s, and another gig of the same title gets one of its own', async (title, slug) => {
    const first = await publishedGig(seller, { title })
    const second = await publishedGig(seller, { title })
    expect(first.slug).toBe(slug)
    expect(second.slug).toMatch(new RegExp(`^${slug}-[0-9a-f]{8}$`))
  })

  test('one of ten concurrent gigs gets the plain slug, and all are created', async () => {
    const title = 'All at once'
    const made = await Promise.all(Array.from({ length: 10 }, () => publishedGig(seller, { title })))
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(10)
    expect(made.filter(({ slug }) => slug === 'all-at-once').length).toBe(1)
  })

  test.each([
    ['/title', { title: '' }],
    ['/title', { title: 'x'.repeat(201) }],
    ['/description', { description: 'x'.repeat(5001) }],
    ['/price', { price: 0.99 }],
    ['/price', { price: 1_000_000.01 }],
    ['/price', { price: 10.001 }],
    ['/currency', { currency: 'EUR' }],
    ['/delivery_days', { delivery_days: 0 }],
    ['/delivery_days', { delivery_days: 366 }],
    ['/categories', { categories: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['/status', { status: 'sold' }],
    ['/owner', { owner: 'me' }],
    ['/sample_media/0', { sample_media: ['01993a4c-2f10-7000-9000-000000000000'] }],
  ])('400 with %s when it is out of bounds or unknown', async (pointer, wrong) => {
    const { errors } = expectProblem(await seller.post(path, { ...newGig, ...wrong }), 400, 'validation_failed')
    expect(errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
  })

  test('prices of 1 and of 1,000,000 are accepted', async () => {
    for (const price of [1, 1_000_000])
      expect(expectStatus(await seller.post(path, { ...newGig, price }), 201).body.price).toBe(price)
  })

  test('403 without the feature marketplace.sell, also when a draft is published', async () => {
    const without = await testApp({}, { plan: [] })
    try {
      const owner = await withWorkspace(without)
      expectProblem(await owner.post(path, newGig), 403, 'feature_not_available')
      const { id } = await without.deps.db
        .insertInto('gig')
        .values({
          ...newGig,
          ...{ price: '100', currency: 'TRY', slug: 'one', workspace_id: owner.workspace_id, owner_id: owner.id },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      expectProblem(await owner.patch(`${path}/${id}`, { status: 'published' }), 403, 'feature_not_available')
      expectStatus(await owner.patch(`${path}/${id}`, { status: 'paused', title: 'Changed' }), 200)
    } finally {
      await without.close()
    }
  })

  test('403 for editors', async () => {
    const editor = await memberOf(t, seller.workspace_id, 'editor')
    expectProblem(await editor.post(path, newGig), 403, 'forbidden_role')
  })

  test('a token needs gigs:write', async () => {
    const reader = await withToken(t, seller, ['gigs:read'])
    expectProblem(await reader.post('/api/v1/public/marketplace/gigs', newGig), 403, 'insufficient_scope')
    const writer = await withToken(t, seller, ['gigs:write'])
    expectStatus(await writer.post('/api/v1/public/marketplace/gigs', newGig), 201)
  })
})

describe('POST /marketplace/gigs/:id/archive and unarchive', () => {
  const own = async (query = '') => {
    const { data } = expectStatus(await seller.get(`${path}/mine?limit=100${query}`), 200).body
    return data.map(({ id }: { id: string }) => id)
  }

  test('an archived gig is hidden and cannot be ordered or changed, and its orders go on', async () => {
    const gig = await publishedGig(seller)
    const buyer = await withWorkspace(t)
    const { id } = expectStatus(await buyer.post('/api/v1/marketplace/orders', { gig_id: gig.id }), 201).body
    const { body } = expectStatus(await seller.post(`${path}/${gig.id}/archive`), 200)
    expect(body).toMatchObject({ status: 'paused', archived_at: expect.any(String) })
    expect(expectStatus(await seller.post(`${path}/${gig.id}/archive`), 200).body).toEqual(body)
    expectProblem(await t.anyone.get(`${path}/${gig.id}`), 404, 'not_found')
    const another = await withWorkspace(t)
    expectProblem(await another.post('/api/v1/marketplace/orders', { gig_id: gig.id }), 404, 'not_found')
    const change = await seller.patch(`${path}/${gig.id}`, { status: 'published' })
    expect(expectProblem(change, 409, 'invalid_transition').state).toBe('archived')
    expectProblem(await seller.delete(`${path}/${gig.id}`), 409, 'gig_has_orders')
    expect(expectStatus(await buyer.get(`/api/v1/marketplace/orders/${id}`), 200).body).toMatchObject({
      ...{ gig_id: gig.id, status: 'pending_payment' },
    })
    expect(await own()).not.toContain(gig.id)
    expect(await own('&archived=true')).toContain(gig.id)
  })

  test('a restored gig is a draft or paused, and can be published again', async () => {
    const draft = expectStatus(await seller.post(path, newGig), 201).body
    const gig = await publishedGig(seller)
    for (const { id, status } of [
      { id: draft.id, status: 'draft' },
      { id: gig.id, status: 'paused' },
    ]) {
      expectStatus(await seller.post(`${path}/${id}/archive`), 200)
      const { body } = expectStatus(await seller.post(`${path}/${id}/unarchive`), 200)
      expect(body).toMatchObject({ status, archived_at: null })
      expect(expectStatus(await seller.post(`${path}/${id}/unarchive`), 200).body).toEqual(body)
      expect(await own()).toContain(id)
    }
    expectStatus(await seller.patch(`${path}/${gig.id}`, { status: 'published' }), 200)
    expectStatus(await t.anyone.get(`${path}/${gig.id}`), 200)
  })

  test('an archived gig is never published, whatever writes it', async () => {
    const gig = await publishedGig(seller)
    expectStatus(await seller.post(`${path}/${gig.id}/archive`), 200)
    const publish = t.deps.db.updateTable('gig').set({ status: 'published' }).where('id', '=', gig.id).execute()
    await expect(publish).rejects.toMatchObject({ constraint: 'gig_archived' })
  })

  test('an archived gig leaves room for another, and is restored when there is room', async () => {
    const owner = await withWorkspace(t)
    const { id } = expectStatus(await owner.post(path, newGig), 201).body
    await sql`insert into gig (workspace_id, owner_id, title, description, price, currency, delivery_days, slug)
      select workspace_id, owner_id, title, description, price, currency, delivery_days, 'gig-of-many-' || n
      from gig, generate_series(1, 499) n where id = ${id}`.execute(t.deps.db)
    expectProblem(await owner.post(path, newGig), 403, 'limit_exceeded')
    expectStatus(await owner.post(`${path}/${id}/archive`), 200)
    const { body } = expectStatus(await owner.post(path, newGig), 201)
    expectProblem(await owner.post(`${path}/${id}/unarchive`), 403, 'limit_exceeded')
    expectStatus(await owner.delete(`${path}/${body.id}`), 204)
    expectStatus(await owner.post(`${path}/${id}/unarchive`), 200)
  })

  test('is for the owner of the gig, and audited', async () => {
    const gig = await publishedGig(seller)
    const colleague = await memberOf(t, seller.workspace_id, 'admin')
    for (const action of ['archive', 'unarchive']) {
      expectProblem(await colleague.post(`${path}/${gig.id}/${action}`), 404, 'not_found')
      expectStatus(await seller.post(`${path}/${gig.id}/${action}`), 200)
    }
    const rows = await t.deps.db.selectFrom('audit_entry').select('action').where('target_id', '=', gig.id).execute()
    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['gig.archived', 'gig.unarchived']))
  })
})

describe('PATCH /marketplace/gigs/:id', () => {
  test('changes everything at once, and keeps the slug', async () => {
    const gig = await publishedGig(seller)
    const changes = {
      title: 'Another',
      description: 'More',
      price: 10.5,
      currency: 'USD',
      delivery_days: 5,
      categories: [],
    }
    const { body } = expectStatus(await seller.patch(`${path}/${gig.id}`, changes), 200)
    expect(body).toMatchObject({ ...changes, slug: gig.slug, published_at: gig.published_at })
    expect(expectStatus(await t.anyone.get(`${path}/${gig.id}`), 200).body).toEqual(body)
    expectProblem(await seller.patch(`${path}/${gig.id}`, { slug: 'mine' }), 400, 'read_only')
  })

  test('spellings of one category are one', async () => {
    const gig = await publishedGig(seller, { categories: ['İndirim Işık', 'indirim isik', 'Indırim IŞIK'] })
    expect(gig.categories).toEqual(['İndirim Işık'])
    const { body } = expectStatus(await seller.patch(`${path}/${gig.id}`, { categories: ['Çay', 'cay '] }), 200)
    expect(body.categories).toEqual(['Çay'])
  })

  test('a paused gig is hidden, and public again once it is published', async () => {
    const gig = await publishedGig(seller)
    expectStatus(await seller.patch(`${path}/${gig.id}`, { status: 'paused' }), 200)
    expectProblem(await t.anyone.get(`${path}/${gig.id}`), 404, 'not_found')
    expect(expectStatus(await seller.get(`${path}/${gig.id}`), 200).body.status).toBe('paused')
    t.advance(1000)
    const { body } = expectStatus(await seller.patch(`${path}/${gig.id}`, { status: 'published' }), 200)
    expect(body.published_at).toBe(gig.published_at)
    expectStatus(await t.anyone.get(`${path}/${gig.id}`), 200)
  })

  test('409 for a draft after publishing, with the current state', async () => {
    const gig = await publishedGig(seller)
    const refused = expectProblem(
      await seller.patch(`${path}/${gig.id}`, { status: 'draft', title: 'New' }),
      409,
      'invalid_transition',
    )
    expect(refused.state).toBe('published')
    expect(expectStatus(await seller.get(`${path}/${gig.id}`), 200).body).toEqual(gig)
  })

  test('412 when the gig has changed since it was read', async () => {
    const { id } = await publishedGig(seller)
    const change = (version: number) => seller.patch(`${path}/${id}`, { price: 2 }, { 'if-match': `"${version}"` })
    expectStatus(await change(1), 200)
    expectProblem(await change(1), 412, 'version_conflict')
  })

  test('404 for everyone but its owner, also for other admins of the workspace', async () => {
    const { id } = await publishedGig(seller)
    for (const who of [await withWorkspace(t), await memberOf(t, seller.workspace_id, 'owner')]) {
      expectProblem(await who.patch(`${path}/${id}`, { price: 1 }), 404, 'not_found')
      expectProblem(await who.delete(`${path}/${id}`), 404, 'not_found')
    }
  })
})

describe('DELETE /marketplace/gigs/:id', () => {
  test('204, and the gig is gone', async () => {
    const { id } = await publishedGig(seller)
    expectStatus(await seller.delete(`${path}/${id}`), 204)
    expectProblem(await seller.get(`${path}/${id}`), 404, 'not_found')
    expectProblem(await seller.delete(`${path}/${id}`), 404, 'not_found')
  })

  test('409 gig_has_orders once somebody ordered it', async () => {
    const { id } = await publishedGig(seller)
    await t.deps.db
      .insertInto('gig_order')
      .values({
        ...{ gig_id: id, seller_id: seller.id, seller_account: `${seller.id}:${seller.workspace_id}`, title: 'One' },
        ...{ price: 100, currency: 'TRY', delivery_days: 1, fee_bps: 0, platform_fee: 0, seller_payout: 100 },
        revisions_allowed: 0,
      })
      .execute()
    expectProblem(await seller.delete(`${path}/${id}`), 409, 'gig_has_orders')
    expectStatus(await seller.get(`${path}/${id}`), 200)
  })
})

test('credentials that would be refused elsewhere count as none for the public list', async () => {
  const gig = await publishedGig(seller)
  const twice = ['Authorization: Bearer x', 'Authorization: Bearer y']
  for (const headers of [['Authorization: Bearer x'], ['Authorization: Bearer'], twice]) {
    const path = `GET /api/v1/marketplace/gigs/${gig.id} HTTP/1.1`
    expectStatus(await rawRequest(t.url, [path, 'host: x', 'connection: close', ...headers, '', '']), 200)
  }
})

describe('sample_media', () => {
  test('shows images and videos in their order, to everyone while the gig is public', async () => {
    const image = await uploaded(seller)
    const video = await uploaded(seller, { bytes: await videoFile(), name: 'video.mp4', type: 'video/mp4' })
    const gig = await publishedGig(seller, { sample_media: [video.id, image.id] })
    expect(gig.sample_media).toEqual([video.id, image.id])
    expect(gig.samples.map(({ kind }: { kind: string }) => kind)).toEqual(['video', 'image'])
    const { url, thumbnail_url } = gig.samples[1]
    const file = await t.anyone.open('GET', url)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('image/png')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect(file.headers.get('cache-control')).toBe('public, max-age=300')
    expect((await file.arrayBuffer()).byteLength).toBe(image.bytes)
    const part = await t.anyone.open('GET', url, { headers: { range: 'bytes=0-9' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10])
    expectStatus(await t.anyone.get(thumbnail_url), 200)

    expectStatus(await seller.patch(`${path}/${gig.id}`, { status: 'paused' }), 200)
    for (const address of [url, thumbnail_url]) {
      expectProblem(await t.anyone.get(address), 404, 'not_found')
      expectStatus(await seller.get(address), 200)
    }
  })

  test('a file that no gig shows has no public address', async () => {
    const gig = await publishedGig(seller)
    const { id } = await uploaded(seller)
    expectProblem(await t.anyone.get(`${path}/${gig.id}/samples/${id}`), 404, 'not_found')
  })

  test('400 for a document, for a file of another workspace, and for a deleted one', async () => {
    const document = await uploaded(seller, { bytes: Buffer.from('%PDF-1.4\n%%EOF'), name: 'a.pdf' })
    const foreign = await uploaded(await withWorkspace(t))
    const deleted = await uploaded(seller)
    expectStatus(await seller.delete(`/api/v1/media/${deleted.id}`), 204)
    for (const { id } of [document, foreign, deleted]) {
      const { errors } = expectProblem(
        await seller.post(path, { ...newGig, sample_media: [id] }),
        400,
        'validation_failed',
      )
      expect(errors).toMatchObject([{ pointer: '/sample_media/0' }])
    }
  })

  test('409 media_in_use names the gigs, until they show other files', async () => {
    const { id } = await uploaded(seller)
    const gig = await publishedGig(seller, { sample_media: [id] })
    const refused = expectProblem(await seller.delete(`/api/v1/media/${id}`), 409, 'media_in_use')
    expect(refused).toMatchObject({ post_ids: [], gig_ids: [gig.id] })
    expect((await seller.get(`/api/v1/media/${id}/uses`)).body).toEqual({
      post_ids: [],
      approved_posts: 0,
      gig_ids: [gig.id],
      order_ids: [],
      recurring_post_ids: [],
    })
    expectStatus(await seller.patch(`${path}/${gig.id}`, { sample_media: [] }), 200)
    expectStatus(await seller.delete(`/api/v1/media/${id}`), 204)
  })
})
