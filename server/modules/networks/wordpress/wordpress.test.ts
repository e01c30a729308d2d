import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { uploaded } from '../../../../test/media.ts'
import { describeFaults } from '../../../../test/network-faults.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { type WordPressServer, wordpressServer } from '../../../../test/stand-ins/wordpress.ts'

const t = await testApp()
const site = await wordpressServer()
afterAll(() => site.close())

type Role = NonNullable<Parameters<WordPressServer['addUser']>[0]>['role']

async function startSite(options: Parameters<typeof wordpressServer>[0] = {}) {
  const server = await wordpressServer(options)
  onTestFinished(server.close)
  return server
}

const formOf = (server: WordPressServer, role: Role = 'editor') => {
  const { login: user, password: app_password } = server.addUser({ role })
  return { network: 'wordpress', site: server.url, user, app_password }
}

async function withSite(server = site, role: Role = 'editor') {
  const owner = await withWorkspace(t)
  const { body } = expectStatus(await owner.post('/api/v1/accounts', formOf(server, role)), 201)
  const account: string = body.id
  const publish = async (content: string, options: object = {}, fields: object = {}) => {
    const post = { content, targets: [{ account_id: account, options }], publish_now: true, ...fields }
    const { body: created } = expectStatus(await owner.post('/api/v1/posts', post), 201)
    await t.runJobs()
    return expectStatus(await owner.get(`/api/v1/posts/${created.id}`), 200).body
  }
  return { owner, account, publish, body, server }
}

const postOf = ({ posts }: WordPressServer, { targets }: { targets: { external_id: string }[] }) => {
  const post = posts.get(Number(targets[0]?.external_id))
  if (!post) throw new Error('The site does not have the post')
  return post
}

describe('connecting a site of WordPress', () => {
  test('takes name and address from the site, and finds its API from its address without a scheme', async () => {
    const { body } = await withSite()
    expect(body).toMatchObject({
      name: 'A site',
      handle: `author@${new URL(site.url).host}`,
      url: `${site.url}/`,
      limits: {},
      form: { site: site.url, user: 'author' },
    })
  })

  test('finds the API of a site without pretty permalinks', async () => {
    const { publish } = await withSite(await startSite({ permalinks: 'plain' }))
    expect((await publish('Plain')).status).toBe('published')
  })

  test('shows the name of a site as text that can be stored', async () => {
    const { body } = await withSite(await startSite({ name: 'Tom &amp; <b>Ada</b>\u0000' }))
    expect(body.name).toBe('Tom & Ada')
    // A million beginnings of tags are read within a moment.
    const { body: second } = await withSite(await startSite({ name: '<'.repeat(900_000) }))
    expect(second.name).toBe('<'.repeat(80))
  })

  test('reports the field that has to be corrected', async () => {
    const owner = await withWorkspace(t)
    const connect = (fields: object) => owner.post('/api/v1/accounts', { ...formOf(site), ...fields })
    expectProblem(await connect({ site: 'http://10.0.0.1/' }), 400, 'url_not_allowed', '/site')
    expectProblem(await connect({ site: 'http://127.0.0.1:1/' }), 400, 'account_unreachable', '/site')
    expectProblem(await connect({ app_password: 'wrong' }), 400, 'account_refused', '/app_password')
    expectProblem(await connect(formOf(site, 'contributor')), 400, 'account_refused', '/user')
    const without = await startSite({ applicationPasswords: false })
    expectProblem(await connect({ site: without.url }), 400, 'account_refused', '/site')
    const other = await startSite()
    other.failAlways({ kind: 'garbage' })
    expectProblem(await connect({ site: other.url }), 400, 'account_unreachable', '/site')
  })

  test('a check reports a password that was revoked, though everybody may read the site', async () => {
    const { owner, account } = await withSite(await startSite())
    const check = async () => expectStatus(await owner.post(`/api/v1/accounts/${account}/check`), 200).body.status
    expect(await check()).toBe('connected')
    const { owner: other, account: revoked, server } = await withSite(await startSite())
    server.endTokens()
    const { body } = expectStatus(await other.post(`/api/v1/accounts/${revoked}/check`), 200)
    expect(body).toMatchObject({ status: 'disconnected' })
  })
})

