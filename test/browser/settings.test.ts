import { describe, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import {
  expectStatus,
  memberOf,
  type Person,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../factories.ts'
import { testImage, uploaded } from '../media.ts'
import { until } from '../until.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })
await signedIn(t, { instanceAdmin: true })

const settingsOf = async (person: Person, { workspace_id }: WorkspaceOwner) =>
  expectStatus(await person.get('/api/v1/workspace', { 'x-workspace-id': workspace_id }), 200).body

describe('the settings of a workspace', () => {
  test('all settings are saved together, and a new short name changes the URL', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { as: owner })
    const { slug } = await settingsOf(owner, owner)
    await page.goto(`/w/${slug}/settings`)
    const save = page.getByRole('button', { name: 'Save changes' })
    await save.waitFor()
    expect(await save.isDisabled()).toBe(true)
    await page.getByLabel(/^Workspace name/).fill(`Flowers of ${slug}`)
    await page.getByLabel(/^Short name/).fill(`fl-${slug}`)
    await page.getByText('Changing the short name changes all URLs').waitFor()
    await page.getByRole('combobox', { name: 'Currency' }).click()
    await page.getByRole('option', { name: /USD/ }).click()
    await page.getByRole('combobox', { name: 'Public holidays' }).click()
    await page.getByRole('option', { name: 'Germany' }).click()
    await page.getByLabel('City').fill('İzmir')
    await page.getByLabel('Tax ID').fill(' 123 ')
    await save.click()
    await page.waitForURL(`**/w/fl-${slug}/settings`)
    await page.getByText('Settings saved.').waitFor()
    await page.getByRole('button', { name: `Flowers of ${slug}` }).waitFor()
    expect(await settingsOf(owner, owner)).toMatchObject({
      name: `Flowers of ${slug}`,
      slug: `fl-${slug}`,
      default_currency: 'USD',
      holiday_country: 'DE',
      billing_address: { city: 'İzmir', tax_id: '123' },
    })
    await page.getByLabel('City').fill('Ankara')
    await save.click()
    await until(async () =>
      expect(await settingsOf(owner, owner)).toMatchObject({ billing_address: { city: 'Ankara' } }),
    )
  })

  test('a color and an image are chosen, and shown in the sidebar', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/settings'))
    const { id } = await uploaded(owner, { name: 'emblem.png' })
    await page.getByRole('radio', { name: 'Pink' }).check()
    await page.getByRole('button', { name: 'From the library' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /emblem/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use 1 file' }).click()
    await expectPageAccessible(page, 'settings with a picture')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Settings saved.').waitFor()
    expect(await settingsOf(owner, owner)).toMatchObject({ color: 'pink', picture_id: id })
    const shown = page.getByRole('navigation').locator(`img[src="/api/v1/media/${id}/thumbnail"]`)
    await shown.waitFor()
    await main(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await page
      .getByTestId('files')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await testImage() })
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await waitUntilGone(shown)
    const { picture_id } = await settingsOf(owner, owner)
    expect([null, id]).not.toContain(picture_id)
  })

  test.each(['Asia/Kolkata', 'Turkey', 'europe/istanbul'])(
    'the time zone %s, which the browser lists under another name, is shown',
    async (timezone) => {
      const owner = await withWorkspace(t)
      expectStatus(await owner.patch('/api/v1/workspace', { timezone }), 200)
      const page = await newPage(t, { as: owner })
      await page.goto(pagePath(owner, '/settings'))
      const zone = page.getByRole('combobox', { name: 'Time zone' })
      await zone.waitFor()
      expect(await zone.inputValue()).toBe(timezone)
    },
  )

  test('settings that were changed elsewhere are loaded on demand and not overwritten, and the input stays', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { as: owner, allow: ['412 '] })
    await page.goto(pagePath(owner, '/settings'))
    const city = page.getByLabel('City')
    await city.fill('Bursa')
    const change = { billing_address: { city: 'Edirne' }, default_currency: 'USD' }
    expectStatus(await owner.patch('/api/v1/workspace', change, { 'x-workspace-id': owner.workspace_id }), 200)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('This was changed elsewhere').waitFor()
    await expectPageAccessible(page, 'conflict')
    expect(await city.inputValue()).toBe('Bursa')
    await page.getByRole('button', { name: 'Load latest settings' }).click()
    await waitUntilGone(page.getByText('This was changed elsewhere'))
    expect(await page.getByRole('combobox', { name: 'Currency' }).inputValue()).toContain('USD')
    expect(await city.inputValue()).toBe('Bursa')
    await page.getByRole('button', { name: 'Save changes' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Settings saved.').waitFor()
    expect(await settingsOf(owner, owner)).toMatchObject({
      default_currency: 'USD',
      billing_address: { city: 'Bursa' },
    })
  })

  test('settings that cannot be saved show the reason at the button, and leaving the page asks first', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { as: owner, allow: ['ERR_INTERNET_DISCONNECTED'] })
    await page.goto(pagePath(owner, '/settings'))
    await page.getByLabel('City').fill('Bursa')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save changes' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'The request failed' })
    await alert.waitFor()
    const box = await alert.boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(720)
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay on this page' }).click()
    expect(await page.getByLabel('City').inputValue()).toBe('Bursa')
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/members')
  })

  test('a taken name and an invalid short name show the error at their fields', async () => {
    const [owner, other] = [await withWorkspace(t), await withWorkspace(t)]
    const { name } = await settingsOf(other, other)
    const page = await newPage(t, { as: owner, allow: ['409 ', '400 '] })
    await page.goto(pagePath(owner, '/settings'))
    const field = page.getByLabel(/^Workspace name/)
    await field.fill(name)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await field.and(page.locator('[aria-invalid=true]')).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByLabel(/^Short name/).fill('No Such')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page
      .getByLabel(/^Short name/)
      .and(page.locator('[aria-invalid=true]'))
      .waitFor()
  })

  test('other members can read the settings and see who may change them', async () => {
    const owner = await withWorkspace(t)
    const editor = await memberOf(t, owner.workspace_id, 'editor')
    const page = await newPage(t, { as: editor })
    await page.goto(pagePath(owner, '/settings'))
    await page.getByText('Only admins and owners can change these settings.').waitFor()
    expect(await page.getByLabel(/^Workspace name/).getAttribute('readonly')).not.toBeNull()
    await expect.poll(() => page.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Delete workspace' }).count()).toBe(0)
    await expectPageAccessible(page, 'settings, read only')
  })
})

