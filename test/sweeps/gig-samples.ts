import { gigWithSample, newGig, publishedGig } from '../gigs.ts'
import type { Make } from './resources.ts'

export const gigResources: Record<string, Make> = {
  gigs: async ({ owner }) => {
    const { id, sample_media } = await gigWithSample(owner)
    return { id, within: sample_media[0] }
  },
}

export const gigSamples: Record<string, Make> = {
  'POST /marketplace/gigs': () => ({ body: newGig }),
  'PATCH /marketplace/gigs/:id': async ({ owner }) => ({
    id: (await publishedGig(owner)).id,
    body: { title: 'Changed' },
  }),
  'GET /marketplace/gigs/:id/samples/:media_id': (fixture) => gigResources.gigs?.(fixture) ?? {},
  'GET /marketplace/gigs/:id/samples/:media_id/thumbnail': (fixture) => gigResources.gigs?.(fixture) ?? {},
}
