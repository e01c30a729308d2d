import { randomUUID } from 'node:crypto'
import { payoutAccount, requested, withEarnings } from '../../server/modules/marketplace/payouts/payouts.fixture.ts'
import { withWorkspace } from '../factories.ts'
import type { Fixture } from './fixture.ts'
import type { Make } from './resources.ts'

const payout: Make = async ({ t, owner }) => ({ id: (await requested(await withEarnings(t, owner), 100)).id })

/** A batch with the payout of a seller without an IBAN. */
async function batch({ t }: Fixture) {
  const seller = await withEarnings(t, await withWorkspace(t), { holder: 'Ada Lovelace', note: 'Account 4711' })
  const { id } = await requested(seller)
  const batch_id = randomUUID()
  await t.deps.db.updateTable('payout').set({ status: 'processing', batch_id }).where('id', '=', id).execute()
  return { id: batch_id }
}

export const payoutResources: Record<string, Make> = { payouts: payout, 'payout-batches': batch }

export const payoutSamples: Record<string, Make> = {
  'GET /marketplace/payout-account': async ({ t, owner }) => {
    await withEarnings(t, owner)
    return {}
  },
  'GET /marketplace/statement': async ({ t, owner }) => {
    await withEarnings(t, owner)
    return { query: '?currency=TRY' }
  },
  'GET /marketplace/statement/export': () => ({ query: '?currency=TRY' }),
  // Uses another seller: a change holds the payouts of other samples.
  'PUT /marketplace/payout-account': async ({ t }) => ({
    who: await withEarnings(t, await withWorkspace(t)),
    body: { ...payoutAccount, holder: 'Grace Hopper' },
  }),
  'POST /marketplace/payouts': async ({ t, owner }) => {
    await withEarnings(t, owner)
    return { body: { currency: 'TRY', amount: 100 } }
  },
  // Uses another currency: it would take the payouts of other samples.
  'POST /admin/marketplace/payouts/export': () => ({ body: { currency: 'USD' } }),
  'POST /admin/marketplace/payouts/:id/paid': async (fixture) => ({
    ...(await payout(fixture)),
    body: { reference: 'EFT 4711' },
  }),
  'POST /admin/marketplace/payouts/:id/failed': async (fixture) => ({
    ...(await payout(fixture)),
    body: { reason: 'The IBAN does not belong to the holder.' },
  }),
}
