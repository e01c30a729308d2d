import { parseDocument } from 'htmlparser2'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { download, uploaded } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { publishTarget } from '../../posts/publishing/publishing.ts'

const t = await testApp()

const HOUR = 3600_000
const DAY = 24 * HOUR

async function withFeed(form: object = {}) {
  const owner = await withWorkspace(t)
  const fields = { network: 'rss', title: 'Bakery & sons', description: 'News', language: 'tr', ...form }
  const { body: account } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  const path: string = account.url.replace(t.deps.baseUrl, '')
  const fetchFeed = (headers?: Record<string, string>) => t.anyone.get(path, headers)
  const publish = async (content: string, options: object = {}, fields: object = {}) => {
    const post = { content, targets: [{ account_id: account.id, options }], publish_now: true, ...fields }
    const { body } = expectStatus(await owner.post('/api/v1/posts', post), 201)
    await t.runJobs()
    return expectStatus(await owner.get(`/api/v1/posts/${body.id}`), 200).body
  }
  return { owner, account, path, fetchFeed, publish }
}

type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] }

/** The elements of XML. Text that breaks out of its place would be among them. */
function elementsOf(xml: string): Element[] {
  const walk = (nodes: ReturnType<typeof parseDocument>['children']): Element[] =>
    nodes.flatMap((node) => {
      if (!('children' in node) || !('name' in node)) return []
      const inner = node.children.map((child) => {
        if ('data' in child) return child.data
        return child.type === 'cdata' ? child.children.map((text) => ('data' in text ? text.data : '')).join('') : ''
      })
      return [{ name: node.name, attributes: node.attribs, text: inner.join(''), children: walk(node.children) }]
    })
  return walk(parseDocument(xml, { xmlMode: true }).children)
}

function read(xml: string) {
  const [rss] = elementsOf(xml)
  const channel = rss?.children[0]?.children ?? []
  const textOf = (elements: Element[], name: string) => elements.find((element) => element.name === name)?.text
  const items = channel
    .filter(({ name }) => name === 'item')
    .map(({ children }) => ({
      ...Object.fromEntries(children.map(({ name, text }) => [name, text])),
      names: children.map(({ name }) => name),
      description: textOf(children, 'description'),
      permalink: children.find(({ name }) => name === 'guid')?.attributes.isPermaLink,
      enclosure: children.find(({ name }) => name === 'enclosure')?.attributes,
    }))
  return {
    title: textOf(channel, 'title'),
    language: textOf(channel, 'language'),
    link: textOf(channel, 'link'),
    items,
  }
}

