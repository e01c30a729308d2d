import { randomBytes } from 'node:crypto'
import { expectStatus, playgroundAccount } from '../factories.ts'
import { checkedImport, confirmed } from '../imports.ts'
import type { Fixture } from './fixture.ts'
import type { Make, Sample } from './resources.ts'

/** An import of two rows, one of which has an error, that can be confirmed. */
async function readyImport({ t, owner }: Fixture): Promise<Sample> {
  // A workspace can have 20 of them within a day. The oldest were called already.
  const { data } = expectStatus(await owner.get('/api/v1/imports?limit=100'), 200).body
  for (const { id } of data.slice(17)) await owner.delete(`/api/v1/imports/${id}`)
  const file = `accounts,text\n${await playgroundAccount(owner)},Hello\n${randomBytes(5).toString('hex')},Hello\n`
  return { id: (await checkedImport(t, owner, file)).id, within: '1' }
}

export const importResources: Record<string, Make> = { imports: readyImport }

export const importSamples: Record<string, Make> = {
  'PATCH /imports/:id': async (fixture) => ({
    ...(await readyImport(fixture)),
    body: { timezone: 'Europe/Berlin' },
  }),
  'PATCH /imports/:id/rows/:row': async (fixture) => ({
    ...(await readyImport(fixture)),
    body: { skip: true },
  }),
  'POST /imports/:id/confirm': async (fixture) => ({
    ...(await readyImport(fixture)),
    body: { only: 'ok', as: 'draft' },
  }),
  'POST /imports/:id/undo': async ({ t, owner }) => {
    const { id } = await checkedImport(t, owner, `accounts,text\n${await playgroundAccount(owner)},Hello\n`)
    await confirmed(t, owner, id, { only: 'ok', as: 'draft' })
    return { id }
  },
}
