import { expectStatus, signedIn } from '../factories.ts'
import { archivedGig, gigWithSample, newGig, newHandle, publishedGig, reportedGig } from '../gigs.ts'
import type { Make } from './resources.ts'

export const gigResources: Record<string, Make> = {
  gigs: async ({ owner }) => {
    const { id, sample_media } = await gigWithSample(owner)
    return { id, within: sample_media[0] }
  },
  reports: async ({ t, owner }) => ({ id: await reportedGig(owner, await signedIn(t)) }),
  sellers: (fixture) => ownHandle(fixture),
  handle: (fixture) => ownHandle(fixture),
}

const ownHandle: Make = async ({ t, owner }) => {
  const handle = newHandle()
  const who = await signedIn(t)
  expectStatus(await who.patch('/api/v1/signatures/me', { handle, text: 'Hello' }), 200)
  await publishedGig(owner)
  return { id: handle }
}

/** A change of a signature that is set. */
const signatureBody: Make = async ({ owner }) => {
  expectStatus(await owner.patch('/api/v1/signatures/me', { handle: newHandle(), text: 'Hello' }), 200)
  return { body: { handle: newHandle(), text: 'Hello again' } }
}

export const gigSamples: Record<string, Make> = {
  'POST /marketplace/gigs': () => ({ body: newGig }),
  'POST /marketplace/gigs/:id/report': async ({ owner }) => ({
    id: (await publishedGig(owner)).id,
    body: { reason: 'spam' },
  }),
  'POST /admin/marketplace/gigs/:id/take-down': async ({ owner }) => ({
    id: (await publishedGig(owner)).id,
    body: { reason: 'Spam' },
  }),
  'POST /marketplace/gigs/:id/archive': async ({ owner }) => ({ id: (await publishedGig(owner)).id }),
  'POST /marketplace/gigs/:id/unarchive': async ({ owner }) => ({ id: await archivedGig(owner) }),
  'PATCH /signatures/me': signatureBody,
  'PATCH /marketplace/signatures/me': signatureBody,
  'PATCH /marketplace/gigs/:id': async ({ owner }) => ({
    id: (await publishedGig(owner)).id,
    body: { title: 'Changed' },
  }),
  'GET /marketplace/gigs/:id/samples/:media_id': (fixture) => gigResources.gigs?.(fixture) ?? {},
  'GET /marketplace/gigs/:id/samples/:media_id/thumbnail': (fixture) => gigResources.gigs?.(fixture) ?? {},
}
