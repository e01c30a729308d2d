import { commented, type Make, post } from './resources.ts'

export const commentSamples: Record<string, Make> = {
  'POST /posts/:id/comments': async (fixture) => ({ ...(await post(fixture)), body: { body: 'Too long?' } }),
  'GET /posts/:id/comments/:comment_id': commented,
  'PATCH /posts/:id/comments/:comment_id': async (fixture) => ({
    ...(await commented(fixture)),
    body: { body: 'Changed' },
  }),
  'DELETE /posts/:id/comments/:comment_id': commented,
  'POST /posts/:id/comments/:comment_id/resolve': commented,
  'POST /posts/:id/comments/:comment_id/reopen': commented,
}
