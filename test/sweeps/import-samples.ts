import { randomBytes } from 'node:crypto'
import { expectStatus, playgroundAccount } from '../factories.ts'
import { checkedImport, confirmed } from '../imports.ts'
import type { Fixture } from './fixture.ts'
import type { Make, Sample } from './resources.ts'

let previous: Promise<unknown> = Promise.resolve()

/**
 * Uploads a file after those that are being uploaded, and deletes the oldest imports, which were called already: a
 * workspace can have 20 within a day.
 */
function newImport({ t, owner }: Fixture, file: string) {
  const next = previous.then(async () => {
    const { data } = expectStatus(await owner.get('/api/v1/imports?limit=100'), 200).body
    for (const { id } of data.slice(19)) expectStatus(await owner.delete(`/api/v1/imports/${id}`), 204)
    return checkedImport(t, owner, file)
  })
  previous = next.catch(() => undefined)
  return next
}

/** An import of two rows, one of which has an error, that can be confirmed. */
async function readyImport(fixture: Fixture): Promise<Sample> {
  const account = await playgroundAccount(fixture.owner)
  const file = `accounts,text\n${account},Hello\n${randomBytes(5).toString('hex')},Hello\n`
  return { id: (await newImport(fixture, file)).id, within: '1' }
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
  'POST /imports/:id/undo': async (fixture) => {
    const { t, owner } = fixture
    const { id } = await newImport(fixture, `accounts,text\n${await playgroundAccount(owner)},Hello\n`)
    await confirmed(t, owner, id, { only: 'ok', as: 'draft' })
    return { id }
  },
}
