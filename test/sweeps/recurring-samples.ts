import { expectStatus } from '../factories.ts'
import { newRecurringPost, recurringPost } from '../recurring-posts.ts'
import type { Fixture } from './fixture.ts'
import type { Make } from './resources.ts'

/** A recurring post with the time of its next occurrence. */
async function upcoming({ t, owner }: Fixture) {
  const { id, next_occurrences } = await recurringPost(t, owner)
  return { id, body: { occurs_at: next_occurrences[0].occurs_at } }
}

/** Samples for the routes of recurring posts. */
export const recurringSamples: Record<string, Make> = {
  'POST /recurring-posts': async ({ t, owner }) => ({ body: await newRecurringPost(t, owner) }),
  'POST /recurring-posts/preview': () => ({ body: { rule: 'FREQ=DAILY', starts_at: '2026-12-01T09:30' } }),
  'GET /recurring-posts/upcoming': () => ({ query: '?from=2026-12-01T00:00:00Z&to=2026-12-31T00:00:00Z' }),
  'GET /recurring-posts/:id/impact': async ({ t, owner }) => {
    const { id, next_occurrences } = await recurringPost(t, owner)
    return { id, query: `?from=${next_occurrences[1].occurs_at}` }
  },
  'PATCH /recurring-posts/:id': async ({ t, owner }) => ({
    id: (await recurringPost(t, owner)).id,
    body: { labels: ['changed'] },
  }),
  'POST /recurring-posts/:id/resume': async ({ t, owner }) => {
    const { id } = await recurringPost(t, owner)
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/pause`), 200)
    return { id }
  },
  'POST /recurring-posts/:id/split': async ({ t, owner }) => {
    const { id, next_occurrences } = await recurringPost(t, owner)
    return { id, body: { from: next_occurrences[1].occurs_at, labels: ['changed'] } }
  },
  'POST /recurring-posts/:id/posts': upcoming,
  'POST /recurring-posts/:id/skip': upcoming,
  'POST /recurring-posts/:id/unskip': async (fixture) => {
    const { id, body } = await upcoming(fixture)
    expectStatus(await fixture.owner.post(`/api/v1/recurring-posts/${id}/skip`, body), 200)
    return { id, body }
  },
}
