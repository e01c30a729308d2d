import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount } from '../factories.ts'
import { localIn, postsOf, recurringPost } from '../recurring-posts.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, ownerIn, pagePath, textField, visit } from './pages.ts'

const t = await testApp({}, { live: true })

/** Saves changes, after the question what they concern. */
async function save(page: Page) {
  await page.getByRole('button', { name: 'Save recurring post' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Later posts are created with the changes.').waitFor()
  await dialog.getByRole('button', { name: 'Save recurring post' }).click()
}

test('a weekly post with two texts is created, shows its next times, is paused, edited and deleted', async () => {
  const owner = await ownerIn(t, 'Europe/Istanbul')
  await playgroundAccount(owner)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/recurring-posts'))
  await page.getByText('No recurring posts yet').waitFor()
  await page.getByRole('link', { name: 'New recurring post' }).click()
  await textField(page).fill('Fresh simit from seven.')
  await page.getByRole('button', { name: 'Add a text' }).click()
  await page.getByRole('textbox', { name: 'Text 2' }).fill('Tea until ten.')
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
    await page.getByLabel(day, { exact: true }).check()
  await page.locator('input[type=time]').fill('09:30')
  await until(async () => expect(await page.locator('form ol li').count()).toBe(10))
  await expectPageAccessible(page, 'recurring-form')
  await page.getByRole('button', { name: 'Create recurring post' }).click()
  const row = page.getByRole('listitem', { name: 'Fresh simit from seven.' })
  await row.getByText('2 texts').waitFor()
  const [made] = expectStatus(await owner.get('/api/v1/recurring-posts'), 200).body.data
  expect(made).toMatchObject({ rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', timezone: 'Europe/Istanbul' })
  await until(async () => expect((await postsOf(owner, made.id)).length).toBeGreaterThanOrEqual(6))
  const texts = (await postsOf(owner, made.id)).map(({ content }) => content)
  expect(texts.slice(0, 2)).toEqual(['Fresh simit from seven.', 'Tea until ten.'])

  await row.getByRole('button', { name: 'Pause: Fresh simit' }).click()
  await row.getByText('Paused', { exact: true }).waitFor()
  expect(await postsOf(owner, made.id)).toEqual([])
  await row.getByRole('button', { name: 'Resume: Fresh simit' }).click()
  await row.getByText('Active', { exact: true }).waitFor()

  await row.getByRole('link', { name: 'Edit: Fresh simit' }).click()
  await page.getByRole('combobox', { name: 'Repeat' }).click()
  await page.getByRole('option', { name: 'Monthly on a weekday' }).click()
  await page.getByText('By count', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Number of times' }).fill('6')
  await page.getByRole('button', { name: 'Remove text 2' }).click()
  await save(page)
  await row.getByText(/Every month on the first/).waitFor()
  const { rule, variants } = (await owner.get(`/api/v1/recurring-posts/${made.id}`)).body
  expect(rule).toMatch(/^FREQ=MONTHLY;BYDAY=1[A-Z]{2};COUNT=6$/)
  expect(variants.length).toBe(1)

  await row.getByRole('button', { name: 'Delete: Fresh simit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No recurring posts yet').waitFor()
})

test('lists and the calendar mark its posts; dark, narrow and in Turkish there is no serious axe finding, and viewers read', async () => {
  const owner = await ownerIn(t, 'Europe/Istanbul')
  const made = await recurringPost(t, owner, { contents: ['A long text of a recurring post that goes on and on', 'B'] })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts'))
  await page.getByText('Recurring post', { exact: true }).first().waitFor({ state: 'attached' })
  await visit(page, pagePath(owner, `/calendar?view=week&date=${localIn(t, 1).slice(0, 10)}`))
  await page.locator('[data-event-id] .lucide-repeat').first().waitFor()
  await visit(page, pagePath(owner, '/recurring-posts'))
  const times = page.getByRole('listitem', { name: /^A long text/ }).locator('ol a')
  await until(async () => expect(await times.count()).toBeGreaterThanOrEqual(6))
  await page.getByRole('button', { name: 'Skipped times' }).click()
  await page.getByText('Nothing was skipped.').waitFor()
  await expectPageAccessible(page, 'recurring')
  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
  const phone = await newPage(t, { as: owner, ...PHONE, viewport: { width: 360, height: 800 } })
  await phone.goto(pagePath(owner, '/recurring-posts'))
  await phone.getByText('Sıradaki zamanlar').waitFor()
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await expectPageAccessible(phone, 'recurring, narrow')
  await visit(phone, pagePath(owner, `/recurring-posts/${made.id}/edit`))
  await phone.getByRole('button', { name: 'Yinelenen gönderiyi kaydet' }).waitFor()
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await expectPageAccessible(phone, 'recurring-form, narrow')
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  const reading = await newPage(t, { as: viewer })
  await reading.goto(pagePath(owner, '/recurring-posts'))
  await reading.getByText('Next times').waitFor()
  expect(await reading.getByRole('button', { name: /Pause|Delete/ }).count()).toBe(0)
  expect(await reading.getByRole('link', { name: 'New recurring post' }).count()).toBe(0)
})

test('editing a text leaves the accounts of each text as they are, and forgets those that were removed', async () => {
  const owner = await ownerIn(t, 'Europe/Istanbul')
  const [first, second, removed] = [
    await playgroundAccount(owner),
    await playgroundAccount(owner),
    await playgroundAccount(owner),
  ]
  const variants = [
    { content: 'Simit', account_ids: [first, removed] },
    { content: 'Tea', account_ids: [second] },
  ]
  const made = await recurringPost(t, owner, { variants })
  expectStatus(await owner.delete(`/api/v1/accounts/${removed}`), 204)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/recurring-posts/${made.id}/edit`))
  await page.getByRole('textbox', { name: 'Text 2' }).fill('Tea until ten.')
  await save(page)
  await page.getByRole('listitem', { name: 'Simit' }).waitFor()
  const saved = expectStatus(await owner.get(`/api/v1/recurring-posts/${made.id}`), 200).body.variants
  type Saved = { content: string; targets: { account_id: string }[] }
  expect(saved.map(({ content, targets }: Saved) => [content, targets.map(({ account_id }) => account_id)])).toEqual([
    ['Simit', [first]],
    ['Tea until ten.', [second]],
  ])
})

test('a rule is written in words, and what can mean two things is asked', async () => {
  const owner = await ownerIn(t, 'Europe/Istanbul')
  await playgroundAccount(owner)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/recurring-posts/new'))
  const words = page.getByRole('textbox', { name: 'In words' })
  await words.fill('every third Tuesday at 10:00 until June')
  await page.getByText('“every third Tuesday” can mean two things. Choose one:').waitFor()
  await page.getByRole('button', { name: 'every 3 weeks on Tuesday' }).click()
  await page.getByText(/^Every 3 weeks on Tuesday at 10:00 until 31 May \d{4}$/).waitFor()
  expect(await page.getByRole('checkbox', { name: 'Tue' }).isChecked()).toBe(true)
  expect(await page.locator('input[type=time]').inputValue()).toBe('10:00')
  await page.getByText(/^Ends on /).waitFor()
  await words.fill('every Monday banana')
  await page.getByText('“banana” was not understood.').waitFor()
  await words.fill('iki ayda bir ayın son günü saat 18:30, 5 kez')
  await page.getByText('Every 2 months on the last day at 18:30, 5 times').waitFor()
  await expectPageAccessible(page, 'recurring-form, words')
  await textField(page).fill('Rent is due.')
  await page.getByRole('button', { name: 'Create recurring post' }).click()
  await page
    .getByRole('listitem', { name: 'Rent is due.' })
    .getByText(/Every 2 months on the last day/)
    .waitFor()
  const [made] = expectStatus(await owner.get('/api/v1/recurring-posts'), 200).body.data
  expect(made.rule).toBe('FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1;COUNT=5')
})

test('a time is skipped in the list and on the calendar, and both are undone', async () => {
  const owner = await ownerIn(t, 'UTC')
  const made = await recurringPost(t, owner, { rule: 'FREQ=DAILY;INTERVAL=3' })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/recurring-posts'))
  const row = page.getByRole('listitem', { name: 'Open from seven.' })
  await row
    .getByRole('button', { name: /^Skip: / })
    .nth(1)
    .click()
  await page.getByText('Skipped. You can undo this under “Skipped times”.').waitFor()
  expect((await postsOf(owner, made.id)).map(({ scheduled_at }) => scheduled_at.slice(0, 16))).not.toContain(
    localIn(t, 4),
  )
  await row.getByRole('button', { name: 'Skipped times' }).click()
  await row.getByText('Skipped by a member.').waitFor()
  await row.getByRole('button', { name: /^Undo the skip: / }).click()
  await row.getByText('Nothing was skipped.').waitFor()

  await visit(page, pagePath(owner, `/calendar?view=week&date=${localIn(t, 10).slice(0, 10)}`))
  const outline = page.getByRole('button', { name: /Recurring post, not created yet/ }).first()
  await outline.click()
  await page.getByRole('menuitem', { name: 'Skip this time' }).click()
  const skipped = page.getByRole('button', { name: /Recurring post, skipped/ })
  await skipped.waitFor()
  await expectPageAccessible(page, 'calendar, outlines')
  await skipped.click()
  await page.getByRole('menuitem', { name: 'Undo the skip' }).click()
  await skipped.waitFor({ state: 'detached' })
})

test('a time without a post is edited alone, in the list and on the calendar, and the others stay', async () => {
  const owner = await ownerIn(t, 'UTC')
  const made = await recurringPost(t, owner, { rule: 'FREQ=DAILY;INTERVAL=9' })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/recurring-posts'))
  const row = page.getByRole('listitem', { name: 'Open from seven.' })
  await row
    .getByRole('button', { name: /^Edit only: / })
    .nth(1)
    .click()
  await textField(page).fill('Open from eight.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/)
  await visit(page, pagePath(owner, `/calendar?view=week&date=${localIn(t, 19).slice(0, 10)}`))
  await page.getByRole('button', { name: /Recurring post, not created yet/ }).click()
  await page.getByRole('menuitem', { name: 'Edit this one' }).click()
  await textField(page).fill('Open from nine.')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await until(async () =>
    expect((await postsOf(owner, made.id)).map(({ content }) => content)).toEqual([
      'Open from seven.',
      'Open from eight.',
      'Open from nine.',
    ]),
  )
})

test('from the page of a post, this and following posts are changed, and the former ones stay', async () => {
  const owner = await ownerIn(t, 'UTC')
  const made = await recurringPost(t, owner)
  const [, , third] = await postsOf(owner, made.id)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, `/posts/${third?.id}`))
  await page.getByRole('link', { name: 'Edit this and following' }).click()
  await page.getByRole('textbox', { name: 'Text' }).fill('Open from eight.')
  await page.getByRole('button', { name: 'Save recurring post' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The recurring post ends before this time').waitFor()
  await dialog.getByText(/posts to come are replaced/).waitFor()
  await expectPageAccessible(page, 'recurring-form, impact')
  await dialog.getByRole('button', { name: 'Save recurring post' }).click()
  await page.getByRole('listitem', { name: 'Open from eight.' }).waitFor()
  const { data } = expectStatus(await owner.get('/api/v1/recurring-posts'), 200).body
  expect(data[0]).toMatchObject({ split_from: made.id, variants: [{ content: 'Open from eight.' }] })
  expect((await postsOf(owner, made.id)).length).toBe(2)
})
