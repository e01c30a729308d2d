import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, PASSWORD, signedIn, withToken } from '../factories.ts'
import { newPage } from './browser.ts'
import { dayIn, expectPageAccessible, main, ownerIn, pagePath, showMorePages, visit, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
const instanceAdmin = await signedIn(t, { instanceAdmin: true })
const owner = await ownerIn(t, 'UTC')
const admin = await memberOf(t, owner.workspace_id, 'admin')
await t.deps.db.updateTable('user').set({ name: 'Grace' }).where('id', '=', admin.id).execute()
const here = { 'x-workspace-id': owner.workspace_id }
expectStatus(await owner.patch('/api/v1/workspace', { default_currency: 'USD' }, here), 200)
expectStatus(await owner.patch('/api/v1/workspace', { default_currency: 'TRY' }, here), 200)
await withToken(t, admin.with(here), ['posts:read', 'posts:write'])
await t.deps.db
  .insertInto('audit_entry')
  .values({ workspace_id: owner.workspace_id, action: 'moon.landed', details: JSON.stringify({ speed: 3 }) })
  .execute()

const entry = (page: Page, text: string | RegExp) => main(page).getByRole('listitem').filter({ hasText: text })
const choose = async (page: Page, field: string, option: string | RegExp) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

test('the audit log shows who did what, from where, and the former values', async () => {
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/audit-log'))
  const change = entry(page, 'Settings changed').first()
  await change.waitFor()
  expect(await change.textContent()).toMatch(/Ada \(.+@example\.com\) · 127\.0\.0\.1/)
  expect(await change.textContent()).toMatch(/Currency.*USD.*TRY/)
  expect(await entry(page, 'API token created').textContent()).toMatch(/test.*Grace.*posts:read, posts:write/)
  // An action the console does not know yet.
  expect(await entry(page, 'moon.landed').textContent()).toMatch(/Meydan.*speed.*3/)
  await expectPageAccessible(page, 'audit log')
})

test('the filters of the audit log are in the URL', async () => {
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/audit-log'))
  await entry(page, 'Settings changed').first().waitFor()
  await choose(page, 'Person', /^Grace/)
  await waitUntilGone(entry(page, 'Settings changed').first())
  await entry(page, 'API token created').waitFor()
  await choose(page, 'Action', 'All member actions')
  await page.getByText('No matching entries').waitFor()
  await expectPageAccessible(page, 'audit log, none found')
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await choose(page, 'Action', 'Settings changed')
  await waitUntilGone(entry(page, 'API token created'))
  await expect.poll(() => entry(page, 'Settings changed').count()).toBe(2)
  await page.waitForURL(/action=workspace\.updated/)
  await page.reload()
  await entry(page, 'Settings changed').first().waitFor()
  await expect.poll(() => entry(page, 'API token created').count()).toBe(0)

  await visit(page, pagePath(owner, `/audit-log?until=${dayIn('UTC', -1)}&since=${dayIn('UTC', -3)}`))
  await page.getByText('No matching entries').waitFor()
  await page.getByRole('button', { name: /^Period: / }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await entry(page, 'API token created').waitFor()
  expect(page.url()).toContain(`since=${dayIn('UTC', -6)}`)
})

test('more entries of the audit log are loaded on demand', async () => {
  const busy = await ownerIn(t, 'UTC')
  await t.deps.db
    .insertInto('audit_entry')
    .values(
      Array.from({ length: 60 }, (_, number) => ({
        workspace_id: busy.workspace_id,
        actor_id: busy.id,
        action: 'webhook.created',
        details: JSON.stringify({ url: `https://example.com/${number}` }),
      })),
    )
    .execute()
  const page = await newPage(t, { as: busy })
  await page.goto(pagePath(busy, '/audit-log'))
  await entry(page, /\/59$|\/59\D/)
    .first()
    .waitFor()
  await expect.poll(() => entry(page, 'Workspace created').count()).toBe(0)
  await page.getByRole('button', { name: 'Show more' }).click()
  await entry(page, 'Workspace created').waitFor()
  // The focus moves to the first new entry.
  await expect.poll(() => page.locator('#main li').nth(50).and(page.locator(':focus')).count()).toBe(1)
})

test('other members have no link to the audit log and get an explanation at its URL', async () => {
  const editor = await memberOf(t, owner.workspace_id, 'editor')
  const page = await newPage(t, { as: editor })
  await page.goto(pagePath(owner, '/audit-log'))
  await page.getByText('Your role does not allow this').waitFor()
  await showMorePages(page)
  await page.getByRole('link', { name: 'Members' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
})

test('a workspace whose plan lacks the audit log gets an explanation', async () => {
  const page = await newPage(t, { as: owner, allow: ['403 '] })
  await page.route('**/workspace/audit-log*', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'feature_not_available', status: 403, detail: 'No.', feature: 'audit_log' }),
    }),
  )
  await page.goto(pagePath(owner, '/audit-log'))
  await page.getByText('Your plan does not include the audit log').waitFor()
  await expectPageAccessible(page, 'audit log, not in the plan')
})

