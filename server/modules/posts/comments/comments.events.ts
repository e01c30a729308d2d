import { Type } from 'typebox'
import { declareEvents, exampleTime } from '../../../lib/events/event-type.ts'
import { nullable } from '../../../lib/http/schema/schema.ts'
import { By, by, exampleBy, examplePerson } from '../../auth/event-actor.ts'
import { ClientLinkOfDecision } from '../record/review-fields.schema.ts'
import { Comment } from './comments.schema.ts'

const { id, name } = examplePerson

const comment = {
  id: '01994f02-6a41-7b93-a1c8-0d5e7f2b9c36',
  post_id: '01994f02-6a3e-7f08-9c5d-2e7b4a1d6f83',
  parent_id: null,
  audience: 'team',
  author: { id, name },
  client: null,
  body: 'Can we show the simit first?',
  mentions: [],
  resolved_at: null,
  resolved_by: null,
  edited_at: null,
  created_at: '2026-03-01T16:05:21.907Z',
  updated_at: '2026-03-01T16:05:21.907Z',
  version: 1,
}
const data = Type.Object({ comment: Comment, by: By })
/** Of what clients do, too. */
const dataOfAnyone = Type.Object({
  comment: Comment,
  by: nullable(Type.Object(by, { description: 'The user who did it. Null for a client.' })),
  client_link: nullable(
    Type.Object(ClientLinkOfDecision.properties, {
      description: 'Client link by which a client did it. Null for members.',
    }),
  ),
})
const noLink = { by: exampleBy, client_link: null }

export const commentEvents = declareEvents({
  'post.comment.created': {
    description: 'A member or a client commented on a post, or replied to a comment.',
    data: dataOfAnyone,
    example: { comment, ...noLink },
  },
  'post.comment.changed': {
    description: 'A member edited a comment.',
    data,
    example: {
      comment: { ...comment, body: 'Can we show the bakery first?', edited_at: exampleTime, updated_at: exampleTime },
      by: exampleBy,
    },
  },
  'post.comment.deleted': {
    description: 'A member deleted a comment.',
    data,
    example: { comment, by: exampleBy },
  },
  'post.comment.resolved': {
    description: 'A member resolved a discussion. `comment` is its first.',
    data,
    example: {
      comment: { ...comment, resolved_at: exampleTime, resolved_by: { id, name }, updated_at: exampleTime },
      by: exampleBy,
    },
  },
  'post.comment.reopened': {
    description: 'A member reopened a discussion, or somebody replied in it. `comment` is its first.',
    data: dataOfAnyone,
    example: { comment: { ...comment, updated_at: exampleTime }, ...noLink },
  },
})
