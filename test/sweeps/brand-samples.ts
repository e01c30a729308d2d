import { randomUUID } from 'node:crypto'
import { expectStatus } from '../factories.ts'
import { type Make, published } from './resources.ts'

const newBrand = () => ({
  ...{ about: `Bakery ${randomUUID()}`, audience: null, voice: null, use_words: [], avoid_words: [] },
  ...{ never_mention: [], links: [], hashtags: [], languages: [], liked_posts: [] },
})

export const brandSamples: Record<string, Make> = {
  'POST /workspace/brand/suggest': async (fixture) => {
    await published(fixture)
    return { body: {} }
  },
  'PUT /workspace/brand': async ({ owner }) => {
    expectStatus(await owner.put('/api/v1/workspace/brand', newBrand()), 200)
    return { body: newBrand() }
  },
}
