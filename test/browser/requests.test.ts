import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from '../factories.ts'
import { uploaded } from '../media.ts'
import { newPage } from './browser.ts'
import { dayIn, newPost, ownerIn } from './pages.ts'

const t = await testApp({}, { live: true })

let owner: WorkspaceOwner
let slug: string
let post: { id: string }
beforeAll(async () => {
  owner = await ownerIn(t, 'UTC')
  slug = expectStatus(await owner.get('/api/v1/workspace'), 200).body.slug
  const { id: media_id } = await uploaded(owner)
  post = await newPost(owner, {
    content: 'Warm simit',
    account_ids: [await playgroundAccount(owner)],
    media_ids: [media_id],
    scheduled_at: `${dayIn('UTC', 1)}T12:00:00Z`,
  })
})

const ofShell = ['/me', '/me/pulse', '/workspaces', '/workspace/usage', '/posts/counts', '/marketplace/orders/counts']

/**
 * Opens a page in a browser that knows nothing yet. Returns the paths of its calls, and of its other files, once it has
 * made the expected calls and has nothing else to do.
 */
async function requestsOf(page: Page, path: string, expected: string[]) {
  const calls: string[] = []
  const files: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const call = pathname.split('/api/v1')[1]?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
    if (call === undefined) files.push(pathname)
    // A page polls it, and may do so again before a slow machine has loaded the rest.
    else if (call !== '/me/pulse' || !calls.includes(call)) calls.push(call)
  })
  await page.goto(`/w/${slug}${path}`)
  await page.getByText('Warm simit').first().waitFor()
  await expect.poll(() => expected.filter((call) => !calls.includes(call))).toEqual([])
  await page.waitForLoadState('networkidle')
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve()))')
  console.log(`${path.split('/')[1]}: ${calls.length + files.length} requests, ${calls.length} of them calls`)
  return { calls, files }
}

test('the page of a post calls only for what it shows, and for nothing twice', async () => {
  const page = await newPage(t, { as: owner, emptyCache: true })
  const ofPost = ['/posts/:id', '/posts/:id/review', '/posts/:id/comments', '/posts/:id/versions']
  const ofContent = ['/accounts', '/accounts/networks', '/media/:id', '/media/:id/file']
  const expected = [...ofShell, ...ofPost, ...ofContent]
  const { calls, files } = await requestsOf(page, `/posts/${post.id}`, expected)
  expect(calls.toSorted()).toEqual(expected.toSorted())
  expect(files.length).toBeLessThanOrEqual(18)
  // The names of members are for mentions.
  const members = page.waitForResponse(/\/workspace\/members/)
  await page.getByRole('textbox', { name: 'New comment' }).focus()
  await members
})

test('the calendar calls only for what it shows, and for nothing twice', async () => {
  const page = await newPage(t, { as: owner, emptyCache: true })
  const ofPosts = ['/posts/summaries', '/recurring-posts/upcoming', '/accounts/:id/queue', '/media/:id/thumbnail']
  const others = ['/accounts', '/accounts/networks', '/account-groups', '/calendar-notes']
  const expected = [...ofShell, ...ofPosts, ...others]
  // The calendar asks for posts in review only if the counts, which come last here, have some.
  const summaries = page.waitForResponse(/\/posts\/summaries/)
  await page.route('**/posts/counts*', (route) => summaries.then(() => route.continue()))
  const { calls, files } = await requestsOf(page, '/calendar', expected)
  expect(calls.toSorted()).toEqual(expected.toSorted())
  expect(files.length).toBeLessThanOrEqual(14)
})
