import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { newGig, publishedGig } from '../../../../test/gigs.ts'
import { expectProblem } from '../../../../test/problem.ts'

const path = '/api/v1/marketplace/gigs'

const t = await testApp()
const seller = await withWorkspace(t)

const listed = async (query: Record<string, string | number> = {}) => {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return expectStatus(await t.anyone.get(`${path}?${search}`), 200).body
}
const titles = async (query: Record<string, string | number> = {}) =>
  (await listed(query)).data.map(({ title }: { title: string }) => title)

describe('search', () => {
  test('finds Turkish and English words by their beginnings, without regard to case and accents', async () => {
    const category = 'words'
    const make = (title: string, description = 'x') =>
      publishedGig(seller, { title, description, categories: [category] })
    await make('Kafeler için sosyal medya gönderileri')
    await make('Instagram reels editing', 'Short VIDEOS with subtitles')
    await make('ÇOK İYİ IŞIKLI ÇEKİM', 'Ürün fotoğrafları')
    const found = (search: string) => titles({ search, category })
    const [cafes, reels, shoot] = [
      'Kafeler için sosyal medya gönderileri',
      'Instagram reels editing',
      'ÇOK İYİ IŞIKLI ÇEKİM',
    ]
    expect(await found('gönderi')).toEqual([cafes])
    expect(await found('GONDERI medya')).toEqual([cafes])
    expect(await found('video')).toEqual([reels])
    expect(await found('subtitle, short')).toEqual([reels])
    expect(await found('isikli cekim')).toEqual([shoot])
    expect(await found('ışıklı')).toEqual([shoot])
    expect(await found('fotoğraf')).toEqual([shoot])
    expect(await found('iy')).toEqual([])
    expect(await found('afeler')).toEqual([])
    expect(await found('words')).toEqual([shoot, reels, cafes])
    for (const search of ["'", "x' | 'y", ':*', '\\', '🎉', '%', '((']) expect(await found(search)).toEqual([])
  })

  test('a category has one key for all its spellings', async () => {
    await publishedGig(seller, { title: 'Spelled', categories: ['Kısa Video & Reels'] })
    for (const category of ['Kısa Video & Reels', 'kisa-video-reels', 'KISA VIDEO REELS'])
      expect(await titles({ category })).toEqual(['Spelled'])
    expect(await titles({ category: 'kısa' })).toEqual([])
  })
})

describe('filters and orders', () => {
  const category = 'prices'
  beforeAll(async () => {
    for (const [title, price, currency] of [
      ['a', 100, 'TRY'],
      ['b', 99.99, 'TRY'],
      ['c', 1_000_000, 'TRY'],
      ['d', 100, 'USD'],
      ['e', 1, 'TRY'],
    ] as const) {
      t.advance(10)
      await publishedGig(seller, { title, price, currency, categories: [category] })
    }
  })

  test('the newest come first, by their first publication', async () => {
    expect(await titles({ category })).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  test('a price range has its bounds, in one currency', async () => {
    expect(await titles({ category, currency: 'TRY', price_min: 99.99, price_max: 100 })).toEqual(['b', 'a'])
    expect(await titles({ category, currency: 'TRY', price_min: 100 })).toEqual(['c', 'a'])
    expect(await titles({ category, currency: 'USD', price_max: 100 })).toEqual(['d'])
    expect(await titles({ category, currency: 'TRY', price_min: 5, price_max: 4 })).toEqual([])
    for (const query of ['price_min=1', 'price_max=1', 'sort=price_asc']) {
      const { errors } = expectProblem(await t.anyone.get(`${path}?${query}`), 400, 'validation_failed')
      expect(errors).toMatchObject([{ pointer: '/currency' }])
    }
  })

  test.each([
    ['price_asc', ['e', 'b', 'a', 'c']],
    ['price_desc', ['c', 'a', 'b', 'e']],
    ['newest', ['e', 'c', 'b', 'a']],
  ])('pages of the order %s have every gig once', async (sort, expected) => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await listed({ category, currency: 'TRY', sort, limit: 1, ...(cursor && { cursor }) })
      found.push(...page.data.map(({ title }: { title: string }) => title))
      cursor = page.next_cursor
    } while (cursor)
    expect(found).toEqual(expected)
  })

  test('ratings order gigs, where a single one counts less than many', async () => {
    const rate = (title: string, rating_count: number, rating_sum: number) =>
      t.deps.db.updateTable('gig').set({ rating_count, rating_sum }).where('title', '=', title).execute()
    await rate('a', 100, 480)
    await rate('b', 1, 5)
    await rate('c', 10, 20)
    expect(await titles({ category, sort: 'rating' })).toEqual(['a', 'b', 'e', 'd', 'c'])
    const [first] = (await listed({ category, sort: 'rating' })).data
    expect([first.rating, first.rating_count]).toEqual([4.8, 100])
  })

  test('400 for the cursor of another order, and for one that no list returned', async () => {
    const { next_cursor } = await listed({ limit: 1 })
    for (const query of [`sort=rating&cursor=${next_cursor}`, 'cursor=x'])
      expectProblem(await t.anyone.get(`${path}?${query}`), 400, 'validation_failed')
  })
})

