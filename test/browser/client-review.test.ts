import { expect, test } from 'vitest'
import { approvalTeam, EDITOR_THEN_CLIENT } from '../../server/modules/posts/approval/approval.fixture.ts'
import { DAY } from '../../shared/time.ts'
import { testApp } from '../app.ts'
import { expectStatus } from '../factories.ts'
import { uploaded } from '../media.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { countActions, expectPageAccessible, pagePath, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
const inDays = (days: number) => new Date(t.clock.now().getTime() + days * DAY)
const dayIn = (days: number) => inDays(days).toISOString().slice(0, 10)

/** A month of posts that wait for the client, and the address of a link to them. */
async function month(count: number, more: object = {}) {
  const team = await approvalTeam(t, EDITOR_THEN_CLIENT)
  const { id: media_id } = await uploaded(team.author)
  for (let index = 1; index <= count; index++) {
    const content = `Warm simit number ${index}`
    const scheduled_at = inDays(index).toISOString()
    const { id } = await team.write({ content, scheduled_at, ...(index % 3 === 1 && { media_ids: [media_id] }) })
    await team.approve(team.editor, id)
  }
  const body = { name: 'Bakery, March', starts_on: dayIn(0), ends_on: dayIn(count + 1), timezone: 'UTC', ...more }
  const { url } = expectStatus(await team.owner.post('/api/v1/client-links', body), 201).body
  return { ...team, path: new URL(url).pathname + new URL(url).hash }
}
const left = async (owner: Awaited<ReturnType<typeof month>>['owner']) =>
  expectStatus(await owner.get('/api/v1/posts?review=pending&limit=100'), 200).body.data.length

test('a client approves a month on a phone, one post after the other, with at most 32 taps', async () => {
  const { owner, path } = await month(30)
  const page = await newPage(t, PHONE)
  const counts = await countActions(page)
  await page.goto(path)
  await page.getByRole('heading', { name: 'Bakery, March' }).waitFor()
  // The secret is no longer in the address.
  expect(new URL(page.url()).hash).toBe('')
  for (let index = 1; index <= 30; index++) {
    const post = page.getByRole('article', { name: `Warm simit number ${index}`, exact: true })
    await post.getByRole('button', { name: 'Approve' }).tap()
    await post.getByText('You approved this').waitFor()
  }
  await page.getByText('You have decided on all posts').waitFor()
  console.log(`A client approves a month of 30 posts: ${counts.taps} taps`)
  expect(counts.taps).toBeGreaterThanOrEqual(30)
  expect(counts.taps).toBeLessThanOrEqual(32)
  // What can still be undone is sent when the page is left.
  await page.goto('about:blank')
  await until(async () => expect(await left(owner)).toBe(0))
})

test('a client sees the files of a post above its text where the network shows them so', async () => {
  const { account, path } = await month(1)
  const page = await newPage(t, PHONE)
  const isAbove = async () => {
    await page.goto(path)
    const [image, text] = [page.getByRole('main').locator('img[src*="/media/"]'), page.getByText('Warm simit number 1')]
    await Promise.all([image.waitFor(), text.waitFor()])
    const [file, words] = await Promise.all([image.boundingBox(), text.boundingBox()])
    return (file?.y ?? 0) < (words?.y ?? 0)
  }
  expect(await isAbove()).toBe(false)
  await t.deps.db.updateTable('account').set({ network: 'instagram' }).where('id', '=', account).execute()
  await page.goto('about:blank')
  expect(await isAbove()).toBe(true)
})

