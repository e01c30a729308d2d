import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { newPage } from './browser.ts'

const t = await testApp()

test('the reference opens on the first steps and links to the API for sessions', async () => {
  const page = await newPage(t)
  await page.goto('/docs')
  await page.getByRole('heading', { name: 'Start here' }).first().waitFor()
  await page.getByText('API for programs').first().click()
  await page.getByText('API for sessions').first().click()
  await page.getByRole('heading', { name: 'Meydan API for sessions' }).waitFor()
})

test('the reference page shows operations with their access and errors', async () => {
  const page = await newPage(t)
  await page.goto('/docs#session/tag/me')
  await page.getByRole('heading', { name: 'Retrieve your profile' }).first().waitFor()
  await page.getByText('Requires a signed-in user.').first().waitFor()
  await page.goto('/docs/errors#not_found')
  await page.getByText('Not found').waitFor()
})

test('the sample of an operation sends no optional parameter that the reader has not chosen', async () => {
  const page = await newPage(t)
  await page.goto('/docs#public/tag/posts/GET/api/v1/public/posts')
  const operation = page.locator('[id="public/tag/posts/GET/api/v1/public/posts"]')
  await operation.getByRole('button', { name: /Test Request/ }).waitFor()
  const sample = await operation.locator('pre').first().innerText()
  expect(sample).toMatch(/^curl \S+\/api\/v1\/public\/posts \\/)
})
