import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../factories.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { blueskyServer } from '../stand-ins/bluesky.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import {
  blueskyAccount,
  expectPageAccessible,
  main,
  newPost,
  ownerIn,
  pagePath,
  readPost,
  textField,
  visit,
  waitUntilGone,
} from './pages.ts'

const t = await testApp({}, { live: true })
const bluesky = await blueskyServer()
afterAll(bluesky.close)

let owner: WorkspaceOwner
let account: string
beforeEach(async () => {
  owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
})

const saveChanges = (page: Page) => page.getByRole('button', { name: 'Save changes' })
/** Scheduled posts are saved only on purpose. */
const scheduled = () => ({ account_ids: [account], scheduled_at: new Date(Date.now() + 86_400_000) })
const labelsOf = async (id: string): Promise<string[]> =>
  expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body.labels

describe('two people edit one post', () => {
  test('a text that both changed is shown side by side, and nothing is saved before a choice', async () => {
    const colleague = await memberOf(t, owner.workspace_id, 'editor')
    const post = await newPost(owner, { content: 'First', labels: ['old'], ...scheduled() })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
    await textField(page).fill('Mine')
    expectStatus(await colleague.patch(`/api/v1/posts/${post.id}`, { content: 'Theirs', labels: ['new'] }), 200)

    const conflict = page.getByRole('alert').filter({ hasText: 'changed this post' })
    const text = conflict.getByRole('region', { name: 'Text' })
    await text.getByText('Theirs', { exact: true }).waitFor()
    await conflict.getByText('The form now shows the new version of: Labels.').waitFor()
    await saveChanges(page).click()
    await expect.poll(() => conflict.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
    expect((await readPost(owner, post)).content).toBe('Theirs')

    await text.getByRole('button', { name: 'Combine in the text field' }).click()
    await waitUntilGone(conflict)
    expect(await textField(page).inputValue()).toBe('Mine\n\nTheirs')
    await saveChanges(page).click()
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    expect((await readPost(owner, post)).content).toBe('Mine\n\nTheirs')
    expect(await labelsOf(post.id)).toEqual(['new'])
  })

  test('a save that loses the race replaces nothing', async () => {
    const colleague = await memberOf(t, owner.workspace_id, 'editor')
    const post = await newPost(owner, { content: 'First', ...scheduled() })
    const page = await newPage(t, { as: owner, allow: [`412 PATCH /api/v1/posts/${post.id}`] })
    await page.goto(pagePath(owner, `/posts/${post.id}/edit`))
    await textField(page).fill('Mine')
    // The page does not learn of the change before it saves.
    await page.route('**/api/v1/posts?*', (route) => route.abort('aborted'))
    expectStatus(await colleague.patch(`/api/v1/posts/${post.id}`, { content: 'Theirs' }), 200)
    await saveChanges(page).click()
    const text = page.getByRole('region', { name: 'Text' })
    await text.getByRole('button', { name: 'Use theirs' }).click()
    expect(await textField(page).inputValue()).toBe('Theirs')
    expect((await readPost(owner, post)).content).toBe('Theirs')

    await textField(page).fill('Agreed')
    expectStatus(await colleague.patch(`/api/v1/posts/${post.id}`, { labels: ['spring'] }), 200)
    await saveChanges(page).click()
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    expect((await readPost(owner, post)).content).toBe('Agreed')
    expect(await labelsOf(post.id)).toEqual(['spring'])
  })
})

test('a refused post shows the version with the wrong field, and focuses that field', async () => {
  await playgroundAccount(owner)
  const page = await newPage(t, { as: owner, allow: ['400 POST /api/v1/posts'] })
  await page.goto(pagePath(owner, '/posts/new'))
  const boxes = page.getByRole('group', { name: 'Publish to' }).getByRole('checkbox')
  for (const at of [0, 1]) await boxes.nth(at).check()
  await textField(page).fill('Fine')
  await page.getByRole('tab').nth(1).click()
  const own = page.getByRole('textbox', { name: /^Text for/ })
  await own.fill('x'.repeat(5001))
  await page.getByRole('tab', { name: 'All accounts' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect.poll(() => own.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
})

test('a thread is written, sorted and saved, with a first comment and a version for one account', async () => {
  const harbour = { network: 'playground', name: 'Harbour' }
  const other = expectStatus(await owner.post('/api/v1/accounts', harbour), 201).body.id
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  const boxes = page.getByRole('group', { name: 'Publish to' }).getByRole('checkbox')
  for (const at of [0, 1]) await boxes.nth(at).check()
  await textField(page).fill('One')
  for (const [number, text] of [
    [2, 'Three'],
    [3, 'Two'],
  ] as const) {
    await page.getByRole('button', { name: 'Add to thread' }).click()
    const part = page.getByRole('textbox', { name: `Part ${number}` })
    await expect.poll(() => part.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true)
    await part.fill(text)
  }
  await page.getByRole('button', { name: 'Move part 3 up' }).click()
  await page.getByRole('textbox', { name: 'First comment (optional)' }).fill('See https://bakery.example')
  await page.getByRole('tab', { name: /Harbour/ }).click()
  await page.getByRole('textbox', { name: 'Text for Harbour' }).fill('Ahoy')
  await page.getByRole('button', { name: 'Remove part 3' }).click()
  await page.getByText('Save as draft').click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
  const { data } = expectStatus(await owner.get('/api/v1/posts'), 200).body
  expect(data[0]).toMatchObject({
    content: 'One',
    thread: [{ content: 'Two' }, { content: 'Three' }],
    first_comment: 'See https://bakery.example',
  })
  const versions = data[0].targets.map(({ account_id, content, thread }: Record<string, unknown>) => [
    account_id,
    content,
    thread,
  ])
  expect(new Set(versions)).toEqual(
    new Set([
      [account, null, null],
      [other, 'Ahoy', [{ content: 'Two', media_ids: [] }]],
    ]),
  )
})

test('the accounts used last are chosen for the next post', async () => {
  await playgroundAccount(owner)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  const boxes = page.getByRole('group', { name: 'Publish to' }).getByRole('checkbox')
  await boxes.nth(1).check()
  await page.getByText('Save as draft').click()
  await textField(page).fill('One')
  await page.getByRole('button', { name: 'Save and write another' }).click()
  await expect.poll(() => textField(page).inputValue()).toBe('')
  expect([await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked()]).toEqual([false, true])
})

test('a phone asks for the time with its own field', async () => {
  owner = await ownerIn(t, 'UTC')
  await playgroundAccount(owner)
  const page = await newPage(t, { as: owner, ...PHONE })
  await page.goto(pagePath(owner, '/posts/new'))
  await textField(page).fill('Tomorrow')
  await page.getByText('Later', { exact: true }).click()
  const time = page.getByLabel(/^Date and time/)
  await time.fill('2027-06-01T09:30')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await main(page).getByText('Scheduled', { exact: true }).waitFor()
  const { body } = expectStatus(await owner.get('/api/v1/posts'), 200)
  expect(body.data[0].scheduled_at).toBe('2027-06-01T09:30:00.000Z')
})

test.each([
  ['zoomed to 200 %', { width: 683, height: 384 }],
  ['on a phone held sideways', { width: 844, height: 390 }],
])('nothing covers the text %s, and the day is as tall as its hours', async (_, viewport) => {
  const page = await newPage(t, { as: owner, viewport })
  await page.goto(pagePath(owner, '/posts/new'))
  const save = page.getByRole('button', { name: 'Publish now' })
  await textField(page).scrollIntoViewIfNeeded()
  const [text, button] = [await textField(page).boundingBox(), await save.boundingBox()]
  expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
  await visit(page, pagePath(owner, '/calendar?view=day'))
  const board = page.getByRole('table', { name: 'Day' })
  await board.waitFor()
  expect(
    await board.evaluate(({ parentElement: scroller }) => scroller && scroller.scrollHeight - scroller.clientHeight),
  ).toBe(0)
})

test('on a wide screen, the time stands in the bar with the buttons, and both columns are equally wide', async () => {
  const page = await newPage(t, { as: owner, viewport: { width: 1440, height: 900 } })
  await page.goto(pagePath(owner, '/posts/new'))
  await page.getByText('Later', { exact: true }).click()
  const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  let time = await boxOf(page.getByLabel(/^Date and time/))
  // The field is replaced once its picker is loaded.
  await until(async () => {
    time = await boxOf(page.getByLabel(/^Date and time/))
    expect(time.height).toBeGreaterThan(0)
  })
  const save = await boxOf(page.getByRole('button', { name: 'Schedule', exact: true }))
  expect(time.y).toBeLessThan(save.y + save.height)
  expect(time.y + time.height).toBeGreaterThan(save.y)
  expect(time.y + time.height).toBeLessThanOrEqual(900)
  const [text, preview] = [await boxOf(textField(page)), await boxOf(page.getByRole('article').first())]
  expect(Math.abs(text.width - preview.width)).toBeLessThan(2)
  // Actions end where the content ends.
  expect(Math.abs(save.x + save.width - (preview.x + preview.width))).toBeLessThan(2)
  await expectPageAccessible(page, 'form of a post on a wide screen')
})

test('the day view leaves the title on the screen of a phone', async () => {
  const page = await newPage(t, { as: owner, ...PHONE })
  await page.goto(pagePath(owner, '/calendar?view=day'))
  const scroller = page.getByRole('table', { name: 'Day' }).locator('..')
  await expect.poll(() => scroller.evaluate((node) => node.scrollTop)).toBeGreaterThan(100)
  expect(await page.evaluate('scrollY')).toBe(0)
})

test('an account is renamed, and shows its new name to whoever writes', async () => {
  await playgroundAccount(owner)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/accounts'))
  await page.getByRole('button', { name: 'More actions for Playground 2' }).click()
  await page.getByRole('menuitem', { name: 'Name and signature' }).click()
  await page.getByLabel('Name in Meydan').fill('Tests')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('article', { name: 'Tests' }).waitFor()
  await visit(page, pagePath(owner, '/posts/new'))
  await page.getByRole('checkbox', { name: /^Tests / }).waitFor()
})

test('a new post ends with the signature of each account, which can be left out', async () => {
  const second = await playgroundAccount(owner)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/accounts'))
  await page.getByRole('button', { name: 'More actions for Playground 2' }).click()
  await page.getByRole('menuitem', { name: 'Name and signature' }).click()
  await page.getByLabel('Signature (optional)').fill('Bakery, Ankara')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await waitUntilGone(page.getByRole('dialog'))
  expect((await owner.get(`/api/v1/accounts/${second}`)).body.signature).toBe('Bakery, Ankara')

  await visit(page, pagePath(owner, '/posts/new'))
  await textField(page).waitFor()
  for (const index of [1, 0]) await main(page).locator('form label').nth(index).click()
  await textField(page).pressSequentially('Simit')
  await page.getByText('Ends with the signature of').waitFor()
  expect(await textField(page).inputValue()).toBe('Simit')
  const stored = async () => {
    const { data } = (await owner.get('/api/v1/posts?status=draft')).body
    const { content, targets } = (await owner.get(`/api/v1/posts/${data[0].id}`)).body
    const own = targets.map((target: { account_id: string; content: string | null }) => [
      target.account_id,
      target.content,
    ])
    return { content, own: Object.fromEntries(own) }
  }
  await page.getByText('Saved as a draft').waitFor()
  expect(await stored()).toEqual({
    ...{ content: 'Simit', own: { [account]: null, [second]: 'Simit\n\nBakery, Ankara' } },
  })
  await page.getByRole('button', { name: 'Leave it out' }).click()
  await textField(page).press('End')
  await page.keyboard.type('!')
  await until(async () =>
    expect(await stored()).toEqual({ content: 'Simit!', own: { [account]: null, [second]: null } }),
  )
})

test('an account that its network refuses shows it at once, and is connected again at its server', async () => {
  const sky = await blueskyAccount(owner, bluesky)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/accounts'))
  const card = page.getByRole('article', { name: 'Sky' })
  await card.getByText('Connected', { exact: true }).waitFor()
  bluesky.changePassword(sky.handle)
  await newPost(owner, { content: 'Refused', account_ids: [sky.id], publish_now: true })
  await card.getByRole('button', { name: 'Reconnect' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
  expect(await dialog.getByLabel(/^Server/).inputValue()).toBe(bluesky.url)
  expect(await dialog.getByLabel(/^Name in Meydan/).inputValue()).toBe('Sky')
  await dialog.getByLabel(/^App password/).fill('another')
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await card.getByText('Connected', { exact: true }).waitFor()
})

test('a post deleted earlier is restored from the recently deleted ones', async () => {
  const post = await newPost(owner, { content: 'Gone and back', account_ids: [account] })
  expectStatus(await owner.delete(`/api/v1/posts/${post.id}`), 204)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts'))
  await page.getByRole('link', { name: 'Recently deleted' }).click()
  await page.getByRole('button', { name: 'Restore: Gone and back' }).click()
  await page.getByText('No deleted posts').waitFor()
  await visit(page, pagePath(owner, '/posts'))
  await page.getByRole('link', { name: /Gone and back/ }).waitFor()
})

test('a text is shortened by a model, and nothing changes before it is accepted', async () => {
  const page = await newPage(t, { as: owner })
  const models = page.waitForResponse(/ai-models\/active/)
  await page.goto(pagePath(owner, '/posts/new'))
  await models
  await textField(page).waitFor()
  expect(await page.getByRole('button', { name: 'AI', exact: true }).count()).toBe(0)
  const admin = await signedIn(t, { instanceAdmin: true })
  const ai = await providerServer('openai')
  onTestFinished(() => ai.close())
  await modelAt(admin, 'openai', 'chat', ai)
  await page.reload()
  await textField(page).fill('A very long text')
  await page.getByRole('button', { name: 'AI', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Shorten' }).click()
  const dialog = page.getByRole('dialog', { name: 'Shorten' })
  await dialog.getByText('Costs 1 credit.').waitFor()
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await dialog.getByRole('button', { name: 'Use as the text' }).click()
  await waitUntilGone(dialog)
  await expect.poll(() => textField(page).inputValue()).not.toBe('A very long text')
  expect(await textField(page).inputValue()).not.toBe('')

  await page.getByRole('button', { name: 'Suggest a first comment' }).click()
  const comment = page.getByRole('dialog', { name: 'Suggest a first comment' })
  await comment.getByRole('button', { name: 'Generate' }).click()
  await comment.getByRole('button', { name: 'Use as the first comment' }).click()
  await waitUntilGone(comment)
  await expect.poll(() => page.getByLabel('First comment (optional)').inputValue()).not.toBe('')
})

test('an emoji is searched by keyboard and inserted at the caret, without a request to another host', async () => {
  const page = await newPage(t, { as: owner })
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto(pagePath(owner, '/posts/new'))
  await textField(page).fill('Fresh  for all')
  await textField(page).evaluate((field) =>
    (field as unknown as { setSelectionRange: (a: number, b: number) => void }).setSelectionRange(6, 6),
  )
  await page.getByRole('button', { name: 'Emoji', exact: true }).press('Enter')
  const search = page.getByRole('searchbox', { name: 'Search emoji' })
  await search.fill('bagel')
  const found = page.getByRole('group', { name: 'Found emoji' })
  await expect.poll(() => found.getByRole('button').count()).toBe(1)
  await expectPageAccessible(page, 'emoji')
  await search.press('ArrowDown')
  await found.getByRole('button', { name: 'bagel' }).press('Enter')
  await expect.poll(() => textField(page).inputValue()).toBe('Fresh 🥯 for all')
  await page.getByRole('button', { name: 'Emoji', exact: true }).click()
  await page.getByRole('button', { name: 'Food and drink' }).click()
  await page.getByRole('button', { name: 'grapes' }).press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => textField(page).inputValue()).toBe('Fresh 🥯🍈 for all')
  expect([...hosts]).toEqual([new URL(t.url).host])
})
