import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, signedIn } from '../factories.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main } from './pages.ts'

test('an instance admin sees what is wrong with the installation and what to do, and checks again', async () => {
  const t = await testApp()
  onTestFinished(t.close)
  const admin = await signedIn(t, { instanceAdmin: true })
  // Nothing listens on this port, and a test has no worker.
  const mail = '/api/v1/options/mail.smtp_url'
  expectStatus(await admin.put(mail, { value: 'smtp://127.0.0.1:9' }), 200)
  const page = await newPage(t, { as: admin })
  await page.goto('/admin/status')
  await page.getByRole('heading', { name: 'System status' }).waitFor()
  await main(page).getByRole('status').getByText('2 errors and').waitFor()
  await page.getByRole('navigation').getByRole('img', { name: '2 errors' }).first().waitFor()
  const server = main(page).getByRole('region', { name: 'Email' }).getByRole('listitem').first()
  expect(await server.innerText()).toMatch(
    /Error\s+Mail server\s+The mail server cannot be used: .*What to do: Check host/s,
  )
  await expectPageAccessible(page, 'system status')

  expectStatus(await admin.delete(mail), 204)
  await main(page).getByRole('button', { name: 'Check again' }).click()
  await server.getByText('No mail server is set').waitFor()
  await main(page).getByRole('status').getByText('1 error and').waitFor()
})
