import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { dated, rssOf, tenEntries } from '../../../../test/feed-site.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { webSite } from '../../../../test/web-site.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const path = '/api/v1/agents/sources/find'
const find = async (url: string) => expectStatus(await owner.get(`${path}?url=${encodeURIComponent(url)}`), 200).body
const html = (head: string, body = '<main>Fresh from seven.</main>') => ({
  type: 'text/html',
  body: `<html><head><title>Café</title>${head}</head><body>${body}</body></html>`,
})
const rss = (body: string) => ({ type: 'application/rss+xml', body })
const link = (href: string, type = 'application/rss+xml') => `<link rel="alternate" type="${type}" href="${href}">`

test('a feed is found at its own address, with its three newest entries', async () => {
  const { url, calls } = await webSite({ '/feed.xml': rss(tenEntries((n) => `<title>Entry ${n}</title>${dated(n)}`)) })
  const found = await find(`${url}/feed.xml`)
  expect(found).toMatchObject({ error: null, page: null, feeds: [{ url: `${url}/feed.xml` }] })
  expect(found.feeds[0].entries).toMatchObject([
    { title: 'Entry 10', text: 'Text 10', published_at: '2026-01-10T09:00:00.000Z' },
    { title: 'Entry 9' },
    { title: 'Entry 8' },
  ])
  expect(calls).toEqual(['/feed.xml'])
})

test('the feeds that a page names are found, those that can be read and each once, beside the text of the page', async () => {
  const { url, calls } = await webSite({
    '/': html(
      `${link('/news.xml')}${link('/moved.xml')}${link('/none.xml')}${link('/atom', 'application/atom+xml')}${link('/style.css', 'text/css')}`,
      '<nav>Home</nav><main>Fresh from seven.</main>',
    ),
    '/news.xml': rss(rssOf([{ id: 'https://news.example/1', title: 'New hours' }])),
    '/moved.xml': { location: '/news.xml' },
    '/atom': html('', 'No feed'),
  })
  const { feeds, page } = await find(`${url}/`)
  expect(feeds).toMatchObject([{ url: `${url}/news.xml`, entries: [{ title: 'New hours', url: null }] }])
  expect(page).toEqual({ url: `${url}/`, title: 'Café', text: 'Fresh from seven.' })
  expect(calls).not.toContain('/style.css')
})

test('feeds are looked for at the usual paths when the page names none', async () => {
  const { url } = await webSite({ '/blog/': html(''), '/feed': rss(rssOf([{ id: 'a', title: 'Simit' }])) })
  expect(await find(`${url}/blog/`)).toMatchObject({ feeds: [{ url: `${url}/feed`, entries: [{ title: 'Simit' }] }] })
})

test('addresses inside are not called, neither named by a person nor by a page', async () => {
  expect(await find('http://169.254.169.254/')).toEqual({ error: 'url_not_allowed', feeds: [], page: null })
  const { url } = await webSite({ '/': html(`${link('http://10.0.0.1/feed')}${link('file:///etc/passwd')}`) })
  expect(await find(`${url}/`)).toMatchObject({ error: null, feeds: [], page: { title: 'Café' } })
})

test('the reason is returned for an address that cannot be read', async () => {
  const { url } = await webSite({ '/empty': { type: 'text/html', body: '' } })
  expect(await find(`${url}/absent`)).toEqual({ error: 'not_found', feeds: [], page: null })
  expect(await find(`${url}/empty`)).toEqual({ error: 'unreadable', feeds: [], page: null })
  expectProblem(await owner.get(`${path}?url=ftp://cafe.example`), 400, 'validation_failed', '/url')
})

test('a page with thousands of links and open elements is read within bounds', async () => {
  const { url, calls } = await webSite({
    '/': html(Array.from({ length: 2000 }, (_, n) => link(`/feed-${n}`)).join(''), '<div>'.repeat(50_000)),
  })
  expect((await find(`${url}/`)).feeds).toEqual([])
  expect(calls.length).toBe(6)
})
