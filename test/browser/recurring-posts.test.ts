import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount } from '../factories.ts'
import { localIn, postsOf, recurringPost } from '../recurring-posts.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, ownerIn, pagePath, textField } from './pages.ts'

const t = await testApp({}, { live: true })

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
  await until(async () => expect(await page.locator('form ol li').count()).toBe(5))
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
  await page.getByRole('button', { name: 'Save recurring post' }).click()
  await row.getByText(/Every month: First/).waitFor()
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
  await page.goto(pagePath(owner, `/calendar?view=week&date=${localIn(t, 1).slice(0, 10)}`))
  await page.locator('[data-event-id] .lucide-repeat').first().waitFor()
  await page.goto(pagePath(owner, '/recurring-posts'))
  const times = page.getByRole('listitem', { name: /^A long text/ }).locator('ol a')
  await until(async () => expect(await times.count()).toBe(5))
  await page.getByRole('button', { name: 'Skipped times' }).click()
  await page.getByText('Nothing was skipped.').waitFor()
  await expectPageAccessible(page, 'recurring')
  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
  const phone = await newPage(t, { as: owner, ...PHONE, viewport: { width: 360, height: 800 } })
  await phone.goto(pagePath(owner, '/recurring-posts'))
  await phone.getByText('Sıradaki zamanlar').waitFor()
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await expectPageAccessible(phone, 'recurring, narrow')
  await phone.goto(pagePath(owner, `/recurring-posts/${made.id}/edit`))
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
  await page.getByRole('button', { name: 'Save recurring post' }).click()
  await page.getByRole('listitem', { name: 'Simit' }).waitFor()
  const saved = expectStatus(await owner.get(`/api/v1/recurring-posts/${made.id}`), 200).body.variants
  type Saved = { content: string; targets: { account_id: string }[] }
  expect(saved.map(({ content, targets }: Saved) => [content, targets.map(({ account_id }) => account_id)])).toEqual([
    ['Simit', [first]],
    ['Tea until ten.', [second]],
  ])
})
