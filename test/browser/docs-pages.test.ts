import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, signedIn } from '../factories.ts'
import { expectAccessible, newPage, PHONE } from './browser.ts'

const t = await testApp()

const paths = [
  '/docs/guides',
  '/docs/errors',
  ...['start', 'api', 'webhooks', 'ai', 'operating', 'configuration', 'ai-models', 'plans', 'email-templates'].map(
    (name) => `/docs/guides/${name}`,
  ),
]

test('the guides have no serious axe finding, and enough contrast in dark', async () => {
  const page = await newPage(t)
  for (const path of paths) {
    await page.goto(path)
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, ['color-contrast'])
    await page.emulateMedia({ colorScheme: 'light' })
  }
})

test('a guide on a phone scrolls only vertically, and its tables and code scroll horizontally by themselves', async () => {
  const page = await newPage(t, PHONE)
  for (const path of paths) {
    await page.goto(path)
    const [wide, shown] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    )
    expect(wide, path).toBe(shown)
  }
})

test('a guide links to its sections and to the other guides', async () => {
  const page = await newPage(t)
  await page.goto('/docs/guides/webhooks')
  await page.getByRole('navigation').getByRole('link', { name: 'Verify signatures' }).click()
  expect(page.url()).toBe(`${t.url}/docs/guides/webhooks#verify-signatures`)
  await page.getByRole('navigation').getByRole('link', { name: 'Plans and limits' }).click()
  await page.getByRole('heading', { name: 'Plans and limits', level: 1 }).waitFor()
})

test('the pages of the console link to the guides that explain them', async () => {
  const person = await signedIn(t, { instanceAdmin: true })
  const { slug } = expectStatus(await person.post('/api/v1/workspaces', { name: 'Guided' }), 201).body
  const page = await newPage(t, { as: person })
  for (const [path, guide, name] of [
    [`/w/${slug}/webhooks`, 'webhooks', 'Guide to receiving webhooks'],
    [`/w/${slug}/tokens`, 'api', 'Guide to the API'],
    ['/admin/ai-models', 'ai-models', 'Guide to AI models'],
    ['/admin/plans', 'plans', 'Guide to plans'],
    ['/admin/email-templates', 'email-templates', 'Guide to e-mail templates'],
  ] as const) {
    await page.goto(path)
    const href = await page.getByRole('link', { name }).getAttribute('href')
    expect(href).toBe(`/docs/guides/${guide}`)
    expectStatus(await t.anyone.get(href ?? ''), 200)
    await expectAccessible(page)
  }
})
