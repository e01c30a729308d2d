import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, type WorkspaceOwner } from '../factories.ts'
import { until } from '../until.ts'
import { newPage, PHONE } from './browser.ts'
import { dayIn, expectPageAccessible, ownerIn, pagePath, textField } from './pages.ts'

const t = await testApp({}, { live: true })

let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await ownerIn(t, 'Europe/Istanbul')
  await playgroundAccount(owner)
})

const create = async (name: string, content: string, fields = {}) =>
  expectStatus(await owner.post('/api/v1/snippets', { name, content, ...fields }), 201).body
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
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Open from eight.')
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
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Other')
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

test('a slash suggests snippets in the text, which the keyboard chooses and Escape leaves', async () => {
  await create('Opening hours', 'Open from seven.')
  await create('Hashtags', '#bakery #simit', { kind: 'hashtags' })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  await textField(page).pressSequentially('Fresh and/or warm /')
  const options = page.getByRole('option')
  await options.nth(1).waitFor()
  await expectPageAccessible(page, 'suggestions of snippets')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await until(async () => expect(await textField(page).inputValue()).toBe('Fresh and/or warm Open from seven.'))
  await page.keyboard.type(' /hash')
  await until(async () => expect(await options.count()).toBe(1))
  await page.keyboard.press('Escape')
  await until(async () => expect(await options.count()).toBe(0))
  await page.keyboard.type('t')
  await page.locator('[role="option"][data-combobox-selected]').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('!')
  await until(async () =>
    expect(await textField(page).inputValue()).toBe('Fresh and/or warm Open from seven. #bakery #simit!'),
  )
})

test('a template sets the accounts, labels and first comment of the post, with its variables filled in', async () => {
  const second = await playgroundAccount(owner)
  expectStatus(await owner.patch(`/api/v1/accounts/${second}`, { name: 'Café' }), 200)
  expectStatus(
    await owner.put('/api/v1/workspace/variables', { variables: [{ name: 'phone', value: '0312 555 01 01' }] }),
    200,
  )
  await create('Weekend', '{{account}}, {{weekday}}: {{phone}}', {
    ...{ kind: 'template', account_ids: [second], labels: ['spring'], first_comment: 'Call {{phone}}' },
  })
  const page = await newPage(t, { as: owner })
  const day = dayIn('Europe/Istanbul', 3)
  await page.goto(pagePath(owner, `/posts/new?at=${day}%2009:00:00`))
  const weekday = new Intl.DateTimeFormat('tr', { weekday: 'long', timeZone: 'UTC' }).format(new Date(day))
  const dialog = await openSnippets(page)
  await dialog.getByRole('button', { name: /^Weekend/ }).click()
  await until(async () => expect(await textField(page).inputValue()).toBe(`Café, ${weekday}: 0312 555 01 01`))
  await page.getByRole('button', { name: 'Schedule and write another' }).click()
  await until(async () => expect(await textField(page).inputValue()).toBe(''))
  const { data } = (await owner.get('/api/v1/posts?status=scheduled')).body
  const post = (await owner.get(`/api/v1/posts/${data[0].id}`)).body
  expect(post).toMatchObject({ labels: ['spring'], first_comment: 'Call 0312 555 01 01' })
  expect(post.targets.map(({ account_id }: { account_id: string }) => account_id)).toEqual([second])
})

test('a post becomes a template with its labels, and lists are filtered by kind', async () => {
  await create('Hours', 'Open from seven.')
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  await textField(page).fill('Fresh simit')
  await page.getByRole('combobox', { name: /^Labels/ }).fill('spring')
  await page.getByRole('combobox', { name: /^Labels/ }).press('Enter')
  const dialog = await openSnippets(page)
  await dialog.getByRole('button', { name: 'Save this text as a snippet' }).click()
  await dialog.getByText('Template', { exact: true }).click()
  await dialog.getByLabel('Name').fill('Simit')
  await dialog.getByRole('button', { name: 'Save snippet' }).click()
  await until(async () => expect(await dialog.getByRole('listitem').count()).toBe(2))
  await dialog.getByText('Templates', { exact: true }).click()
  await until(async () => expect(await dialog.getByRole('listitem').count()).toBe(1))
  const { data } = (await owner.get('/api/v1/snippets?kind=template')).body
  expect(data).toMatchObject([{ name: 'Simit', labels: ['spring'], content: 'Fresh simit' }])
})

test('variables are added, written into a snippet and removed, and unknown ones are refused', async () => {
  const page = await newPage(t, {
    as: owner,
    allow: ['400 POST /api/v1/snippets', '400 PUT /api/v1/workspace/variables'],
  })
  await page.goto(pagePath(owner, '/posts/new'))
  const dialog = await openSnippets(page)
  await dialog.getByRole('button', { name: 'Variables' }).click()
  await dialog.getByRole('button', { name: 'Add variable' }).press('Enter')
  await page.keyboard.type('phone')
  await dialog.getByLabel('Value of variable 1').fill('0312 555 01 01')
  await expectPageAccessible(page, 'variables')
  await dialog.getByRole('button', { name: 'Save variables' }).click()
  await dialog.getByRole('button', { name: 'New snippet' }).click()
  await dialog.getByLabel('Name').fill('Call')
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Call {{fone}} ')
  await dialog.getByRole('button', { name: 'Save snippet' }).click()
  await dialog.getByText('There is no variable {{fone}}.').waitFor()
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Call ')
  await dialog.getByRole('button', { name: 'Insert variable' }).click()
  await page.getByRole('menuitem', { name: '{{phone}}' }).click()
  await until(async () =>
    expect(await dialog.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Call {{phone}}'),
  )
  await dialog.getByRole('button', { name: 'Save snippet' }).click()
  await until(async () => expect(await contents()).toEqual(['Call {{phone}}']))
  await dialog.getByRole('button', { name: 'Variables' }).click()
  await dialog.getByRole('button', { name: 'Remove variable 1' }).click()
  await dialog.getByRole('button', { name: 'Save variables' }).click()
  await dialog.getByText('The snippet “Call” uses {{phone}}.').waitFor()
})
