import { Type } from 'typebox'
import { invalid } from '../../../errors.ts'
import { PAYLOAD_LIMIT } from '../../../lib/events/emit.ts'
import { declareEvents, exampleTime } from '../../../lib/events/event-type.ts'
import { nullable, Time } from '../../../lib/http/schema/schema.ts'
import { By, by, exampleBy, examplePerson, Person } from '../../auth/event-actor.ts'
import { Post } from './posts.schema.ts'
import { ClientLinkOfDecision } from './review-fields.schema.ts'

const pending = {
  id: '01994f02-6a41-7b93-a1c8-0d5e7f2b9c34',
  account_id: '01993a50-91d7-7c48-b2e5-8f6a4d3c1b09',
  network: 'bluesky',
  handle: 'bakery.bsky.social',
  content: null,
  media_ids: null,
  thread: null,
  first_comment: null,
  options: { langs: ['en'] },
  status: 'pending',
  warning: null,
  needs_resolution: false,
  published_parts: 0,
  external_id: null,
  url: null,
  error_code: null,
  error_message: null,
  attempts: 0,
  published_at: null,
}

const published = {
  ...pending,
  status: 'published',
  published_parts: 1,
  external_id: 'at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.post/3lk2p5xq7ds2c',
  url: 'https://bsky.app/profile/bakery.bsky.social/post/3lk2p5xq7ds2c',
  attempts: 1,
  published_at: exampleTime,
}

const failed = {
  ...pending,
  id: '01994f02-6a41-7b93-a1c8-0d5e80a47e12',
  account_id: '01993a51-0c2b-7a96-8d17-e4b5c6a79f80',
  handle: 'bakery-berlin.bsky.social',
  status: 'failed',
  error_code: 'account_disconnected',
  error_message: 'The network no longer accepts the credentials: Invalid identifier or password',
  attempts: 1,
}

const post = {
  id: '01994f02-6a3e-7f08-9c5d-2e7b4a1d6f83',
  content: 'Fresh simit from seven in the morning, every day but Monday.',
  media_ids: [],
  media: [],
  thread: [],
  first_comment: null,
  labels: ['spring'],
  status: 'scheduled',
  is_idea: false,
  scheduled_at: '2026-03-02T09:30:00.000Z',
  held: null,
  review: 'none',
  review_reason: null,
  review_scheduled_at: null,
  published_at: null,
  recurring_post_id: null,
  author_id: exampleBy.id,
  updated_by_id: null,
  targets: [pending],
  warnings: [],
  created_at: '2026-03-01T16:05:21.907Z',
  updated_at: '2026-03-01T16:05:21.907Z',
}

const inReview = { ...post, status: 'draft', scheduled_at: null, review_scheduled_at: post.scheduled_at }
const done = { ...post, published_at: exampleTime, updated_at: exampleTime }

const decider = {
  by: nullable(
    Type.Object(by, {
      description: 'The user who did it. Null for a client, and if its time came before an approval.',
    }),
  ),
  client_link: nullable(ClientLinkOfDecision),
}

export const postEvents = declareEvents({
  'post.created': {
    description: 'A post was created.',
    data: Type.Object({ post: Post, by: By }),
    example: { post, by: exampleBy },
  },
  'post.updated': {
    description: 'A post was edited, requested to be published or retried, or restored.',
    data: Type.Object({
      post: Post,
      change: Type.Enum(
        ['edited', 'publish_requested', 'retry_requested', 'restored', 'target_resolved', 'unpublished', 'released'],
        {
          type: 'string',
          description:
            'Kind of change. `target_resolved`: a member found out whether a post without a response was published. `unpublished`: deleted on its networks.',
        },
      ),
      by: nullable(
        Type.Object(by, {
          description:
            'The user who did it. Null if the post waited for the queue of an account whose data was deleted at the request of its person.',
        }),
      ),
    }),
    example: { post: { ...post, updated_at: exampleTime }, change: 'edited', by: exampleBy },
  },
  'post.review.requested': {
    description: 'A post waits for review. It is not published before the policy of its accounts is met.',
    data: Type.Object({
      post: Post,
      by: nullable(
        Type.Object(by, {
          description: 'The user who did it. Null if a policy asks for an approval of the post since.',
        }),
      ),
    }),
    example: { post: { ...inReview, review: 'pending' }, by: exampleBy },
  },
  'post.review.step_approved': {
    description: 'A person approved a post that waits for further approvals.',
    data: Type.Object({ post: Post, ...decider }),
    example: { post: { ...inReview, review: 'pending', updated_at: exampleTime }, by: exampleBy, client_link: null },
  },
  'post.review.approved': {
    description: 'A post was approved. With a planned time, it is scheduled for it.',
    data: Type.Object({ post: Post, ...decider }),
    example: {
      post: { ...post, review: 'approved', updated_at: exampleTime },
      by: null,
      client_link: { id: '01994f02-6a41-7b93-a1c8-0d5e7f2b9c35', name: 'Bakery, March' },
    },
  },
  'post.review.rejected': {
    description: 'A post was rejected. Its `review_reason` says why.',
    data: Type.Object({ post: Post, ...decider }),
    example: {
      post: { ...inReview, review: 'rejected', review_reason: 'We do not open on Mondays.', updated_at: exampleTime },
      by: exampleBy,
      client_link: null,
    },
  },
  'post.deleted': {
    description: 'A post was deleted. It can be restored for 24 hours.',
    data: Type.Object({ post: Post, deleted_at: Time, restorable_until: Time, by: By }),
    example: { post, deleted_at: exampleTime, restorable_until: '2026-03-03T09:30:00.412Z', by: exampleBy },
  },
  'post.published': {
    description:
      'A post was published on at least one account. Its targets name the accounts and link to the published posts.',
    data: Type.Object({ post: Post, author: Person('Author of the post.') }),
    alias: 'publish.success',
    example: { post: { ...done, status: 'published', targets: [published] }, author: examplePerson },
  },
  'post.failed': {
    description: 'A post could not be published on at least one account. Its targets name the accounts and the errors.',
    data: Type.Object({ post: Post, author: Person('Author of the post.') }),
    alias: 'publish.fail',
    example: { post: { ...done, status: 'partially_published', targets: [published, failed] }, author: examplePerson },
  },
  'post.held': {
    description:
      'A scheduled post is held: it was late, or a member disabled its agent or paused the queue. It is not published before a member decides about it. `held` says why.',
    data: Type.Object({ post: Post }),
    example: { post: { ...post, held: 'late', updated_at: exampleTime } },
  },
})

/** Throws for a post whose events would be too large. Leaves 1600 bytes per target for what publishing adds. */
export function assertFitsEvents(post: object) {
  if (Buffer.byteLength(JSON.stringify(post)) > PAYLOAD_LIMIT - 80_000)
    throw invalid('/content', 'The text and its variants for single accounts are too large.', 'too_large')
}
