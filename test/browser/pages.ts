import { randomBytes } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestApp } from '../app.ts'
import type { Client } from '../client.ts'
import { expectStatus, PASSWORD, signedIn, type WorkspaceOwner } from '../factories.ts'
import type { BlueskyServer } from '../stand-ins/bluesky.ts'
import { expectAccessible } from './browser.ts'

/** The path of a page. The console accepts a workspace's id in place of its slug. */
export const pagePath = ({ workspace_id }: { workspace_id: string }, path = '') => `/w/${workspace_id}${path}`

export const waitUntilGone = (locator: Locator) => locator.waitFor({ state: 'hidden' })

/**
 * Opens a page of the console. From another one it goes there as a link does, which takes a fifth of a load; what the
 * console has loaded in the last ten seconds stays.
 */
export async function visit(page: Page, path: string) {
  if (page.url() === 'about:blank') await page.goto(path)
  else await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} }).then(() => undefined)`)
}

/** The part of a page that changes with navigation. */
export const main = (page: Page) => page.getByRole('main')

/** Unfolds the pages behind "More" in the sidebar. */
export const showMorePages = (page: Page) => page.getByRole('navigation').getByRole('button', { name: 'More' }).click()

export const textField = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

/** The description of a field for screen readers, besides its label: help and error. */
export async function descriptionOf(field: Locator) {
  const ids = (await field.getAttribute('aria-describedby')) ?? ''
  const texts = ids
    .trim()
    .split(/\s+/)
    .map((id) => field.page().locator(`[id="${id}"]`).textContent())
  return (await Promise.all(texts)).join(' ')
}

/** A wall-clock day near today in a zone, YYYY-MM-DD. */
export const dayIn = (zone: string, days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.now() + days * 86_400_000)

/** Fills in the sign-in form that is shown. */
export async function fillSignIn(page: Page, { email }: { email: string }, password = PASSWORD) {
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel(/^Email/).fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

type Owner = Parameters<typeof signedIn>[1] & { workspace?: string }

/** A user who owns a new workspace with this time zone. */
export async function ownerIn(t: TestApp, timezone: string, options: Owner = {}): Promise<WorkspaceOwner> {
  const { workspace = `Square ${randomBytes(5).toString('hex')}`, ...user } = options
  const person = await signedIn(t, user)
  const { body } = expectStatus(await person.post('/api/v1/workspaces', { name: workspace, timezone }), 201)
  return { ...person, workspace_id: body.id }
}

/** Connects a new account on the stand-in for Bluesky. */
export async function blueskyAccount(owner: Client, bluesky: BlueskyServer, name = 'Sky') {
  const fields = { ...bluesky.addAccount(), service: bluesky.url }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', { network: 'bluesky', name, ...fields }), 201)
  return { id: body.id as string, ...fields }
}

type Post = {
  id: string
  content: string
  status: string
  scheduled_at: string | null
  targets: { status: string; attempts: number }[]
}

export async function newPost(person: Client, post: object): Promise<Post> {
  return expectStatus(await person.post('/api/v1/posts', post), 201).body
}

export async function readPost(person: Client, { id }: { id: string }): Promise<Post> {
  return expectStatus(await person.get(`/api/v1/posts/${id}`), 200).body
}

/**
 * Fails with all axe findings on the current page, in light and dark. Only colours differ, so only they are checked in
 * the second scheme, which the page keeps: to switch costs as much as the check.
 */
export async function expectPageAccessible(page: Page, screen: string) {
  const first = await page.locator('html').getAttribute('data-mantine-color-scheme')
  const second = first === 'dark' ? 'light' : 'dark'
  await expect.soft(expectAccessible(page), `${screen}, ${first}`).resolves.toBeUndefined()
  await page.emulateMedia({ colorScheme: second })
  await page.locator(`html[data-mantine-color-scheme=${second}]`).waitFor()
  await expect.soft(expectAccessible(page, ['color-contrast']), `${screen}, ${second}`).resolves.toBeUndefined()
}

/**
 * Counts what a person does on the page from now on: clicks, taps, and keys. Texts that are filled in are no keys. The
 * counts are complete once the page shows what came of the last one.
 */
export async function countActions(page: Page) {
  const counts = { clicks: 0, taps: 0, keys: 0 }
  await page.exposeFunction('countAction', (kind: keyof typeof counts) => void counts[kind]++)
  await page.addInitScript(`
    addEventListener('pointerdown', ({ pointerType }) => countAction(pointerType === 'touch' ? 'taps' : 'clicks'), true)
    addEventListener('keydown', () => countAction('keys'), true)
  `)
  return counts
}
