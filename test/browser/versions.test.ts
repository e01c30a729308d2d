import { expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { expectStatus, memberOf } from '../factories.ts'
import { uploaded } from '../media.ts'
import { newPage, PHONE } from './browser.ts'
import { expectPageAccessible, newPost, ownerIn, pagePath } from './pages.ts'

const t = await testApp({}, { live: true })

/** A post of an author that the owner changed. */
async function changedPost() {
  const owner = await ownerIn(t, 'Europe/Istanbul', { name: 'Grace' })
  const author = await memberOf(t, owner.workspace_id, 'author')
  expectStatus(await author.patch('/api/v1/me', { name: 'Deniz Kaya' }), 200)
  const { id } = await newPost(author, { content: 'Fresh simit from seven in the morning.' })
  const path = `/api/v1/posts/${id}`
  expectStatus(await owner.patch(path, { content: 'Fresh simit and tea from eight in the morning.' }), 200)
  return { owner, author, path, page: `/posts/${id}` }
}

test('a version is compared with the one before, word by word, and the first is restored', async () => {
  const { owner, path, page: address } = await changedPost()
  const page = await newPage(t, { as: owner })
  await page.goto(pagePath(owner, address))
  const versions = page.getByRole('region', { name: 'Versions' })
  await versions.getByText('current').waitFor()
  await versions.getByRole('button', { name: 'Changes of version 2' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('and tea').waitFor()
  expect((await dialog.locator('ins').allTextContents()).map((text) => text.trim())).toEqual(['and tea', 'eight'])
  expect(await dialog.locator('del').allTextContents()).toEqual(['seven'])
  expect(await dialog.getByRole('button', { name: 'Restore this version' }).count()).toBe(0)
  await expectPageAccessible(page, 'a version')
  await page.keyboard.press('Escape')

  await versions.getByRole('button', { name: 'Changes of version 1' }).press('Enter')
  await dialog.getByText('The first version that is kept.').waitFor()
  await dialog.getByRole('button', { name: 'Restore this version' }).press('Enter')
  await page.getByText('Version 1 was restored.').waitFor()
  await versions.getByText('version 1 restored').waitFor()
  expect(expectStatus(await owner.get(path), 200).body.content).toBe('Fresh simit from seven in the morning.')
  expect(await versions.getByRole('listitem').count()).toBe(3)
})

test('a version with a file that was deleted is shown and cannot be restored', async () => {
  const { owner, path, page: address } = await changedPost()
  const file = await uploaded(owner)
  expectStatus(await owner.patch(path, { media_ids: [file.id] }), 200)
  const token = expectStatus(await owner.post('/api/v1/api-tokens', { name: 'Order system', scopes: [] }), 201).body
  const byToken = t.anyone.with({ authorization: `Bearer ${token.token}`, 'x-workspace-id': owner.workspace_id })
  expectStatus(await byToken.patch(path, { media_ids: [] }), 200)
  expectStatus(await owner.delete(`/api/v1/media/${file.id}`), 204)
  expectStatus(await owner.patch('/api/v1/me', { locale: 'tr' }), 200)
  const page = await newPage(t, { as: owner, ...PHONE, locale: 'tr' })
  await page.goto(pagePath(owner, address))
  const versions = page.getByRole('region', { name: 'Sürümler' })
  await versions.getByText('Order system API anahtarıyla').waitFor()
  await versions.getByRole('button', { name: 'Değişiklikler: sürüm 2' }).tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Bu sürümün bir dosyası silinmiş, bu yüzden geri yüklenemez').waitFor()
  expect(await dialog.getByRole('button', { name: 'Bu sürümü geri yükle' }).isDisabled()).toBe(true)
  await expectPageAccessible(page, 'a version on a phone')
})
