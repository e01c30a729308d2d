import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, signedIn } from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main } from './pages.ts'

test('an admin starts a backup, sees it verified, and turns on the daily one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meydan-backups-'))
  const t = await testApp({ BACKUP_URL: `file:${folder}`, BACKUP_PASSPHRASE: 'simit ve çay her sabah' }, { live: true })
  onTestFinished(async () => {
    await t.close()
    await rm(folder, { recursive: true, force: true })
  })
  const admin = await signedIn(t, { instanceAdmin: true })
  const page = await newPage(t, { as: admin })
  await page.goto('/admin/backups')
  await page.getByRole('heading', { name: 'No backup yet' }).waitFor()
  await main(page).getByRole('button', { name: 'Back up now' }).click()
  await main(page).getByRole('list', { name: 'All backups' }).getByText('Verified').waitFor()
  const [file = ''] = await readdir(folder)
  await main(page).getByText(`verify --restore ${folder}/${file}`).waitFor()

  await main(page).getByRole('switch', { name: 'Back up every day' }).check()
  await main(page).locator('input[type=time]').fill('04:15')
  await main(page).getByLabel('Backups to keep').fill('14')
  await expectPageAccessible(page, 'backups')
  await main(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('The schedule is saved.').waitFor()
  await main(page).getByText('Next backup').waitFor()
  const optionOf = async (key: string) => expectStatus(await admin.get(`/api/v1/options/${key}`), 200).body.value
  expect(await optionOf('backup.schedule')).toMatch(/^04:15 \w+/)
  expect(await optionOf('backup.keep')).toBe(14)
  await main(page).getByRole('switch', { name: 'Back up every day' }).uncheck()
  await main(page).getByRole('button', { name: 'Save' }).click()
  await main(page).getByText('Next backup').waitFor({ state: 'detached' })
  expect(await optionOf('backup.schedule')).toBe('')
})

test('without BACKUP_URL the page says what to set, and shows the command', async () => {
  const t = await testApp()
  onTestFinished(t.close)
  const page = await newPage(t, { as: await signedIn(t, { instanceAdmin: true }) })
  await page.goto('/admin/backups')
  await page.getByText('BACKUP_URL=s3://bucket/folder').waitFor()
  await page.getByText('npm run meydan -- backup meydan.backup').waitFor()
  expect(await main(page).getByRole('button', { name: 'Back up now' }).count()).toBe(0)
  await expectPageAccessible(page, 'backups, not set up')
})