describe('workspaces that change elsewhere', () => {
  test('a workspace whose short name was changed elsewhere stays open under the new one, with the input', async () => {
    const owner = await withWorkspace(t)
    await playgroundAccount(owner)
    const { slug } = await settingsOf(owner, owner)
    const page = await newPage(t, { as: owner })
    await page.clock.install()
    await page.goto(`/w/${slug}/posts/new`)
    const text = page.getByRole('textbox', { name: /^Text|^What/ }).first()
    await text.fill('Half a sentence')
    const here = { 'x-workspace-id': owner.workspace_id }
    expectStatus(await owner.patch('/api/v1/workspace', { slug: `x-${slug}` }, here), 200)
    // The next poll, every few seconds, succeeds.
    await page.waitForResponse((response) => response.url().includes('/api/v1/posts') && response.ok())
    expect(page.url()).toContain(`/w/${slug}/`)
    // Refetched as on every return to the tab.
    await page.clock.fastForward(61_000)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await page.waitForURL((url) => url.pathname === `/w/x-${slug}/posts/new`)
    expect(await text.inputValue()).toBe('Half a sentence')
  })

  test('a workspace that the user was removed from shows so, sends no further requests and links elsewhere', async () => {
    const owner = await withWorkspace(t)
    const { name } = await settingsOf(owner, owner)
    const member = await memberOf(t, owner.workspace_id, 'editor')
    expectStatus(await member.post('/api/v1/workspaces', { name: `Own ${member.id}` }), 201)
    const page = await newPage(t, { as: member, allow: ['404 GET'] })
    await page.clock.install()
    await page.goto(pagePath(owner, '/posts'))
    await page.getByRole('heading', { name: 'Posts', exact: true }).waitFor()
    const here = { 'x-workspace-id': owner.workspace_id }
    expectStatus(await owner.call('DELETE', `/api/v1/workspace/members/${member.id}`, { headers: here }), 204)
    await page.getByRole('heading', { name: `You are no longer a member of ${name}` }).waitFor()
    await expectPageAccessible(page, 'no longer a member')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    // Posts are polled every few seconds.
    await page.clock.runFor(10_000)
    expect(requests.filter((url) => url.includes('/posts'))).toEqual([])
    await page.getByRole('link', { name: `Go to Own ${member.id}` }).click()
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  })

  test('a workspace is deleted by typing its name, and restored from the page that creates workspaces', async () => {
    const owner = await withWorkspace(t)
    const { name, slug } = await settingsOf(owner, owner)
    // The poll for changed posts runs until the page leaves the deleted workspace.
    const page = await newPage(t, { as: owner, allow: ['404 GET /api/v1/posts'] })
    await page.goto(`/w/${slug}/settings`)
    await page.getByRole('button', { name: 'Delete workspace' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${name}?` })
    const remove = dialog.getByRole('button', { name: 'Delete workspace' })
    await dialog.getByText('An owner can restore it for 30 days').waitFor()
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByLabel(/^Type/).fill(name)
    await expectPageAccessible(page, 'delete')
    await remove.click()
    await page.getByRole('heading', { name: 'Your first workspace' }).waitFor()
    const deleted = page.getByRole('region', { name: 'Deleted workspaces' })
    await deleted.getByText(name).waitFor()
    await expectPageAccessible(page, 'restore')
    await deleted.getByRole('button', { name: `Restore ${name}` }).click()
    await page.waitForURL(`**/w/${slug}`)
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  })

  test('a deleted workspace is also listed in the workspace menu', async () => {
    const owner = await withWorkspace(t)
    const { name } = await settingsOf(owner, owner)
    expectStatus(await owner.post('/api/v1/workspaces', { name: `Second ${name}` }), 201)
    expectStatus(
      await owner.call('DELETE', '/api/v1/workspace', {
        body: { name },
        headers: { 'x-workspace-id': owner.workspace_id },
      }),
      204,
    )
    const page = await newPage(t, { as: owner })
    await page.goto('/')
    await page.getByRole('button', { name: `Second ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Restore a deleted workspace' }).click()
    await page.getByRole('button', { name: `Restore ${name}` }).waitFor()
  })
})
