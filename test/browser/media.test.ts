import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, playgroundAccount, signedIn, withWorkspace } from '../factories.ts'
import { png } from '../hostile-files.ts'
import { noise, testImage, uploaded } from '../media.ts'
import { putInReview } from '../posts.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { newPage } from './browser.ts'
import { expectPageAccessible, main, newPost, pagePath, visit, waitUntilGone } from './pages.ts'

const t = await testApp({}, { live: true })

test('files are uploaded, described, found, deleted and restored', async () => {
  const owner = await withWorkspace(t)
  const page = await newPage(t, { as: owner, allow: ['415 POST /api/v1/media'] })
  await page.goto(pagePath(owner, '/media'))
  await page.getByText('No files yet').waitFor()
  await expectPageAccessible(page, 'media, empty')

  await page.getByTestId('files').setInputFiles([
    { name: 'simit.png', mimeType: 'image/png', buffer: png(40, 30) },
    { name: 'trick.png', mimeType: 'image/png', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
  ])
  const simit = main(page).getByRole('button', { name: /^simit\.png/ })
  await simit.waitFor()
  const uploads = page.getByRole('list', { name: 'Uploads' })
  await uploads.getByRole('alert').waitFor()
  await expectPageAccessible(page, 'media')
  await uploads.getByRole('button', { name: 'Dismiss trick.png' }).click()
  await waitUntilGone(uploads)

  await simit.click()
  const details = page.getByRole('dialog', { name: 'File' })
  await details.getByRole('textbox', { name: 'Alternative text' }).fill('A tray of simit')
  await expectPageAccessible(page, 'media, details')
  await details.getByRole('button', { name: 'Save' }).click()
  await waitUntilGone(details)
  const { data } = expectStatus(await owner.get('/api/v1/media'), 200).body
  expect(data).toMatchObject([{ name: 'simit.png', alt: 'A tray of simit' }])

  await page.getByRole('searchbox', { name: /^Search name/ }).fill('tray')
  await expect.poll(() => page.url()).toContain('search=tray')
  await simit.click()
  await details.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('File deleted.').waitFor()
  await waitUntilGone(simit)
  await visit(page, pagePath(owner, '/media/deleted'))
  await page.getByRole('button', { name: /^Restore: simit/ }).waitFor()
  await expectPageAccessible(page, 'media, deleted')
  await page.getByRole('button', { name: /^Restore: simit/ }).click()
  await page.getByText('No deleted files').waitFor()
})

test('before an alternative text is saved, the approved posts are counted that will be in review again', async () => {
  const owner = await withWorkspace(t)
  const account = await playgroundAccount(owner)
  const { id } = await uploaded(owner, { name: 'simit.png' })
  const post = await newPost(owner, { content: 'Fresh', account_ids: [account], media_ids: [id] })
  await putInReview(t, post.id)
  expectStatus(await owner.post(`/api/v1/posts/${post.id}/approve`), 200)
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/media'))
  await main(page)
    .getByRole('button', { name: /^simit\.png/ })
    .click()
  const details = page.getByRole('dialog', { name: 'File' })
  const warning = details.getByText('1 approved post has this file. Saving puts it in review again.')
  await details.getByRole('textbox', { name: 'Name' }).fill('ring.png')
  await details.getByRole('textbox', { name: 'Alternative text' }).fill('A tray of simit')
  await warning.waitFor()
  await expectPageAccessible(page, 'media, approved')
  await details.getByRole('textbox', { name: 'Alternative text' }).fill('')
  await waitUntilGone(warning)
})

test('files are uploaded into a post, described, sorted by key and shown in its preview', async () => {
  const owner = await withWorkspace(t)
  await playgroundAccount(owner)
  await uploaded(owner, { name: 'tea.png' })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Fresh')
  await page
    .getByTestId('files')
    .first()
    .setInputFiles([{ name: 'simit.png', mimeType: 'image/png', buffer: await testImage() }])
  const files = page.getByRole('list', { name: 'Files', exact: true })
  await files.getByRole('button', { name: /^simit\.png, file 1 of 1/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Alternative text of simit.png' })
  await dialog.getByRole('textbox', { name: 'Alternative text' }).fill('A tray of simit')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('article', { name: 'Playground' }).getByRole('img', { name: 'A tray of simit' }).waitFor()

  await page.getByRole('button', { name: 'From the library' }).first().click()
  const library = page.getByRole('dialog', { name: 'Choose files' })
  await library.getByRole('button', { name: /^tea\.png/ }).click()
  await library.getByRole('button', { name: 'Use 1 file' }).click()
  await page.getByText('1 file has no alternative text').waitFor()
  await expectPageAccessible(page, 'compose with files')
  await files.getByRole('button', { name: /^tea\.png, file 2 of 2/ }).press('Shift+ArrowLeft')
  await files.getByRole('button', { name: /^tea\.png, file 1 of 2/ }).waitFor()
  await page.getByText('Save as draft').click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
  const [post] = expectStatus(await owner.get('/api/v1/posts'), 200).body.data
  const nameOf = async (id: string) => expectStatus(await owner.get(`/api/v1/media/${id}`), 200).body.name
  const names = await Promise.all(post.media_ids.map(nameOf))
  expect(names).toEqual(['tea.png', 'simit.png'])
})

test('an alternative text is suggested in the library and in the composer, and saved only when it is accepted', async () => {
  const openai = await providerServer('openai')
  onTestFinished(() => openai.close())
  await modelAt(await signedIn(t, { instanceAdmin: true }), 'openai', 'chat', openai)
  openai.script.parts = ['A round tray', ' of simit.']
  const owner = await withWorkspace(t)
  await playgroundAccount(owner)
  const { id } = await uploaded(owner, { name: 'simit.png' })
  const altOf = async () => expectStatus(await owner.get(`/api/v1/media/${id}`), 200).body.alt
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/media'))
  await main(page)
    .getByRole('button', { name: /^simit\.png/ })
    .click()
  const details = page.getByRole('dialog', { name: 'File' })
  const field = details.getByRole('textbox', { name: 'Alternative text' })
  await details.getByText('Costs 1 credit.').waitFor()
  await expectPageAccessible(page, 'media, details with a suggestion')
  await details.getByRole('button', { name: 'Suggest alternative text' }).click()
  await expect.poll(() => field.inputValue()).toBe('A round tray of simit.')
  expect(JSON.stringify(openai.calls[0]?.body)).toContain('data:image/png;base64,')
  expect(await altOf()).toBe('')
  await details.getByRole('button', { name: 'Save' }).click()
  await waitUntilGone(details)
  expect(await altOf()).toBe('A round tray of simit.')

  openai.script.sees = false
  await visit(page, pagePath(owner, '/posts/new'))
  await page.getByRole('button', { name: 'From the library' }).first().click()
  const library = page.getByRole('dialog', { name: 'Choose files' })
  await library.getByRole('button', { name: /^simit\.png/ }).click()
  await library.getByRole('button', { name: 'Use 1 file' }).click()
  await page
    .getByRole('list', { name: 'Files', exact: true })
    .getByRole('button', { name: /^simit\.png, file 1/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Alternative text of simit.png' })
  await dialog.getByRole('button', { name: 'Suggest alternative text' }).click()
  await dialog.getByText('The model did not accept this image.').waitFor()
  openai.script.sees = true
  openai.script.parts = ['Simit.']
  await dialog.getByRole('button', { name: 'Suggest alternative text' }).click()
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Alternative text' }).inputValue()).toBe('Simit.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await waitUntilGone(dialog)
  expect(await altOf()).toBe('A round tray of simit.')
})

test('a large file whose connection is cut continues where it stopped, and arrives whole', async () => {
  const owner = await withWorkspace(t)
  const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED'] })
  await page.goto(pagePath(owner, '/media'))
  // Two requests: the second one is cut, and what follows begins at its first byte.
  const buffer = await noise(2500, 2400)
  const offsets: (string | undefined)[] = []
  await page.route('**/api/v1/media/uploads/*', (route) => {
    const request = route.request()
    if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'])
    return offsets.length === 2 && request.method() === 'PATCH' ? route.abort() : route.continue()
  })
  await page.getByTestId('files').setInputFiles([{ name: 'harbour.png', mimeType: 'image/png', buffer }])
  await main(page)
    .getByRole('button', { name: /^harbour\.png/ })
    .waitFor()
  const second = String(16 * 1024 * 1024)
  expect(offsets).toEqual(['0', second, second])
  const { data } = expectStatus(await owner.get('/api/v1/media'), 200).body
  const sha256 = createHash('sha256').update(buffer).digest('hex')
  expect(data).toMatchObject([{ name: 'harbour.png', width: 2500, sha256 }])
})

test('a cancelled upload of a large file leaves nothing on the server', async () => {
  const owner = await withWorkspace(t)
  const page = await newPage(t, { as: owner, allow: ['net::ERR_FAILED'] })
  await page.goto(pagePath(owner, '/media'))
  let cut = false
  await page.route('**/api/v1/media/uploads/*', (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    cut = true
    return undefined
  })
  const buffer = Buffer.alloc(9_000_000, 1)
  await page.getByTestId('files').setInputFiles([{ name: 'harbour.mp4', mimeType: 'video/mp4', buffer }])
  await expect.poll(() => cut).toBe(true)
  const [erased] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'DELETE'),
    page.getByRole('button', { name: 'Cancel upload of harbour.mp4' }).click(),
  ])
  expect(erased.status()).toBe(204)
  await waitUntilGone(page.getByRole('list', { name: 'Uploads' }))
})

test('an image of a post is cropped, and its part takes its place', async () => {
  const owner = await withWorkspace(t)
  await playgroundAccount(owner)
  const { id } = await uploaded(owner, { bytes: await testImage(400, 300), name: 'tea.png' })
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, '/posts/new'))
  await page.getByRole('button', { name: 'From the library' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^tea\.png/ })
    .click()
  await page.getByRole('button', { name: 'Use 1 file' }).click()
  await page.getByRole('button', { name: /^tea\.png, file 1 of 1/ }).click()
  await page.getByRole('button', { name: 'Crop', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Crop tea.png' })
  await dialog.getByText('400 × 300 pixels').waitFor()
  await dialog.getByRole('button', { name: 'Rotate 90°' }).click()
  await dialog.getByText('300 × 400 pixels').waitFor()
  await dialog.getByText('1:1', { exact: true }).click()
  await dialog.getByText('300 × 300 pixels').waitFor()
  await dialog.getByRole('slider', { name: 'Zoom' }).fill('2')
  await dialog.getByText('150 × 150 pixels').waitFor()
  await dialog.getByRole('group', { name: /^Part of the image/ }).press('ArrowRight')
  await expectPageAccessible(page, 'crop')
  await dialog.getByRole('button', { name: 'Save as a new file' }).click()
  await page.getByRole('dialog', { name: 'Alternative text of tea.png' }).waitFor()
  const { data } = expectStatus(await owner.get('/api/v1/media'), 200).body
  expect(data).toMatchObject([
    { name: 'tea.png', width: 150, height: 150 },
    { id, width: 400, height: 300 },
  ])
  await expect
    .poll(async () => expectStatus(await owner.get('/api/v1/posts'), 200).body.data[0]?.media_ids)
    .toEqual([data[0].id])
})
