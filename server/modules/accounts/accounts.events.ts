import { Type } from 'typebox'
import { declareEvents, exampleTime } from '../../lib/events/event-type.ts'
import { Count, nullable } from '../../lib/http/schema/schema.ts'
import { By, by, exampleBy } from '../auth/event-actor.ts'
import { Account } from './accounts.schema.ts'

const account = {
  id: '01993a51-0c2b-7a96-8d17-e4b5c6a79f80',
  network: 'bluesky',
  name: 'Bakery Berlin',
  handle: 'bakery-berlin.bsky.social',
  url: 'https://bsky.app/profile/bakery-berlin.bsky.social',
  avatar_url: null,
  status: 'connected',
  status_detail: null,
  form: { service: 'https://bsky.social', handle: 'bakery-berlin.bsky.social' },
  signature: null,
  limits: {},
  paused: false,
  paused_by: null,
  queue_paused: false,
  connected_by: 'form',
  app: null,
  sign_in_ends_at: null,
  checked_at: '2026-02-27T08:00:12.330Z',
  last_published_at: '2026-02-28T17:45:03.118Z',
  created_at: '2026-01-12T10:22:40.051Z',
  updated_at: '2026-01-12T10:22:40.051Z',
}

export const accountEvents = declareEvents({
  'account.disconnected': {
    description: 'An account was disconnected. It must be connected again before it can publish.',
    data: Type.Object({
      account: Account,
      reason: Type.Enum(['refused_by_network', 'removed'], {
        type: 'string',
        description:
          'Reason: `refused_by_network` (the network rejects the credentials; `account.status_detail` has its message) or `removed` (by a member).',
      }),
      by: nullable(Type.Object(by, { description: 'Member who removed the account.' })),
    }),
    example: {
      account: {
        ...account,
        status: 'disconnected',
        status_detail: 'Invalid identifier or password',
        updated_at: exampleTime,
      },
      reason: 'refused_by_network',
      by: null,
    },
  },
  'account.queue_paused': {
    description: 'The queue of an account was paused. Its posts are held: `post.held` is sent for each.',
    data: Type.Object({ account: Account, posts: Count('Number of posts that were held.', 12), by: By }),
    example: { account: { ...account, queue_paused: true, updated_at: exampleTime }, posts: 12, by: exampleBy },
  },
  'account.queue_resumed': {
    description:
      'The queue of an account was resumed. `post.updated` is sent for each post that is not held any more, with its time.',
    data: Type.Object({
      account: Account,
      posts: Count('Number of posts that are not held any more.', 12),
      by: By,
    }),
    example: { account: { ...account, updated_at: exampleTime }, posts: 12, by: exampleBy },
  },
  'account.refresh_failed': {
    description:
      'The session of an account could not be renewed. The account stays connected and the renewal is retried. Sent at most once an hour per account until a renewal succeeds.',
    data: Type.Object({
      account: Account,
      error_code: Type.Enum(['network_unavailable', 'rejected_by_network', 'url_not_allowed'], {
        type: 'string',
        description:
          'Reason: `network_unavailable` (no response, or a response that asks to retry later), `rejected_by_network` or `url_not_allowed`.',
      }),
      error_message: Type.String({ maxLength: 400 }),
    }),
    example: {
      account,
      error_code: 'network_unavailable',
      error_message: 'connect ECONNREFUSED',
    },
  },
})
