import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newTopics } from '../../server/modules/agents/runs/runs.fixture.ts'
import { updateBuiltInRecipes } from '../../server/modules/catalog/built-in/built-in.ts'
import { readyAgent } from '../agents.ts'
import { type TestApp, testApp } from '../app.ts'
import { expectStatus, memberOf, type Person, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { installedAgent, publishedRecipe } from '../recipes.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, main, pagePath, visit, waitUntilGone } from './pages.ts'

const path = '/api/v1/catalog/agent-recipes'

const openai = await providerServer('openai')
afterAll(openai.close)
openai.script.reply = newTopics()

let t: TestApp
let admin: Person
// An installation has one catalogue.
beforeEach(async () => {
  t = await testApp({}, { live: true })
  onTestFinished(t.close)
  admin = await signedIn(t, { instanceAdmin: true })
  await modelAt(admin, 'openai', 'chat', openai)
  await updateBuiltInRecipes(t.deps)
})

describe('the catalogue', () => {
  test('leads a newcomer from a recipe to an approved post', async () => {
    const owner = await withWorkspace(t)
    await playgroundAccount(owner)
    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, '/agents'))
    await page.getByRole('link', { name: 'Browse recipes' }).click()
    await main(page).getByRole('listitem').nth(9).waitFor()
    await expectPageAccessible(page, 'catalogue')
    await page.getByRole('searchbox', { name: 'Search recipes' }).fill('menu')
    await page.getByRole('link', { name: 'Dish of the day' }).click()
    await main(page).getByText('Write about exactly one dish').waitFor()
    await main(page).getByText('Monday to Saturday at 10:30').waitFor()
    await expectPageAccessible(page, 'recipe')
    await page.getByRole('button', { name: 'Install' }).click()
    const dialog = page.getByRole('dialog', { name: 'Install “Dish of the day”' })
    expect(await dialog.getByRole('checkbox', { name: /^Playground/ }).isChecked()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Facts' }).fill('Lentil soup: lentils, onion, butter.')
    await expectPageAccessible(page, 'install')
    await dialog.getByRole('button', { name: 'Install' }).click()

    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('list', { name: 'Runs' }).getByRole('link', { name: 'Review' }).click()
    await page.getByRole('button', { name: /^Approve/ }).click()
    await page.getByText('Nothing to review').waitFor()
    const [agent] = expectStatus(await owner.get('/api/v1/agents'), 200).body.data
    expect(agent).toMatchObject({ is_active: false, autonomy_level: 'approve', recipe: { version: 1 } })
    expect(agent.system_prompt).toMatch(/FACTS\nLentil soup: lentils, onion, butter\.$/)
    const { data } = expectStatus(await owner.get('/api/v1/posts'), 200).body
    expect(data).toMatchObject([{ review: 'approved' }])
  })

  test('an agent that is installed without facts asks for them on its page', async () => {
    const owner = await withWorkspace(t)
    const [recipe] = expectStatus(await owner.get(`${path}?language=tr&search=yemek`), 200).body.data
    const agent = await installedAgent(owner, recipe.id)
    expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
    const page = await newPage(t, { as: owner, locale: 'tr' })
    await page.goto(pagePath(owner, `/catalog/${recipe.id}`))
    await main(page).getByText('Kurulu', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Kur', exact: true }).click()
    await page.getByRole('dialog').getByText('Henüz bağlı hesap yok.').waitFor()
    await visit(page, pagePath(owner, `/agents/${agent.id}`))
    await page.getByText('Yönergelerinde bilgileriniz eksik').waitFor()
    await expectPageAccessible(page, 'agent without facts')
    await page.getByRole('link', { name: 'Bilgileri ekle' }).click()
    await page.getByRole('textbox', { name: 'Yönergeler' }).fill('Mercimek çorbasını anlat.')
    await page.getByRole('button', { name: 'Ajanı kaydet' }).click()
    await page.getByRole('button', { name: 'Etkinleştir' }).waitFor()
    expect(await page.getByText('Yönergelerinde bilgileriniz eksik').count()).toBe(0)
  })

  test('filters by category and language, and says when nothing matches', async () => {
    const owner = await withWorkspace(t)
    const page = await newPage(t, { as: owner, ...PHONE })
    await page.goto(pagePath(owner, '/catalog'))
    await page.getByRole('combobox', { name: 'Category' }).click()
    await page.getByRole('option', { name: 'Hiring' }).click()
    await main(page).getByRole('listitem', { name: 'We are hiring' }).waitFor()
    expect(await main(page).getByRole('listitem').count()).toBe(1)
    await page.getByRole('combobox', { name: 'Language of the recipe' }).click()
    await page.getByRole('option', { name: 'Türkçe' }).click()
    await main(page).getByRole('listitem', { name: 'Ekip arkadaşı arıyoruz' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search recipes' }).fill('nothing of that name')
    await page.getByRole('heading', { name: 'No matching recipes' }).waitFor()
    await expectPageAccessible(page, 'catalogue, none found')
    await page
      .getByRole('button', { name: /^Clear/ })
      .last()
      .click()
    await main(page).getByRole('listitem').nth(19).waitFor()
  })

  test('viewers read recipes without installing, and report those of others', async () => {
    const { id } = await publishedRecipe(await withWorkspace(t), {}, { name: 'Odd' })
    const owner = await withWorkspace(t)
    const agent = await installedAgent(owner, id)
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    const page = await newPage(t, { as: viewer })
    await page.goto(pagePath(viewer, `/catalog/${id}`))
    await page.getByText('Editors and higher install recipes.').waitFor()
    expect(await page.getByRole('button', { name: 'Install' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Report' }).click()
    const dialog = page.getByRole('dialog', { name: 'Report “Odd”' })
    await dialog.getByRole('radio', { name: 'It copies the work of others' }).check()
    await dialog.getByRole('textbox', { name: 'Details' }).fill('From my book.')
    await expectPageAccessible(page, 'report')
    await dialog.getByRole('button', { name: 'Report' }).click()
    await page.getByText('Thank you.').waitFor()
    await visit(page, pagePath(viewer, `/agents/${agent.id}/recipe-update`))
    await page.getByText('Your role does not allow this').waitFor()
    const reports = await t.deps.db.selectFrom('recipe_report').selectAll().where('recipe_id', '=', id).execute()
    expect(reports).toMatchObject([{ reason: 'copyright', text: 'From my book.', reporter_id: viewer.id }])
  })
})

describe('own recipes', () => {
  test('are shared from an agent without private texts, changed, and unpublished', async () => {
    const owner = await withWorkspace(t)
    const agent = await readyAgent(owner, { name: 'Soup', persona: 'Write to cook@cafe.example.' })
    const page = await newPage(t, { as: owner, allow: [`400 POST ${path}/publish`] })
    await page.goto(pagePath(owner, '/catalog?mine=true'))
    await page.getByRole('heading', { name: 'You have published no recipe yet' }).waitFor()
    await visit(page, pagePath(owner, `/agents/${agent.id}`))
    await page.getByRole('button', { name: 'Share as a recipe' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Description' }).fill('A soup a day.')
    await dialog.getByRole('button', { name: 'Publish recipe' }).click()
    await dialog.getByText(/^Persona: .*e-mail/).waitFor()
    await expectPageAccessible(page, 'recipe with private texts')
    expectStatus(await owner.patch(`/api/v1/agents/${agent.id}`, { persona: 'A cook.' }), 200)
    await dialog.getByRole('button', { name: 'Publish recipe' }).click()

    await page.getByRole('heading', { name: 'Soup', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Soup of the day')
    await dialog.getByRole('button', { name: 'Save recipe' }).click()
    await page.getByRole('heading', { name: 'Soup of the day', level: 1 }).waitFor()
    await page.getByText(/Changed: Name$/).waitFor()
    await page.getByRole('button', { name: 'Unpublish' }).click()
    await dialog.getByRole('button', { name: 'Unpublish' }).click()
    await main(page).getByText('Not published').waitFor()
    await waitUntilGone(dialog)
    await expectPageAccessible(page, 'own recipe')
    await visit(page, pagePath(owner, '/catalog?mine=true'))
    await main(page).getByRole('listitem', { name: 'Soup of the day' }).getByText('Not published').waitFor()
  })
})

describe('the update of an installed agent', () => {
  test('takes the chosen differences and keeps own changes', async () => {
    const [publisher, owner] = [await withWorkspace(t), await withWorkspace(t)]
    const { id, agent_id } = await publishedRecipe(publisher, { persona: 'A cook.', voice: 'Warm.' })
    const agent = await installedAgent(owner, id)
    expectStatus(await owner.patch(`/api/v1/agents/${agent.id}`, { persona: 'Our cook.' }), 200)
    const next = { persona: 'A cook who knows farmers.', voice: 'Warm and short.' }
    expectStatus(await publisher.patch(`/api/v1/agents/${agent_id}`, next), 200)
    expectStatus(await publisher.post(`${path}/publish`, { agent_id, category: 'food' }), 201)

    const page = await newPage(t, { as: owner })
    await page.goto(pagePath(owner, `/agents/${agent.id}`))
    await page.getByText('Its recipe has a newer version').waitFor()
    await expectPageAccessible(page, 'agent with a newer recipe')
    await page.getByRole('link', { name: 'Compare' }).click()
    const voice = page.getByRole('region', { name: 'Tone' })
    expect(await voice.getByRole('checkbox').isChecked()).toBe(true)
    expect(await voice.locator('ins').allTextContents()).toEqual([' and short'])
    const persona = page.getByRole('region', { name: 'Persona' })
    expect(await persona.getByRole('checkbox').isChecked()).toBe(false)
    await expectPageAccessible(page, 'comparison')
    await page.getByRole('button', { name: 'Update agent' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    const { body } = expectStatus(await owner.get(`/api/v1/agents/${agent.id}`), 200)
    expect(body).toMatchObject({ persona: 'Our cook.', voice: 'Warm and short.', recipe: { version: 2 } })
    await visit(page, pagePath(owner, `/agents/${agent.id}/recipe-update`))
    await page.getByText('This agent has the newest version').waitFor()
  })
})

describe('instance admins', () => {
  test('read the reports of a recipe, dismiss them, take it down, and restore it', async () => {
    const publisher = await withWorkspace(t)
    const { id } = await publishedRecipe(publisher, {}, { name: 'Doubtful' })
    const report = { reason: 'spam', text: 'It sells watches.' }
    expectStatus(await (await withWorkspace(t)).post(`${path}/${id}/report`, report), 201)
    const page = await newPage(t, { as: admin })
    await page.goto('/admin/agent-recipes')
    const row = main(page).getByRole('listitem').filter({ hasText: 'Doubtful' })
    await row.getByText('1 open report').waitFor()
    await expectPageAccessible(page, 'recipe moderation')
    await row.getByRole('button', { name: /^Reports/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('It sells watches.').waitFor()
    await expectPageAccessible(page, 'reports of a recipe')
    await page.keyboard.press('Escape')
    await waitUntilGone(dialog)
    await row.getByRole('button', { name: /^Dismiss/ }).click()
    await waitUntilGone(row)
    await page.getByText('All', { exact: true }).click()
    await row.getByRole('button', { name: /^Take down/ }).click()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Advertising')
    await dialog.getByRole('button', { name: 'Take down' }).click()
    await row.getByText('Taken down').waitFor()

    const creator = await newPage(t, { as: publisher })
    await creator.goto(pagePath(publisher, `/catalog/${id}`))
    await creator.getByText('Reason: Advertising').waitFor()
    await row.getByRole('button', { name: /^Restore/ }).click()
    await row.getByRole('button', { name: /^Take down/ }).waitFor()
    expectStatus(await (await withWorkspace(t)).get(`${path}/${id}`), 200)
  })
})
