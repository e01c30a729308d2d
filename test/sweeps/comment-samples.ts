import { commentedPost, type Make, post } from './resources.ts'

export const commentSamples: Record<string, Make> = {
  'POST /posts/:id/comments': async (fixture) => ({ ...(await post(fixture)), body: { body: 'Too long?' } }),
  'GET /posts/:id/comments/:comment_id': commentedPost,
  'PATCH /posts/:id/comments/:comment_id': async (fixture) => ({
    ...(await commentedPost(fixture)),
    body: { body: 'Changed' },
  }),
  'DELETE /posts/:id/comments/:comment_id': commentedPost,
  'POST /posts/:id/comments/:comment_id/resolve': commentedPost,
  'POST /posts/:id/comments/:comment_id/reopen': commentedPost,
}
