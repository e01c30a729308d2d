import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount } from '../factories.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { countActions, expectPageAccessible, ownerIn, pagePath, showMorePages } from './pages.ts'

const t = await testApp({}, { live: true })

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const nextYear = new Date().getUTCFullYear() + 1

test('a month of 60 posts takes six clicks from the calendar, and is undone with one', async () => {
  const owner = await ownerIn(t, 'Europe/Istanbul')
  const account = await playgroundAccount(owner)
  const { handle } = expectStatus(await owner.get(`/api/v1/accounts/${account}`), 200).body
  const rows = Array.from({ length: 60 }, (_, index) => {
    const day = String(1 + Math.floor(index / 2)).padStart(2, '0')
    return `${nextYear}-03-${day},${index % 2 ? '17:30' : '09:00'},${handle},Post ${index + 1}`
  })
  const page = await newPage(t, { as: owner })
  const counts = await countActions(page)
  await page.goto(pagePath(owner, '/calendar'))
  await showMorePages(page)
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await expectPageAccessible(page, 'import-choose')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await (await chooser).setFiles(csv('march.csv', `date,time,accounts,text\n${rows.join('\n')}\n`))
  await page.getByText('60 rows: 60 ready, 0 with warnings, 0 with errors.').waitFor()
  await page.getByRole('listitem', { name: 'Row 1', exact: true }).getByText('Post 1', { exact: true }).waitFor()
  await expectPageAccessible(page, 'import-ready')
  await page.getByRole('button', { name: 'Create 60 posts' }).click()
  await page.getByText('60 posts were created.').waitFor()
  // The file is chosen in the dialog of the system.
  const clicks = counts.clicks + 1
  console.log(`A month of 60 posts from a spreadsheet: ${clicks} clicks`)
  expect(clicks).toBeLessThanOrEqual(6)
  await expectPageAccessible(page, 'import-done')
  const posts = async () => expectStatus(await owner.get('/api/v1/posts/summaries?limit=100'), 200).body.data.length
  expect(await posts()).toBe(60)
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByText('The import was undone: 60 posts were deleted.').waitFor()
  expect(await posts()).toBe(0)
})

test('a row with an error is corrected in the preview, and the order of dates is asked', async () => {
  const owner = await ownerIn(t, 'Europe/Istanbul')
  await playgroundAccount(owner)
  const page = await newPage(t, { as: owner, ...PHONE })
  await page.goto(pagePath(owner, '/import'))
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  const table = `Metin;Tarih;Saat\nSimit;05/11/${nextYear};09:00\n;06/11/${nextYear};10-00\n`
  await (await chooser).setFiles(csv('kasim.csv', table))
  await page.getByText('Say how the dates are meant. Choose the accounts.').waitFor()
  await expectPageAccessible(page, 'import-mapping')
  await page.getByRole('radio', { name: 'Day first' }).check()
  await page.getByRole('combobox', { name: 'Accounts' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByText('2 rows: 1 ready, 0 with warnings, 1 with errors.').waitFor()
  const row = page.getByRole('listitem', { name: 'Row 2', exact: true })
  await row.getByText('Perhaps: 10:00').waitFor()
  await row.getByRole('button', { name: 'Correct: Row 2' }).click()
  await row.getByLabel('Metin').fill('Çay')
  await row.getByLabel('Saat').fill('10:00')
  await expectPageAccessible(page, 'import-correct')
  await row.getByRole('button', { name: 'Save and check' }).click()
  await page.getByText('2 rows: 2 ready, 0 with warnings, 0 with errors.').waitFor()
  await page.getByRole('button', { name: 'Create 2 posts' }).click()
  await page.getByText('2 posts were created.').waitFor()
  const { data } = expectStatus(await owner.get('/api/v1/posts'), 200).body
  expect(data.map((post: { scheduled_at: string }) => post.scheduled_at)).toEqual([
    `${nextYear}-11-06T07:00:00.000Z`,
    `${nextYear}-11-05T06:00:00.000Z`,
  ])
})

test('a file that cannot be read says why, and a viewer sees that it needs a role', async () => {
  const owner = await ownerIn(t, 'Europe/Istanbul')
  const page = await newPage(t, { as: owner, allow: ['422'] })
  await page.goto(pagePath(owner, '/import'))
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await (await chooser).setFiles(csv('empty.csv', ''))
  await page.getByText('The file has no rows.').waitFor()
  const viewer = await memberOf(t, owner.workspace_id, 'viewer')
  const other = await newPage(t, { as: viewer })
  await other.goto(pagePath(owner, '/import'))
  await until(async () => expect(await other.getByRole('button', { name: 'Choose a file' }).count()).toBe(0))
  await other.getByRole('main').getByRole('heading', { level: 2 }).waitFor()
})
