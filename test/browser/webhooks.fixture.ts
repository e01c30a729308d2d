/** Calls and places that tests of the pages of webhooks share. */
import type { Page } from 'playwright-core'
import { expectStatus, type WorkspaceOwner } from '../factories.ts'

type Webhook = {
  id: string
  url: string
  events: string[]
  description: string | null
  header_names: string[]
  active: boolean
}

export async function newWebhook(
  owner: WorkspaceOwner,
  receiver: { url: string },
  body: object = {},
): Promise<Webhook & { secret: string }> {
  const input = { url: receiver.url, events: ['*'], ...body }
  return expectStatus(await owner.post('/api/v1/webhooks', input), 201).body
}

export async function webhooksOf(owner: WorkspaceOwner): Promise<Webhook[]> {
  const { body } = expectStatus(await owner.get('/api/v1/webhooks', { 'x-workspace-id': owner.workspace_id }), 200)
  return body.data
}

export const dialogOf = (page: Page) => page.getByRole('dialog')
export const shownSecret = (page: Page) => dialogOf(page).getByText(/^whsec_/)
export const rowOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem', { name, exact: true })

/** Chooses from the menu of a webhook in the list. */
export async function chooseAction(page: Page, webhook: string, item: string) {
  await page.getByRole('button', { name: `More actions for ${webhook}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