test('a client asks for a change, and approves all others that were on the screen at once', async () => {
  const { owner, path } = await month(3)
  const page = await newPage(t, PHONE)
  await page.goto(path)
  const first = page.getByRole('article', { name: 'Warm simit number 1', exact: true })
  await first.getByRole('button', { name: 'Ask for a change' }).tap()
  await first.getByLabel('Change to make').fill('Colder')
  await first.getByRole('button', { name: 'Send' }).tap()
  await first.getByText('You asked for a change').waitFor()
  for (const index of [2, 3])
    await page.getByRole('article', { name: `Warm simit number ${index}`, exact: true }).scrollIntoViewIfNeeded()
  await page.getByRole('article').last().getByRole('button', { name: 'Approve' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Approve all that I have looked at (2)' }).tap()
  await page.getByText('You have decided on all posts').waitFor()
  await expectPageAccessible(page, 'client review')
  await until(async () => expect(await left(owner)).toBe(0))
  // A reload needs no secret, and an unknown link says so.
  await page.reload()
  await page.getByText('Colder').waitFor()
})

test('a client undoes a decision for ten seconds, in which the team sees nothing of it', async () => {
  const { owner, path } = await month(2)
  const page = await newPage(t, PHONE)
  await page.clock.install()
  await page.goto(path)
  const [first, second] = [1, 2].map((index) =>
    page.getByRole('article', { name: `Warm simit number ${index}`, exact: true }),
  )
  await first?.getByRole('button', { name: 'Approve' }).tap()
  await first?.getByText('You approved this').waitFor()
  await second?.getByRole('button', { name: 'Ask for a change' }).tap()
  await second?.getByLabel('Change to make').fill('Colder')
  await second?.getByRole('button', { name: 'Send' }).tap()
  await second?.getByText('You asked for a change').waitFor()
  await page.clock.runFor(8_000)
  expect(await left(owner)).toBe(2)
  await expectPageAccessible(page, 'decision that can be undone')
  await second?.getByRole('button', { name: /^Undo/ }).tap()
  // The text is there again.
  expect(await second?.getByLabel('Change to make').inputValue()).toBe('Colder')
  await page.clock.runFor(3_000)
  await until(async () => expect(await left(owner)).toBe(1))
  await waitUntilGone(first?.getByRole('button', { name: /^Undo/ }) ?? page.locator('none'))
  await page.clock.runFor(20_000)
  expect(await left(owner)).toBe(1)
})

test('a link that does not work says so in the language of the browser', async () => {
  const page = await newPage(t, { ...PHONE, locale: 'tr', allow: ['404'] })
  await page.goto('/review/01993a4c-2f10-7aaa-9bbb-0d5e7f2b9c35#wrong')
  await page.getByRole('heading', { name: 'Bu bağlantı çalışmıyor' }).waitFor()
})

test('an editor creates a link in the console, copies it, and revokes it', async () => {
  const { owner } = await month(1)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/review'))
  await page.getByText('Waits for the client').waitFor()
  await page.getByRole('button', { name: 'Client links' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Bakery, April')
  await dialog.getByLabel('From').fill('2026-04-01')
  await dialog.getByLabel('Until').fill('2026-04-30')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText(/\/review\/\S+#/).waitFor()
  await dialog.getByRole('button', { name: 'Revoke: Bakery, April' }).click()
  await dialog.getByRole('button', { name: 'Revoke: Bakery, April' }).waitFor({ state: 'detached' })
})

test('a client turns the e-mails off and on again, and the team sees that and how often the link was opened', async () => {
  const { owner, path } = await month(1, { client_email: 'client@example.com', locale: 'tr' })
  const phone = await newPage(t, { ...PHONE, locale: 'tr' })
  await phone.goto(`${t.url}${path}`)
  await phone.getByText('Sizi bekleyen gönderiler için e-posta alıyorsunuz.').waitFor()
  await phone.getByRole('button', { name: 'E-postaları kapat' }).click()
  await phone.getByText('Sizi bekleyen gönderiler için e-postalar kapalı.').waitFor()
  await expectPageAccessible(phone, 'client-review, mails')
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/review'))
  await page.getByRole('button', { name: 'Client links' }).click()
  const row = page.getByRole('dialog').getByRole('listitem')
  await row.getByText(/^Opened once, today /).waitFor()
  await row.getByText('client@example.com turned off the emails').waitFor()
  await phone.getByRole('button', { name: 'E-postaları aç' }).click()
  await phone.getByText('Sizi bekleyen gönderiler için e-posta alıyorsunuz.').waitFor()
  await phone.goto(`${t.url}${path.replace('#', '?again#')}`)
  await phone.getByText('Sizi bekleyen gönderiler için e-posta alıyorsunuz.').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Client links' }).click()
  await row.getByText(/^Opened 2 times, last today /).waitFor()
  await row.getByText('Emails go to client@example.com').waitFor()
})

test('a link with a password asks for it before it shows anything, and an editor changes and removes it', async () => {
  const { owner, path } = await month(1, { password: 'warm simit at seven' })
  const phone = await newPage(t, { ...PHONE, allow: ['403', '404'] })
  await phone.goto(path)
  const password = phone.getByRole('textbox', { name: 'Password' })
  await password.fill('cold simit')
  expect(await phone.getByText('Bakery').count()).toBe(0)
  await phone.getByRole('button', { name: 'Open' }).tap()
  await phone.getByText('The password is wrong.').waitFor()
  await expectPageAccessible(phone, 'password of a client link')
  await password.fill('warm simit at seven')
  await phone.getByRole('button', { name: 'Open' }).tap()
  await phone.getByRole('heading', { name: 'Bakery, March' }).waitFor()
  expect(new URL(phone.url()).hash).toBe('')

  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/review'))
  await page.getByRole('button', { name: 'Client links' }).click()
  const dialog = page.getByRole('dialog')
  const row = dialog.getByRole('listitem')
  await row.getByText('with a password').waitFor()
  await row.getByRole('button', { name: 'Change password: Bakery, March' }).click()
  await row.getByLabel('New password of the link').fill('cold simit at noon')
  await expectPageAccessible(page, 'new password of a client link')
  await row.getByRole('button', { name: 'Save password' }).click()
  await row.getByRole('button', { name: 'Change password: Bakery, March' }).waitFor()
  await phone.reload()
  await phone.getByRole('heading', { name: 'This link does not work' }).waitFor()
  await row.getByRole('button', { name: 'Change password: Bakery, March' }).click()
  await row.getByRole('button', { name: 'Remove password' }).click()
  await row.getByRole('button', { name: 'Set password: Bakery, March' }).waitFor()
  expect(await row.getByText('with a password').count()).toBe(0)
})

test('a client and the team talk about a post, and the box of the team names who reads it', async () => {
  const { owner, author, path } = await month(1)
  expectStatus(await author.patch('/api/v1/me', { name: 'Deniz Kaya' }), 200)
  const phone = await newPage(t, PHONE)
  await phone.goto(path)
  await phone.getByRole('button', { name: 'Write to the team' }).tap()
  await phone.getByLabel('Your name').fill('Ayşe')
  await phone.getByLabel('Your comment').fill('Is it warm? See https://example.com/simit.')
  await phone.getByRole('button', { name: 'Send comment' }).tap()
  await phone.getByRole('link', { name: 'https://example.com/simit' }).waitFor()
  await phone.getByText('You write as Ayşe.').waitFor()

  const [post] = expectStatus(await owner.get('/api/v1/posts?review=pending'), 200).body.data
  const page = await newPage(t, { as: author })
  await page.goto(pagePath(author, `/posts/${post.id}`))
  const comments = page.getByRole('region', { name: 'Comments' })
  await comments.getByRole('tab', { name: 'Team (0)' }).waitFor()
  await comments.getByRole('tab', { name: 'Client (1)' }).click()
  await comments.getByText('signs as Ayşe').waitFor()
  await comments.getByRole('button', { name: 'Reply' }).click()
  await comments.getByRole('textbox', { name: 'Your reply to the client' }).fill('Very')
  await expectPageAccessible(page, 'comments for the client')
  await comments.getByRole('button', { name: 'Send to the client' }).first().click()
  await comments.getByRole('list', { name: 'Replies' }).getByText('Very').waitFor()
  await comments.getByRole('tab', { name: 'Team (0)' }).click()
  await comments.getByRole('textbox', { name: 'New comment' }).fill('Only for us')
  await comments.getByRole('button', { name: 'Comment', exact: true }).click()
  await comments.getByRole('listitem').getByText('Only for us').waitFor()

  await phone.reload()
  await phone.getByRole('button', { name: '2 comments' }).tap()
  await phone.getByText('Very').waitFor()
  await phone.getByText('Deniz Kaya').waitFor()
  expect(await phone.getByText('Only for us').count()).toBe(0)
  await expectPageAccessible(phone, 'comments of a client')
})
