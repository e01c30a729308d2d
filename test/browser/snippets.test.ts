import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from '../factories.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, ownerIn, pagePath, textField } from './pages.ts'

const t = await testApp({}, { live: true })

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await ownerIn(t, 'Europe/Istanbul')
  await playgroundAccount(owner)
})

const create = async (name: string, content: string) =>
  expectStatus(await owner.post('/api/v1/snippets', { name, content }), 201).body
const contents = async () =>
  (await owner.get('/api/v1/snippets')).body.data.map(({ content }: { content: string }) => content)
const openSnippets = async (page: Page) => {
  await page.getByRole('button', { name: 'Snippets' }).first().click()
  return page.getByRole('dialog')
}

test('a snippet is inserted at the caret, and writing goes on behind it', async () => {
  await create('Hashtags', '#bakery #simit')
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  await textField(page).fill('Fresh  today')
  await textField(page).press('Home')
  for (let steps = 0; steps < 6; steps++) await textField(page).press('ArrowRight')
  const dialog = await openSnippets(page)
  await dialog.getByRole('button', { name: /^Hashtags/ }).click()
  await until(async () => expect(await textField(page).inputValue()).toBe('Fresh #bakery #simit today'))
  await dialog.waitFor({ state: 'hidden' })
  await until(() => expect(page.evaluate('document.activeElement?.tagName')).resolves.toBe('TEXTAREA'))
  await page.keyboard.type('!')
  expect(await textField(page).inputValue()).toBe('Fresh #bakery #simit! today')
})

test('the text of a post becomes a snippet, which is changed and deleted, with the keyboard alone', async () => {
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  await textField(page).fill('Open from seven.')
  await page.getByRole('button', { name: 'Snippets' }).first().press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No snippets yet').waitFor()
  await dialog.getByRole('button', { name: 'Save this text as a snippet' }).press('Enter')
  await dialog.getByLabel('Name').fill('Hours')
  await dialog.getByLabel('Name').press('Enter')
  await dialog.getByRole('button', { name: 'Edit Hours' }).press('Enter')
  await dialog.getByLabel('Text').fill('Open from eight.')
  await dialog.getByRole('button', { name: 'Save snippet' }).press('Enter')
  await until(async () => expect(await contents()).toEqual(['Open from eight.']))
  await dialog.getByText('Open from eight.').waitFor()
  await dialog.getByRole('button', { name: 'Delete Hours' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete snippet' }).press('Enter')
  await dialog.getByText('No snippets yet').waitFor()
  expect(await contents()).toEqual([])
  // The form of the post was not submitted.
  expect(
    (await owner.get('/api/v1/posts?limit=1')).body.data.every(({ status }: { status: string }) => status === 'draft'),
  ).toBe(true)
})

test('a name that is taken is refused at its field', async () => {
  await create('Hours', 'Open from seven.')
  const page = await newPage(t, { as: owner, allow: ['409 POST /api/v1/snippets'] })
  await page.goto(pagePath(owner, '/posts/new'))
  const dialog = await openSnippets(page)
  await dialog.getByRole('button', { name: 'New snippet' }).click()
  await dialog.getByLabel('Name').fill('hours')
  await dialog.getByLabel('Text').fill('Other')
  await dialog.getByRole('button', { name: 'Save snippet' }).click()
  await dialog.getByText('A snippet with this name already exists').waitFor()
})

test.each([
  ['on a screen', {}],
  ['on a phone', PHONE],
])('the dialog is accessible and finds snippets %s', async (place, device) => {
  for (let number = 1; number <= 9; number++) await create(`Snippet ${number}`, `#tag${number} `.repeat(12))
  const page = await newPage(t, { as: owner, ...device })
  await page.goto(pagePath(owner, '/posts/new'))
  const dialog = await openSnippets(page)
  await dialog.getByRole('button', { name: /^Snippet 9/ }).waitFor()
  await expectPageAccessible(page, `snippets ${place}`)
  await dialog.getByLabel('Find a snippet').fill('#TAG7')
  await until(async () => expect(await dialog.getByRole('listitem').count()).toBe(1))
})
