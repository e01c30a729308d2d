import { afterAll, describe, expect, test } from 'vitest'
import { agentOf, newTopics } from '../../server/modules/agents/runs/runs.fixture.ts'
import { readyAgent } from '../agents.ts'
import { testApp } from '../app.ts'
import { expectStatus, memberOf, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, pagePath } from './pages.ts'

const t = await testApp({}, { live: true })
const admin = await signedIn(t, { instanceAdmin: true })
const openai = await providerServer('openai')
afterAll(openai.close)
openai.script.reply = newTopics()

describe('a first agent', () => {
  test('is written in a form, names what it lacks, previews, runs, and its post waits for review', async () => {
    const owner = await withWorkspace(t)
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner, allow: ['409 POST /api/v1/agents/'] })
    await page.goto(pagePath(owner, '/agents'))
    await page.getByRole('heading', { name: 'No agents yet' }).waitFor()
    await expectPageAccessible(page, 'agents, none')
    await page.getByRole('link', { name: 'New agent' }).click()
    await page.getByRole('button', { name: 'Create agent' }).click()
    expect(await page.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('textbox', { name: 'Name' }).fill('Dish of the day')
    await page.getByRole('checkbox', { name: 'Wed' }).uncheck()
    await page.getByText('Monday and Friday at 09:00').waitFor()
    await expectPageAccessible(page, 'new agent')
    await page.getByRole('button', { name: 'Create agent' }).click()

    await page.getByRole('heading', { name: 'Dish of the day', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    const missing = page.getByRole('alert').filter({ hasText: 'Before you can enable it' })
    await missing.getByText('Write its instructions.').waitFor()
    await missing.getByText('An instance admin must set up a chat model first.').waitFor()
    await expectPageAccessible(page, 'agent that is not ready')

    await modelAt(admin, 'openai', 'chat', openai)
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Write about one dish of the menu.')
    await page.getByRole('button', { name: 'Save agent' }).click()
    await page.getByRole('button', { name: 'Write a preview' }).click()
    await page.getByRole('button', { name: 'Write another' }).waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await main(page).getByText('Active', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Run now' }).click()
    const runs = page.getByRole('list', { name: 'Runs' })
    await runs.getByRole('link', { name: 'Review' }).waitFor()
    await expectPageAccessible(page, 'agent with a run')
    await runs.getByRole('link', { name: 'Review' }).click()
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    const { data } = expectStatus(await owner.get('/api/v1/agents'), 200).body
    expect(data).toMatchObject([
      { is_active: true, schedule_cron: '0 9 * * 1,5', last_run: { status: 'awaiting_review' } },
    ])
  })
})

describe('agents of a workspace', () => {
  test('draw cards for their posts, and their runs say so', async () => {
    const owner = await withWorkspace(t)
    await modelAt(admin, 'openai', 'chat', openai)
    const { id } = await readyAgent(owner, { video: true })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/agents/${id}/edit`))
    await page.getByRole('switch', { name: 'Videos' }).uncheck({ force: true })
    await page.getByRole('switch', { name: 'Draw a card for each post' }).check({ force: true })
    await page.getByRole('textbox', { name: 'Style of pictures' }).fill('Letters #f4f1de on #0b3d2e')
    await expectPageAccessible(page, 'agent with cards')
    await page.getByRole('button', { name: 'Save agent' }).click()
    await main(page).getByText('Cards', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('list', { name: 'Runs' }).getByText('With a picture').waitFor()
    await expectPageAccessible(page, 'run with a card')
    const { body } = expectStatus(await owner.get(`/api/v1/agents/${id}`), 200)
    expect(body).toMatchObject({ design: true, generate_image: false, video: false })
  })

  test('are switched one by one and all at once', async () => {
    const owner = await withWorkspace(t)
    await agentOf(t, owner, { name: 'Baker' })
    const other = await agentOf(t, owner, { name: 'Waiter', is_active: false })
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/agents'))
    await page.getByRole('switch', { name: 'Enable Waiter' }).click({ force: true })
    await expect.poll(async () => (await owner.get(`/api/v1/agents/${other}`)).body.is_active).toBe(true)
    await expectPageAccessible(page, 'agents')
    await page.getByRole('button', { name: 'Disable all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable all' }).click()
    await page.getByText('2 agents disabled').waitFor()
    const { data } = expectStatus(await owner.get('/api/v1/agents?is_active=true'), 200).body
    expect(data).toEqual([])
  })

  test('a change that somebody else made meanwhile is not overwritten', async () => {
    const owner = await withWorkspace(t)
    const { id } = await readyAgent(owner)
    const page = await newPage(t, { as: owner, allow: ['412 PATCH'] })
    await page.goto(pagePath(owner, `/agents/${id}/edit`))
    await page.getByRole('textbox', { name: 'Tone' }).fill('Warm')
    expectStatus(await owner.patch(`/api/v1/agents/${id}`, { voice: 'Cold' }), 200)
    await page.getByRole('button', { name: 'Save agent' }).click()
    await page.getByText('The agent was changed meanwhile.').waitFor()
    expect((await owner.get(`/api/v1/agents/${id}`)).body.voice).toBe('Cold')
  })

  test('a schedule that comes too often is refused at its field', async () => {
    const owner = await withWorkspace(t)
    const { id } = await readyAgent(owner)
    const page = await newPage(t, { as: owner, allow: ['400 PATCH'] })
    await page.goto(pagePath(owner, `/agents/${id}/edit`))
    await page.getByText('Cron', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Cron pattern' }).fill('*/5 * * * *')
    await page.getByRole('button', { name: 'Save agent' }).click()
    await page.getByText('Leave at least 15 minutes between runs.').waitFor()
  })

  test('viewers read agents and change nothing', async () => {
    const owner = await withWorkspace(t)
    const id = await agentOf(t, owner, { name: 'Baker' })
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const page = await newPage(t, { as: viewer })
    await page.goto(pagePath(owner, '/agents'))
    await page.getByRole('link', { name: 'Baker' }).click()
    await page.getByRole('heading', { name: 'Baker', level: 1 }).waitFor()
    expect(await page.getByRole('button', { name: /Enable|Disable|Run now|Write a preview/ }).count()).toBe(0)
    await page.goto(pagePath(owner, `/agents/${id}/edit`))
    await page
      .getByText(/editor/i)
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: 'Save agent' }).count()).toBe(0)
  })
})

describe('sources of an agent', () => {
  test('are added, completed, changed and removed on its page', async () => {
    const owner = await withWorkspace(t)
    const { id } = await readyAgent(owner)
    const page = await newPage(t, { as: owner, allow: ['400 POST /api/v1/agents/'] })
    await page.goto(pagePath(owner, `/agents/${id}`))
    await page.getByRole('button', { name: 'Add a source' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Label' }).fill('Our blog')
    await dialog.getByRole('textbox', { name: 'Address' }).fill('http://169.254.169.254/latest')
    await dialog.getByRole('button', { name: 'Add a source' }).click()
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Address' }).getAttribute('aria-invalid')).toBe('true')
    await dialog.getByText('Text', { exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Text' }).fill('Monday: lentil soup')
    await expectPageAccessible(page, 'adding a source')
    await dialog.getByRole('button', { name: 'Add a source' }).click()
    const source = page.getByRole('listitem', { name: 'Our blog' })
    await source.waitFor()
    await expectPageAccessible(page, 'agent with a source')
    await page.getByRole('button', { name: 'Edit Our blog' }).click()
    await dialog.getByRole('textbox', { name: 'Text' }).fill('Monday: bean soup')
    await dialog.getByRole('button', { name: 'Save source' }).click()
    const read = async () => (await owner.get(`/api/v1/agents/${id}/sources`)).body.data
    await expect.poll(async () => (await read())[0].text).toBe('Monday: bean soup')
    await page.getByRole('button', { name: 'Remove Our blog' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await source.waitFor({ state: 'hidden' })
    expect(await read()).toEqual([])
  })
})