test('instance admins see entries without a workspace, with texts for each action and filters in the URL', async () => {
  const person = await signedIn(t, { name: 'Zeynep' })
  await person.post('/api/auth/sign-in/email', { email: person.email, password: 'not the password' })
  await person.post('/api/auth/sign-in/email', { email: person.email, password: PASSWORD })
  const page = await newPage(t, { as: instanceAdmin })
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Instance', exact: true }).click()
  await page.getByRole('link', { name: 'Instance audit log' }).click()
  await page.waitForURL('**/admin/audit-log')
  await entry(page, /^Signed in/)
    .first()
    .waitFor()
  expect(await entry(page, 'Sign-in failed').first().textContent()).toMatch(/Reason.*Wrong password/)
  expect(
    await main(page)
      .getByText(/user\.|sign_in_failed/)
      .count(),
  ).toBe(0)
  await expectPageAccessible(page, 'log of this installation')
  await page.getByRole('combobox', { name: 'Person' }).fill('Zeyn')
  await page.getByRole('option', { name: /^Zeynep/ }).click()
  await page.waitForURL(new RegExp(`actor=${person.id}`))
  await choose(page, 'Action', 'Sign-in failed')
  await page.waitForURL(/action=user\.sign_in_failed/)
  await entry(page, 'Sign-in failed').waitFor()
  await waitUntilGone(entry(page, /^Signed in/).first())
})

test('changes by instance admins are shown with the name of the record and the former values', async () => {
  expectStatus(await instanceAdmin.put('/api/v1/options/app.name', { value: 'Square' }), 200)
  const key = 'sk-a-key-of-nothing-1234'
  expectStatus(await instanceAdmin.put('/api/v1/options/openai_api_key', { value: key }), 200)
  const { body: free } = await instanceAdmin.get('/api/v1/admin/plans/free')
  const limits = { ...free.limits, team_members: 3 }
  expectStatus(await instanceAdmin.patch('/api/v1/admin/plans/free', { limits }), 200)
  const { body: plans } = await instanceAdmin.get('/api/v1/admin/plans')
  const codes = plans.data.map(({ code }: { code: string }) => code)
  expectStatus(await instanceAdmin.post('/api/v1/admin/plans/order', { codes: codes.toReversed() }), 200)
  const page = await newPage(t, { as: instanceAdmin })
  await page.goto('/admin/audit-log')
  const detailsOf = (name: string | RegExp) => entry(page, name).first().textContent()
  await entry(page, 'Option changed · app.name').waitFor()
  expect(await detailsOf('Option changed · app.name')).toMatch(/Value.*Meydan.*Square/)
  expect(await detailsOf('Option changed · openai_api_key')).toMatch(/Value.*set ···1234/)
  expect(await detailsOf('Plan changed · free')).toMatch(/Limits.*before:.*2 members.*after:.*3 members/)
  expect(await detailsOf('Plan changed · free')).not.toContain('account')
  expect(await detailsOf('Plans reordered')).toContain(codes.toReversed().join(', '))
  await choose(page, 'Action', 'All plan actions')
  await page.waitForURL(/action=plan/)
  await waitUntilGone(entry(page, /^Option changed/).first())
})

test('the audit log of the installation is not found for ordinary users', async () => {
  const page = await newPage(t, { as: owner })
  await page.goto('/admin/audit-log')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Instance audit log' }).count()).toBe(0)
})
