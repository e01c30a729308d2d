import { randomBytes } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestApp } from '../app.ts'
import type { Client } from '../client.ts'
import { expectStatus, PASSWORD, signedIn, type WorkspaceOwner } from '../factories.ts'
import { expectAccessible } from './browser.ts'

/** The address of a room. The console takes a workspace's id where it writes the short name itself. */
export const roomOf = ({ workspace_id }: { workspace_id: string }, path = '') => `/w/${workspace_id}${path}`

export const gone = (locator: Locator) => locator.waitFor({ state: 'hidden' })

/** The part of a screen that changes from room to room. */
export const main = (page: Page) => page.getByRole('main')

/** What a screen reader says of a field besides its label: help, and what is wrong with it. */
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
export async function enter(page: Page, { email }: { email: string }, password = PASSWORD) {
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel(/^E-mail/).fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** A user who owns a new workspace with clocks of its own. */
export async function ownerIn(t: TestApp, timezone: string): Promise<WorkspaceOwner> {
  const person = await signedIn(t)
  const name = `Square ${randomBytes(5).toString('hex')}`
  const { body } = expectStatus(await person.post('/api/v1/workspaces', { name, timezone }), 201)
  return { ...person, workspace_id: body.id }
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
 * What axe finds on the page as it stands. In the dark only colours differ, so only they are looked at. Every finding of
 * a test is told, not only the first.
 */
export async function passes(page: Page, screen: string) {
  await expect.soft(expectAccessible(page), screen).resolves.toBeUndefined()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await expect.soft(expectAccessible(page, ['color-contrast']), `${screen}, dark`).resolves.toBeUndefined()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor()
}
