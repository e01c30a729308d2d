import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { agentOf, draftText } from '../../server/modules/agents/runs/runs.fixture.ts'
import { testApp } from '../app.ts'
import { expectStatus, signedIn, type WorkspaceOwner, withWorkspace } from '../factories.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath, visit } from './pages.ts'

const t = await testApp({}, { live: true })
const admin = await signedIn(t, { instanceAdmin: true })
const openai = await providerServer('openai')
afterAll(openai.close)
// No text resembles another: one that does would wait for a person.
let texts = 0
openai.script.reply = () => {
  const words = randomBytes(32)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
  return draftText({ topic: `Topic ${++texts}`, content: words })
}
await modelAt(admin, 'openai', 'chat', openai)

/** A workspace in which an agent has scheduled three posts by itself. */
async function withScheduledPosts() {
  const owner = await withWorkspace(t)
  const agent = await agentOf(t, owner, { name: 'Baker', autonomy_level: 'auto', posts_per_run: 3 })
  const run = expectStatus(await owner.post(`/api/v1/agents/${agent}/run`), 201).body
  const status = async () => (await owner.get(`/api/v1/agents/${agent}/runs/${run.id}`)).body.status
  await expect.poll(status).toBe('completed')
  return owner
}

const postsOf = async (owner: WorkspaceOwner) => expectStatus(await owner.get('/api/v1/posts'), 200).body.data
const heldOf = async (owner: WorkspaceOwner) =>
  (await postsOf(owner)).filter(({ held }: { held: string | null }) => held === 'agents_stopped').length

describe('the stop switch', () => {
  test('holds what agents scheduled, which is released one by one or all at once', async () => {
    const owner = await withScheduledPosts()
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/agents'))
    await page.getByRole('button', { name: 'Disable all' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Posts that they scheduled by themselves are held').waitFor()
    await expectPageAccessible(page, 'stopping all agents')
    await dialog.getByRole('button', { name: 'Disable all' }).click()
    await main(page).getByText('3 posts of stopped agents are held').waitFor()
    expect(await heldOf(owner)).toBe(3)
    await expectPageAccessible(page, 'agents that are stopped')

    await page.getByRole('link', { name: 'Look at the posts' }).click()
    const held = main(page).getByRole('link').getByText('Held', { exact: true })
    await expect.poll(() => held.count()).toBe(3)
    const [{ id }] = await postsOf(owner)
    await visit(page, pagePath(owner, `/posts/${id}`))
    await page.getByText('This post is held because its agent was stopped').waitFor()
    await expectPageAccessible(page, 'post of a stopped agent')
    await page.getByRole('button', { name: 'Release', exact: true }).click()
    await expect.poll(() => heldOf(owner)).toBe(2)

    await visit(page, pagePath(owner, '/agents'))
    await page.getByRole('button', { name: 'Release all' }).click()
    await dialog.getByText('Each post is published at its time.').waitFor()
    await dialog.getByRole('button', { name: 'Release all' }).click()
    await page.getByText('2 posts released.').waitFor()
    expect(await heldOf(owner)).toBe(0)
    const statuses = (await postsOf(owner)).map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(['scheduled', 'scheduled', 'scheduled'])
  })
})
