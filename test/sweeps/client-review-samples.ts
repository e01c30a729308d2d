import { clientReview } from '../client-review.ts'
import { expectStatus } from '../factories.ts'
import type { Fixture } from './fixture.ts'
import type { Make, Sample } from './resources.ts'

const newClientLink = { name: 'Bakery', starts_on: '2026-03-01', ends_on: '2026-03-31' }
type Reviewed = Awaited<ReturnType<typeof clientReview>>
/** A call by the client of a link. */
const asClient =
  (more: (reviewed: Reviewed) => Partial<Sample> = () => ({})) =>
  async ({ t }: Fixture): Promise<Sample> => {
    const reviewed = await clientReview(t)
    return { id: reviewed.link.id, who: reviewed.client, ...more(reviewed) }
  }

export const clientReviewSamples: Record<string, Make> = {
  'POST /client-links': () => ({ body: newClientLink }),
  'PUT /client-links/:id/password': async ({ owner }) => ({
    id: expectStatus(await owner.post('/api/v1/client-links', newClientLink), 201).body.id,
    body: { password: 'warm simit at seven' },
  }),
  'POST /client-links/:id/revoke': async ({ owner }) => ({
    id: expectStatus(await owner.post('/api/v1/client-links', newClientLink), 201).body.id,
  }),
  'POST /review/:id/session': async ({ t }) => {
    const { link } = await clientReview(t)
    return { id: link.id, who: t.anyone, body: { secret: link.url.split('#')[1] } }
  },
  'GET /review/:id': asClient(),
  'GET /review/:id/picture': asClient(),
  'GET /review/:id/media/:media_id/file': asClient(({ media_id }) => ({ within: media_id })),
  'GET /review/:id/media/:media_id/thumbnail': asClient(({ media_id }) => ({ within: media_id })),
  'GET /review/:id/accounts/:account_id/avatar': asClient(({ account }) => ({ within: account })),
  'GET /review/:id/posts/:post_id/comments': async ({ t }) => {
    const { link, client, post_id } = await clientReview(t)
    const comments = `/api/v1/review/${link.id}/posts/${post_id}/comments`
    expectStatus(await client.post(comments, { name: 'Ayşe', body: 'Fine.' }), 201)
    return { id: link.id, within: post_id, who: client }
  },
  'POST /review/:id/posts/:post_id/comments': asClient(({ post_id }) => ({
    within: post_id,
    body: { name: 'Ayşe', body: 'Can we show the simit first?' },
  })),
  'PUT /review/:id/mails': asClient(() => ({ body: { gets_mails: false } })),
  'POST /review/:id/approve': asClient(({ post_id, content_version }) => ({
    body: { posts: [{ id: post_id, content_version }] },
  })),
  'POST /review/:id/posts/:post_id/approve': asClient(({ post_id, content_version }) => ({
    within: post_id,
    body: { content_version },
  })),
  'POST /review/:id/posts/:post_id/request-change': asClient(({ post_id, content_version }) => ({
    within: post_id,
    body: { content_version, reason: 'We do not open on Mondays.' },
  })),
}