describe('a feed', () => {
  test('is served at an address that cannot be guessed, with the texts of its form', async () => {
    const { account, fetchFeed } = await withFeed({ link: 'https://bakery.example/?a=1&b=2' })
    expect(account).toMatchObject({
      network: 'rss',
      name: 'Bakery & sons',
      handle: 'Bakery & sons',
      status: 'connected',
    })
    expect(account.url).toMatch(/^http:\/\/meydan\.test\/feeds\/[\w-]{24}\.xml$/)
    const { headers, body } = expectStatus(await fetchFeed(), 200)
    expect(headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    expect(read(body)).toEqual({
      title: 'Bakery & sons',
      language: 'tr',
      link: 'https://bakery.example/?a=1&b=2',
      items: [],
    })
  })

  test('is in the language of the workspace unless its form names another', async () => {
    const { owner, fetchFeed } = await withFeed({ language: undefined })
    expect(read((await fetchFeed()).body).language).toBe('tr')
    expectStatus(await owner.patch('/api/v1/workspace', { locale: 'en' }), 200)
    expect(read((await fetchFeed()).body).language).toBe('en')
  })

  test.each(['bakery.com', 'javascript:alert(1)', 'https://a@b.com', 'https://a b.com'])(
    '400 for a post whose link is %s',
    async (link) => {
      const { owner, account } = await withFeed()
      const body = { content: 'Text', targets: [{ account_id: account.id, options: { link } }] }
      expectProblem(await owner.post('/api/v1/posts', body), 400, 'validation_failed', '/targets/0/options/link')
    },
  )

  test('is not made from texts that do not fit', async () => {
    const { owner } = await withFeed()
    const connect = (form: object) => owner.post('/api/v1/accounts', { network: 'rss', title: 'A', ...form })
    expectProblem(await connect({ title: ' ' }), 400, 'validation_failed', '/title')
    expectProblem(await connect({ description: 'x'.repeat(1001) }), 400, 'validation_failed', '/description')
    expectProblem(await connect({ language: 'Turkish!' }), 400, 'validation_failed', '/language')
    expectProblem(await connect({ link: 'javascript:alert(1)' }), 400, 'validation_failed', '/link')
  })

  test('has each post once, newest first, by the key of the post', async () => {
    const { publish, fetchFeed } = await withFeed()
    await publish('First line\n\nSee https://example.org/a?b=1&c=2.')
    const second = await publish('Text', { title: 'A title', link: 'https://example.org/page' })
    expect(second.targets[0]).toMatchObject({ status: 'published', url: 'https://example.org/page' })
    const { items } = read((await fetchFeed()).body)
    expect(items).toMatchObject([
      {
        title: 'A title',
        link: 'https://example.org/page',
        guid: second.targets[0].id,
        permalink: 'false',
        description: '<p>Text</p>',
      },
      { title: 'First line', link: 'https://example.org/a?b=1&c=2', description: expect.stringMatching(/^<p>See <a /) },
    ])
  })

  test('shows a changed text, and loses what was deleted there', async () => {
    const { owner, publish, fetchFeed } = await withFeed()
    const { id, targets } = await publish('Old title\nOld text')
    t.advance(HOUR)
    const { headers } = await fetchFeed()
    const since = { 'if-modified-since': headers.get('last-modified') ?? '' }
    expectStatus(await owner.patch(`/api/v1/posts/${id}/targets/${targets[0].id}`, { content: 'New\nText' }), 200)
    const changed = expectStatus(await fetchFeed(since), 200)
    expect(read(changed.body).items).toMatchObject([{ title: 'New', description: '<p>Text</p>', guid: targets[0].id }])
    t.advance(HOUR)
    expectStatus(await owner.post(`/api/v1/posts/${id}/unpublish`), 200)
    expect(read(expectStatus(await fetchFeed(since), 200).body).items).toEqual([])
  })

  test('has the files of a post, at addresses that work for a month and are signed anew each week', async () => {
    const { owner, publish, fetchFeed } = await withFeed()
    const first = await uploaded(owner, { fields: [['alt', 'A "tray"']] })
    const { id } = await uploaded(owner)
    await publish('Two images', {}, { media_ids: [first.id, id] })
    const readFiles = async () => {
      const { body } = await fetchFeed()
      const [item] = read(body).items
      const addresses = [...(item?.description ?? '').matchAll(/<img src="([^"]+)"/g)].map(([, url = '']) => url)
      return { ...item, addresses }
    }
    const { addresses, enclosure, description } = await readFiles()
    expect(addresses).toHaveLength(2)
    expect(enclosure).toEqual({ url: addresses[0], type: 'image/png', length: String(first.bytes) })
    expect(description).toContain('alt="A &quot;tray&quot;"')
    const path = (addresses[1] ?? '').replace(t.deps.baseUrl, '')
    t.advance(30 * DAY)
    expect((await download(t.anyone, path)).status).toBe(200)
    t.advance(8 * DAY)
    expect((await download(t.anyone, path)).status).toBe(404)
    const renewed = (await readFiles()).addresses[1] ?? ''
    expect((await download(t.anyone, renewed.replace(t.deps.baseUrl, ''))).status).toBe(200)
  })

  test('has one item after a worker died, however often the post is published', async () => {
    const { publish, fetchFeed } = await withFeed()
    const { id, targets } = await publish('Once')
    const begun = [{ name: 'post 0', state: 'begun', part: 0, begun_at: t.clock.now() }]
    await sql`update post set status = 'publishing' where id = ${id}`.execute(t.deps.db)
    await sql`update post_target set status = 'unconfirmed', steps = ${JSON.stringify(begun)}
      where id = ${targets[0].id}`.execute(t.deps.db)
    await publishTarget(t.deps, { target_id: targets[0].id })
    expect(read((await fetchFeed()).body).items).toMatchObject([{ title: 'Once' }])
  })

  test('stays well-formed, whatever a text contains', async () => {
    const hostile = ']]>]]><script>alert(1)</script></item>&amp;<![CDATA[\u0001\uffff "\''
    const { publish, fetchFeed } = await withFeed({ title: `<b>${hostile}`, description: hostile })
    const post = await publish(`${hostile}\n${hostile}`, { title: hostile, link: 'https://e.org/"><x>?a=]]>&b' })
    const { body } = await fetchFeed()
    const { title, items } = read(body)
    expect(title).toContain('<script>alert(1)</script></item>')
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      names: ['title', 'link', 'guid', 'pubDate', 'description'],
      title: expect.stringContaining('<script>alert(1)</script></item>&amp;<![CDATA['),
      description: expect.stringContaining('&lt;script&gt;alert(1)'),
      guid: post.targets[0].id,
    })
    for (const character of ['\u0001', '\uffff', ']]>]']) expect(body).not.toContain(character)
  })

  test('has the hundred newest posts', async () => {
    const { account, owner, fetchFeed } = await withFeed()
    await sql`insert into rss_item (workspace_id, account_id, attempt_key, title, content, created_at, updated_at)
      select ${owner.workspace_id}, ${account.id}, gen_random_uuid(), 'Item ' || n, 'Text', now(), now()
      from generate_series(1, 101) n`.execute(t.deps.db)
    const { items } = read((await fetchFeed()).body)
    expect(items).toHaveLength(100)
    expect(items[0]).toMatchObject({ title: 'Item 101' })
  })

  test('is not sent again until it changes', async () => {
    // Into a new week, since addresses of files are signed again each week.
    t.advance(7 * DAY - (t.clock.now().getTime() % (7 * DAY)))
    const { publish, fetchFeed } = await withFeed()
    await publish('One')
    const atOnce = await fetchFeed()
    expect(atOnce.headers.get('last-modified')).toBeNull()
    t.advance(HOUR)
    const { headers } = await fetchFeed()
    const etag = headers.get('etag') ?? ''
    const modified = headers.get('last-modified') ?? ''
    expect([etag, etag]).toEqual([atOnce.headers.get('etag'), expect.stringMatching(/^"[\w-]{27}"$/)])
    const known = { 'if-none-match': `W/${etag}` }
    expect(await fetchFeed(known)).toMatchObject({ status: 304, body: '' })
    expect((await fetchFeed({ 'if-modified-since': modified })).status).toBe(304)
    expect((await fetchFeed({ 'if-none-match': '"other"', 'if-modified-since': modified })).status).toBe(200)
    await publish('Two')
    t.advance(HOUR)
    expect((await fetchFeed(known)).status).toBe(200)
    expect((await fetchFeed({ 'if-modified-since': modified })).status).toBe(200)
  })

  test('is sent again each week, because the addresses of its files are signed anew', async () => {
    const { fetchFeed } = await withFeed()
    const { headers } = await fetchFeed()
    t.advance(7 * DAY)
    expect((await fetchFeed({ 'if-none-match': headers.get('etag') ?? '' })).status).toBe(200)
  })

  test('is found by nobody without its address, nor after its account was disconnected', async () => {
    const { owner, account, path, fetchFeed } = await withFeed()
    const html = { accept: 'text/html' }
    expectProblem(await t.anyone.get('/feeds/unknown.xml', html), 404, 'not_found')
    expectProblem(await t.anyone.get('/feeds/', html), 404, 'not_found')
    expectStatus(await t.anyone.call('HEAD', path), 200)
    expectStatus(await owner.delete(`/api/v1/accounts/${account.id}`), 204)
    expectProblem(await fetchFeed(), 404, 'not_found')
  })

  test('ends with its workspace, and is erased with it', async () => {
    const { owner, publish, fetchFeed } = await withFeed()
    await publish('Private soon')
    const { name } = (await owner.get('/api/v1/workspace')).body
    expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    expectProblem(await fetchFeed(), 404, 'not_found')
    const { db } = t.deps
    await sql`update workspace set deleted_at = deleted_at - interval '31 days'
      where id = ${owner.workspace_id}`.execute(db)
    await inTransaction(db, (tx) => addJob(tx, 'erase-deleted-workspaces', {}))
    await t.runJobs()
    const { rows } = await sql`select from workspace where id = ${owner.workspace_id}
      union all select from rss_item where workspace_id = ${owner.workspace_id}`.execute(db)
    expect(rows).toEqual([])
  })
})
