import { beforeEach, describe, expect, test } from 'vitest'
import { fileOf, request } from './request.ts'
import { type WordPressServer, wordpressServer } from './wordpress.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const ALL = 'status=draft,publish,future,pending,private'

let site: WordPressServer
let author: string
beforeEach(async () => {
  site = await wordpressServer()
  author = credentials()
  return site.close
})

const basic = (login: string, password: string) => `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
function credentials(user?: Parameters<WordPressServer['addUser']>[0]) {
  const { login, password } = site.addUser(user)
  return basic(login, password)
}
const call = (method: string, path: string, body?: unknown, authorization: string | null = author) =>
  request(method, `${site.url}/wp-json/wp/v2${path}`, authorization ? { authorization } : {}, body)
const post = async (fields: object) => (await call('POST', '/posts', fields)).body
const codeOf = async (...args: Parameters<typeof call>) => {
  const { status, body } = await call(...args)
  return [status, body.code]
}
const sendFile = (name: string, headers = {}, authorization = author) => {
  const own = { authorization, 'content-type': 'image/png', 'content-disposition': `attachment; filename="${name}"` }
  return request('POST', `${site.url}/wp-json/wp/v2/media`, { ...own, ...headers }, PNG)
}

describe('a site of WordPress', () => {
  test('names its API in a header, also without pretty permalinks', async () => {
    const plain = await wordpressServer({ permalinks: 'plain', applicationPasswords: false })
    const linkOf = async ({ url }: WordPressServer) => (await fetch(url, { method: 'HEAD' })).headers.get('link')
    expect(await linkOf(site)).toBe(`<${site.url}/wp-json/>; rel="https://api.w.org/"`)
    expect(await linkOf(plain)).toBe(`<${plain.url}/index.php?rest_route=/>; rel="https://api.w.org/"`)
    expect((await fetch(`${plain.url}/wp-json/`)).status).toBe(404)
    const root = await request('GET', `${plain.url}/?rest_route=/`, {})
    expect(root.body).toMatchObject({ name: 'A site', authentication: [] })
    plain.close()
  })

  test('treats a wrong password as nobody, who may read what is public', async () => {
    const wrong = basic('author', 'wrong')
    expect((await call('GET', '/users/me?context=edit')).body).toMatchObject({
      username: 'author',
      capabilities: { publish_posts: true, upload_files: true },
    })
    expect(await codeOf('GET', '/users/me', undefined, wrong)).toEqual([401, 'rest_not_logged_in'])
    expect((await call('GET', '/posts', undefined, wrong)).status).toBe(200)
    expect(await codeOf('GET', '/posts?status=draft', undefined, wrong)).toEqual([400, 'rest_invalid_param'])
    expect(await codeOf('POST', '/posts', { title: 'x' }, wrong)).toEqual([401, 'rest_cannot_create'])
  })

  test('lets each role do only what is its own', async () => {
    const contributor = credentials({ login: 'contributor', role: 'contributor' })
    const live = { title: 'x', status: 'publish' }
    expect(await codeOf('POST', '/posts', live, contributor)).toEqual([403, 'rest_cannot_publish'])
    expect((await sendFile('a.png', {}, contributor)).body.code).toBe('rest_cannot_create')
    expect(await codeOf('POST', '/categories', { name: 'x' }, contributor)).toEqual([403, 'rest_cannot_create'])
    const { id } = await post(live)
    expect(await codeOf('POST', `/posts/${id}`, { title: 'y' }, contributor)).toEqual([403, 'rest_cannot_edit'])
  })

  test('gives a slug that is taken another number, and finds a draft by its slug', async () => {
    const first = await post({ title: 'One', slug: 'key-1' })
    expect(first).toMatchObject({ status: 'draft', slug: 'key-1', title: { raw: 'One' } })
    expect((await post({ title: 'One', slug: 'key-1' })).slug).toBe('key-1-2')
    const found = await call('GET', `/posts?slug=key-1&${ALL}&_fields=id,status`)
    expect(found.body).toEqual([{ id: first.id, status: 'draft' }])
    expect((await call('GET', '/posts?slug=key-1', undefined, null)).body).toEqual([])
  })

  test('publishes by id as often as asked, and schedules what is in the future', async () => {
    const { id } = await post({ title: 'Two', content: '<p>Hi &amp; bye</p>', slug: 'key-2' })
    expect(site.stored().some((each) => each.id === String(id))).toBe(false)
    for (let time = 0; time < 2; time++) {
      const { status, body } = await call('POST', `/posts/${id}`, { status: 'publish', slug: 'nice' })
      expect([status, body.slug, body.link]).toEqual([200, 'nice', `${site.url}/nice/`])
    }
    expect(site.stored().filter((each) => each.id === String(id))).toMatchObject([{ text: 'Hi & bye' }])
    const later = await post({ title: 'x', status: 'publish', date_gmt: '2090-01-01T00:00:00' })
    expect(later.status).toBe('future')
  })

  test('moves a post to the trash once, and deletes it by force', async () => {
    const { id, slug } = await post({ title: 'Three', status: 'publish' })
    expect((await call('DELETE', `/posts/${id}`)).body).toMatchObject({ status: 'trash', slug: `${slug}__trashed` })
    expect(site.stored().find((each) => each.id === String(id))?.deleted).toBe(true)
    expect(await codeOf('DELETE', `/posts/${id}`)).toEqual([410, 'rest_already_trashed'])
    expect((await call('DELETE', `/posts/${id}?force=true`)).body.deleted).toBe(true)
    expect(await codeOf('DELETE', `/posts/${id}?force=true`)).toEqual([404, 'rest_post_invalid_id'])
  })

  test.each([
    ['an unknown status', { title: 'x', status: 'weird' }, 'rest_invalid_param'],
    ['an unknown format', { title: 'x', format: 'weird' }, 'rest_invalid_param'],
    ['a featured picture that is no id', { title: 'x', featured_media: 'x' }, 'rest_invalid_param'],
    ['nothing', { title: '', content: '' }, 'empty_content'],
  ])('refuses %s', async (_, fields, code) => {
    expect(await codeOf('POST', '/posts', fields)).toEqual([400, code])
  })

  test('creates a term once, and names the one that exists', async () => {
    const { id } = (await call('POST', '/tags', { name: 'News' })).body
    expect((await call('POST', '/tags', { name: 'news' })).body).toMatchObject({
      code: 'term_exists',
      data: { status: 400, term_id: id },
    })
    expect((await post({ title: 'x', tags: [id, 999] })).tags).toEqual([id])
  })

  test('takes a file as a body with its name or as a form, and refuses a type with 500', async () => {
    const { body } = await sendFile('a.png')
    expect(body).toMatchObject({ mime_type: 'image/png', alt_text: '' })
    expect((await sendFile('a.png')).body.source_url).toMatch(/\/a-1\.png$/)
    const form = new FormData()
    form.set('file', fileOf(PNG, 'image/png', 'b.png'))
    expect((await call('POST', '/media', form)).status).toBe(201)
    expect((await sendFile('a.svg')).status).toBe(500)
    expect((await sendFile('a.svg')).body.code).toBe('rest_upload_sideload_error')
    expect((await sendFile('a.png', { 'content-disposition': 'inline' })).body.code).toBe(
      'rest_upload_invalid_disposition',
    )
    await call('POST', `/media/${body.id}`, { alt_text: 'A square' })
    await post({ title: 'With picture', status: 'publish', featured_media: body.id })
    expect(site.stored().at(-1)?.media).toEqual([{ type: 'image/png', alt: 'A square' }])
    expect(await codeOf('DELETE', `/media/${body.id}`)).toEqual([501, 'rest_trash_not_supported'])
  })

  test('fails as hosts do, with pages of their own, before or after the post is saved', async () => {
    const before = site.stored().length
    const publish = () =>
      fetch(`${site.url}/wp-json/wp/v2/posts`, {
        method: 'POST',
        headers: { authorization: author, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'x', status: 'publish' }),
      })
    site.fault('rate_limited')
    const limited = await publish()
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '120'])
    site.fault('server_error_after_saving')
    expect((await publish()).headers.get('content-type')).toBe('text/html; charset=UTF-8')
    expect(site.stored()).toHaveLength(before + 1)
    site.fault('token_ends')
    expect((await publish()).status).toBe(401)
  })
})