describe('publishing on WordPress', () => {
  test('a post has its first line as title, and its paragraphs with links as content', async () => {
    const { publish, server } = await withSite()
    const done = await publish('Bread & <simit>\n\nSee https://example.org/a?b=1&c=2.\nFrom [gallery] 7.\n\nBye')
    const post = postOf(server, done)
    expect(post).toMatchObject({ status: 'publish', slug: 'bread-amp-lt-simit-gt', title: 'Bread &amp; &lt;simit&gt;' })
    expect(post.content.replaceAll(/<!--.*?-->\n?/g, '')).toBe(
      '<p>See <a href="https://example.org/a?b=1&amp;c=2">https://example.org/a?b=1&amp;c=2</a>.<br>From &#91;gallery&#93; 7.</p>\n\n<p>Bye</p>\n',
    )
    expect(done.targets[0].url).toBe(`${site.url}/${post.slug}/`)
  })

  test('a title of its own leaves the text whole, and a long first line is shortened as title only', async () => {
    const { publish, server } = await withSite()
    const own = postOf(server, await publish('First\nSecond', { title: 'A title' }))
    expect([own.title, own.content]).toEqual(['A title', expect.stringContaining('<p>First<br>Second</p>')])
    const line = 'word '.repeat(40).trim()
    const long = postOf(server, await publish(`${line}\nMore`))
    expect(long.title).toMatch(/^(word ){18,19}word…$/)
    expect(long.content).toContain(line)
    const family = '👨‍👩‍👧‍👦'
    expect(postOf(server, await publish(family.repeat(60))).title).toBe(`${family.repeat(9)}…`)
  })

  test('settings choose status, excerpt, comments, categories and tags, and terms are created once', async () => {
    const { publish, server } = await withSite(await startSite())
    const news = server.addCategory('News')
    const options = { excerpt: 'Short', comments: 'closed', categories: ['news', 'Cats & dogs'], tags: ['A', 'B'] }
    const first = postOf(server, await publish('One', options))
    expect(first).toMatchObject({ excerpt: 'Short', comments: 'closed', categories: [news, expect.any(Number)] })
    const second = postOf(server, await publish('Two', { ...options, status: 'draft' }))
    expect(second).toMatchObject({ status: 'draft', slug: '', categories: first.categories, tags: first.tags })
    expect([...server.tags.values()].map(({ name }) => name)).toEqual(['A', 'B'])
  })

  test('a user who may not create a category still publishes in those that exist', async () => {
    const { publish, server } = await withSite(await startSite(), 'author')
    server.addCategory('News')
    expect((await publish('One', { categories: ['News'] })).status).toBe('published')
    expect((await publish('Two', { categories: ['New'] })).targets[0]).toMatchObject({
      status: 'failed',
      error_code: 'rejected_by_network',
      error_message: expect.stringContaining('not allowed to create terms'),
    })
  })

  test('a draft that an earlier attempt left is used, and carries the text of the last one', async () => {
    const { owner, publish, server } = await withSite(await startSite())
    server.fault('refused')
    const failed = await publish('Old')
    expect(failed.status).toBe('failed')
    expectStatus(await owner.patch(`/api/v1/posts/${failed.id}`, { content: 'New' }), 200)
    expectStatus(await owner.post(`/api/v1/posts/${failed.id}/publish`), 200)
    await t.runJobs()
    expect([...server.posts.values()]).toMatchObject([{ title: 'New', status: 'publish', slug: 'new' }])
  })

  test('a changed text changes title and content, and a deleted post goes to the trash once', async () => {
    const { owner, publish, server } = await withSite()
    const done = await publish('Old\nText', { excerpt: 'Short' })
    const change = { content: 'New\nOther' }
    expectStatus(await owner.patch(`/api/v1/posts/${done.id}/targets/${done.targets[0].id}`, change), 200)
    const post = postOf(server, done)
    expect(post).toMatchObject({ title: 'New', slug: 'old', excerpt: 'Short', status: 'publish' })
    expect(post.content).toContain('<p>Other</p>')
    expect(expectStatus(await owner.post(`/api/v1/posts/${done.id}/unpublish`), 200).body.status).toBe('unpublished')
    expect(post.status).toBe('trash')
    const other = await publish('Trashed by hand')
    postOf(server, other).status = 'trash'
    expect(expectStatus(await owner.post(`/api/v1/posts/${other.id}/unpublish`), 200).body.status).toBe('unpublished')
  })

  test('the first image is the featured image, and other files follow the text', async () => {
    const { owner, publish, server } = await withSite(await startSite())
    const alt = (text: string) => ({ fields: [['alt', text]] as [string, string][] })
    const first = await uploaded(owner, { ...alt('A "tray"'), name: 'çay & simit.png' })
    const second = await uploaded(owner, alt('Tea <hot>'))
    const done = await publish('Title\nText', {}, { media_ids: [first.id, second.id] })
    expect(done).toMatchObject({ status: 'published' })
    const [featured, other] = [...server.media.values()]
    expect([featured?.alt, featured?.url]).toEqual(['A "tray"', expect.stringMatching(/\/cay-simit\.png$/)])
    const post = postOf(server, done)
    expect(post).toMatchObject({ featured: featured?.id, status: 'publish' })
    expect(post.content).not.toContain(featured?.url)
    expect(post.content).toContain(`<img src="${other?.url}" alt="Tea &lt;hot&gt;" class="wp-image-${other?.id}"/>`)
    const change = { content: 'Title\nChanged' }
    expectStatus(await owner.patch(`/api/v1/posts/${done.id}/targets/${done.targets[0].id}`, change), 200)
    expect(post.content).toMatch(/<p>Changed<\/p>[\s\S]*<img src="/)
  })

  test('a file whose response was lost is found, and not sent again', async () => {
    const { owner, publish, server } = await withSite(await startSite())
    const { id } = await uploaded(owner)
    server.failNextUpload({ kind: 'response', status: 502, arrives: true })
    const post = await publish('Hi', {}, { media_ids: [id] })
    expect(post.targets[0]).toMatchObject({ status: 'pending', error_code: 'network_unavailable' })
    t.advance(60_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
    expect(server.media.size).toBe(1)
  })

  test.each([
    [500, 'rest_upload_sideload_error', 'Refused.'],
    [413, undefined, 'larger than the site accepts'],
  ])('a file that the site refuses with %i fails the post with the reason', async (status, error, message) => {
    const { owner, publish, server } = await withSite(await startSite())
    const { id } = await uploaded(owner)
    server.failNextUpload({ kind: 'response', status, ...(error && { error, body: { code: error, message } }) })
    expect((await publish('Hi', {}, { media_ids: [id] })).targets[0]).toMatchObject({
      status: 'failed',
      error_code: 'rejected_by_network',
      error_message: expect.stringContaining(message),
    })
    expect(server.stored()).toEqual([])
  })

  test('the error page of a host is described, and its time to wait is kept', async () => {
    const { owner, account, publish, server } = await withSite(await startSite())
    server.fault('rate_limited')
    const { id, targets } = await publish('Wait')
    expect(targets[0]).toMatchObject({ status: 'pending', error_message: expect.stringContaining('status 429') })
    const { held_until } = await t.deps.db
      .selectFrom('account')
      .select('held_until')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
    expect(held_until?.getTime()).toBeGreaterThanOrEqual(t.clock.now().getTime() + 119_000)
    t.advance(121_000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${id}`)).body.status).toBe('published')
  })
})

describeFaults('WordPress', {
  t: () => t,
  connect: async () => {
    const server = await wordpressServer()
    const { owner, account } = await withSite(server)
    return { server, owner, account }
  },
  post: (text) => ({ content: text }),
  visible: 1,
  upload: async (text, { owner }) => ({ content: text, media_ids: [(await uploaded(owner)).id] }),
  outcomes: { processing_never_ends: 'absent', processing_fails: 'absent' },
})
