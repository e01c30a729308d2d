import type { TestApp } from './app.ts'
import type { Client } from './client.ts'
import { expectStatus } from './factories.ts'
import { upload } from './media.ts'

type Fields = [string, string][]

/** Uploads a spreadsheet. */
export const sendImport = (who: Client, file: string | Uint8Array, fields: Fields = [], name = 'march.csv') =>
  upload(who, typeof file === 'string' ? Buffer.from(file) : file, {
    ...{ name, type: 'text/csv', fields, path: '/api/v1/imports' },
  })

/** An import whose rows were checked, if nothing was missing. */
export async function checkedImport(t: TestApp, who: Client, file: string | Uint8Array, fields: Fields = []) {
  const { id } = expectStatus(await sendImport(who, file, fields), 201).body
  await t.runJobs()
  return expectStatus(await who.get(`/api/v1/imports/${id}`), 200).body
}

export async function rowsOf(who: Client, id: string, query = '') {
  // biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
  const rows: any[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const path: string = `/api/v1/imports/${id}/rows?limit=100${query}${cursor && `&cursor=${cursor}`}`
    const { body }: { body: { data: object[]; next_cursor: string | null } } = expectStatus(await who.get(path), 200)
    rows.push(...body.data)
    cursor = body.next_cursor
  }
  return rows
}

/** Confirms an import and lets its job run. */
export async function confirmed(t: TestApp, who: Client, id: string, body: object = { only: 'ok', as: 'scheduled' }) {
  expectStatus(await who.post(`/api/v1/imports/${id}/confirm`, body), 200)
  await t.runJobs()
  return expectStatus(await who.get(`/api/v1/imports/${id}`), 200).body
}
