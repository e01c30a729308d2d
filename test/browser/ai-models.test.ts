import type { Page } from 'playwright-core'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, type Person, signedIn } from '../factories.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, main, waitUntilGone } from './pages.ts'

let t: TestApp
let admin: Person
beforeEach(async () => {
  t = await testApp({}, { live: true })
  onTestFinished(t.close)
  admin = await signedIn(t, { instanceAdmin: true, name: 'Ada' })
})
const openai = await providerServer('openai')
afterAll(openai.close)
const ollama = await providerServer('ollama')
afterAll(ollama.close)

const row = (page: Page, name: string) => main(page).getByRole('row').filter({ hasText: name })
async function choose(page: Page, field: string, option: string) {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a model is added with its key, tested and changed, and its key is removed', async () => {
  const allow = ['409 POST /api/v1/options/test/ai-model/', '412 PUT /api/v1/ai-models/']
  const page = await newPage(t, { as: admin, allow })
  await page.goto('/admin/ai-models')
  await page.getByText('No AI models yet').waitFor()
  await page.getByRole('link', { name: 'Add a model' }).click()

  // Invalid values are reported at their field before sending.
  await page.getByLabel(/^Temperature/).fill('3')
  await page.getByLabel(/^More parameters/).fill('{ top_p: 1 }')
  await page.getByRole('button', { name: 'Add model' }).click()
  await page.getByText('Enter a number from 0 to 2.').waitFor()
  await page.getByText(/^Enter a JSON object/).waitFor()
  await page.getByLabel(/^Name/).and(page.locator(':focus')).fill('Quick writer')
  await page.getByLabel(/^Temperature/).fill('0,5')
  await page.getByLabel(/^More parameters/).fill('{ "top_p": 0.9 }')
  await page.getByLabel(/^Model/).fill('gpt-4o-mini')
  await page.getByLabel(/^API URL/).fill(openai.url)
  await page.getByLabel('API key').fill(openai.key ?? '')
  await expectPageAccessible(page, 'new model')
  await page.getByRole('button', { name: 'Add model' }).click()

  await page.getByRole('heading', { name: 'Quick writer', level: 1 }).waitFor()
  await main(page)
    .getByText(`Own key ···${openai.key?.slice(-4)}`)
    .waitFor()
  await page.getByLabel(/^Prompt/).fill('What do you say?')
  await page.getByRole('button', { name: 'Run test' }).click()
  await page.getByText('OpenAI responded.').waitFor()
  await page.getByRole('region', { name: 'Response', exact: true }).getByText('Hello, world.').waitFor()
  await page.getByText(/^[\d,]+ ms · \d+ input tokens, \d+ output tokens · the model's own key/).waitFor()
  const request = openai.calls.at(-1)?.body
  expect(request).toMatchObject({ model: 'gpt-4o-mini', temperature: 0.5, top_p: 0.9 })
  await expectPageAccessible(page, 'model')

  await page.getByLabel(/^Name/).fill('Careful writer')
  await page.getByText('The test uses the saved model').waitFor()
  // Switched off on the same page, and saved before the page shows the new version: no conflict with the form.
  const outdated = page.waitForResponse((response) => response.status() === 412)
  await page.route('**/api/v1/ai-models/*', async (route) => {
    if (route.request().method() === 'GET') await outdated
    await route.continue()
  })
  await page.getByRole('switch', { name: 'On' }).press('Space')
  await expect.poll(() => page.getByRole('switch', { name: 'On' }).isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Careful writer', level: 1 }).waitFor()
  await page.unroute('**/api/v1/ai-models/*')

  await page.getByRole('button', { name: 'Remove key' }).click()
  const ask = page.getByRole('dialog', { name: 'Remove the key of Careful writer?' })
  await ask.getByText('The model then has no key').waitFor()
  await ask.getByRole('button', { name: 'Remove key' }).click()
  await main(page).getByText('No key', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Run test/ }).click()
  await page.getByText('Set a key for this model').waitFor()
})

test('the list of models is searched and filtered, a refused key is reported, and a model is deleted', async () => {
  const page = await newPage(t, { as: admin })
  await modelAt(admin, 'openai', 'image', openai, { name: 'Painter', key: 'a-key-that-is-refused' })
  await modelAt(admin, 'ollama', 'chat', ollama, { name: 'Llama', api_params: { temperature: null } })
  await page.goto('/admin/ai-models')
  await row(page, 'Llama').getByText('No key needed').waitFor()
  await expectPageAccessible(page, 'models')
  await choose(page, 'Provider', 'OpenAI')
  await waitUntilGone(row(page, 'Llama'))
  await page.getByRole('searchbox', { name: 'Search by name or model' }).fill('no such model')
  await page.getByText('No matching models').waitFor()
  expect(new URL(page.url()).search).toContain('provider=openai')
  await page.getByRole('button', { name: 'Clear' }).last().click()
  await row(page, 'Llama').waitFor()

  await row(page, 'Llama').getByRole('switch', { name: 'Llama: on' }).click()
  await page.getByText('Llama is no longer available.').waitFor()
  await page.getByRole('button', { name: 'More actions for Painter' }).click()
  await page.getByRole('menuitem', { name: 'Test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test Painter' })
  await dialog.getByRole('button', { name: 'Run test' }).click()
  await dialog.getByText('OpenAI rejected the key.').waitFor()
  await expectPageAccessible(page, 'refused')
  await page.keyboard.press('Escape')
  await waitUntilGone(dialog)
  await page.getByRole('button', { name: 'More actions for Painter' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete Painter?' }).getByRole('button', { name: 'Delete' }).click()
  await waitUntilGone(row(page, 'Painter'))
  // The focus stays nearby.
  await expect.poll(() => page.locator(':focus').evaluate('(node) => node.tagName')).not.toBe('BODY')
})

test('the models are cards on a phone in Turkish that fit the screen, and the page is not found for ordinary users', async () => {
  await modelAt(admin, 'custom', 'chat', openai, { name: 'A'.repeat(80), type: 'long' })
  const page = await newPage(t, { as: admin, locale: 'tr', ...PHONE, viewport: { width: 375, height: 760 } })
  expectStatus(await admin.patch('/api/v1/me', { locale: 'tr' }), 200)
  await page.goto('/admin/ai-models')
  const card = main(page).getByRole('listitem', { name: 'A'.repeat(80) })
  await card.getByText('Kendi anahtarı').waitFor()
  await expectPageAccessible(page, 'cards')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  await card.getByRole('link').click()
  await page.getByRole('button', { name: 'Testi başlat' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)

  const person = await signedIn(t)
  const other = await newPage(t, { as: person })
  await other.goto('/admin/ai-models')
  await other.getByRole('heading', { name: 'Page not found' }).waitFor()
})