describe('what is listed', () => {
  test('no draft, paused or hidden gig, and none of a banned seller or a deleted workspace', async () => {
    const admin = await signedIn(t, { instanceAdmin: true })
    const search = 'hideandseek'
    const of = async (who: WorkspaceOwner) => publishedGig(who, { title: search })
    const [banned, gone, here] = [await withWorkspace(t), await withWorkspace(t), await withWorkspace(t)]
    const made = [await of(banned), await of(gone), await of(here)]
    const hidden = await of(here)
    expectStatus(await here.post(path, { ...newGig, title: search }), 201)
    expect((await titles({ search })).length).toBe(4)
    expectStatus(await admin.post(`/api/v1/admin/users/${banned.id}/ban`, {}), 200)
    const { name } = (await gone.get('/api/v1/workspace')).body
    expectStatus(await gone.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    await t.deps.db.updateTable('gig').set({ taken_down_at: t.clock.now() }).where('id', '=', hidden.id).execute()
    const { data } = await listed({ search })
    expect(data.map(({ id }: { id: string }) => id)).toEqual([made[2].id])
    for (const { id } of [made[0], made[1], hidden])
      expectProblem(await t.anyone.get(`${path}/${id}`), 404, 'not_found')
    expectStatus(await admin.post(`/api/v1/admin/users/${banned.id}/unban`), 200)
    expect((await titles({ search })).length).toBe(2)
  })

  test('a page of rare words is found among many other gigs, and so is a page in the middle', async () => {
    const { id: owner_id, workspace_id } = await withWorkspace(t)
    const rows = Array.from({ length: 2500 }, (_, n) => ({
      ...{ owner_id, workspace_id, slug: `many-${n}`, description: 'x', currency: 'USD' as const, delivery_days: 1 },
      title: n % 600 === 7 ? `Trüf ${n}` : `Simit ${n}`,
      ...{ price: 100 + n, status: 'published' as const, published_at: new Date(Date.UTC(2020, 0, 1) + n * 1000) },
    }))
    await t.deps.db.insertInto('gig').values(rows).execute()
    const search = 'trüf'
    expect(await titles({ search })).toEqual(['Trüf 2407', 'Trüf 1807', 'Trüf 1207', 'Trüf 607', 'Trüf 7'])
    expect(await titles({ search, currency: 'USD', price_max: 15, sort: 'price_asc' })).toEqual([
      'Trüf 7',
      'Trüf 607',
      'Trüf 1207',
    ])
    const { next_cursor } = await listed({ search, limit: 3 })
    expect(await titles({ search, limit: 3, cursor: next_cursor })).toEqual(['Trüf 607', 'Trüf 7'])
    expect((await titles({ search: 'simit', limit: 100 })).length).toBe(100)
    await t.deps.db.insertInto('signature').values({ user_id: owner_id, handle: 'many', text: 'Hello' }).execute()
    const ofSeller = { seller: 'many', currency: 'USD' }
    expect(await titles({ ...ofSeller, limit: 2 })).toEqual(['Simit 2499', 'Simit 2498'])
    expect(await titles({ ...ofSeller, limit: 2, sort: 'price_asc' })).toEqual(['Simit 0', 'Simit 1'])
    expect(await titles({ ...ofSeller, search })).toEqual(['Trüf 2407', 'Trüf 1807', 'Trüf 1207', 'Trüf 607', 'Trüf 7'])
    expect(await titles({ seller: 'many', search: 'nowhere' })).toEqual([])
  })
})
