import { Type } from 'typebox'
import { idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { every, Short } from './export-fields.schema.ts'

/** The lists of what a user wrote and planned. */
export const exportedPosts = {
  posts: every(
    Type.Object({
      id: idOf('post'),
      workspace_id: idOf('workspace'),
      content: Type.String({ maxLength: 65_536, examples: ['Fresh simit from seven in the morning.'] }),
      labels: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20, examples: [['spring']] }),
      status: Type.String({ maxLength: 40, examples: ['draft'] }),
      is_idea: Type.Boolean(),
      scheduled_at: nullable(Time),
      published_at: nullable(Time),
      created_at: Time,
      updated_at: Time,
    }),
  ),
  post_comments: every(
    Type.Object({
      id: idOf('post_comment'),
      workspace_id: idOf('workspace'),
      post_id: idOf('post'),
      parent_id: nullable(idOf('post_comment')),
      body: Type.String({ maxLength: 4000, examples: ['Can we show the simit first?'] }),
      created_at: Time,
      updated_at: Time,
    }),
  ),
  post_versions: every(
    Type.Object({
      id: idOf('post_version'),
      workspace_id: idOf('workspace'),
      post_id: idOf('post'),
      number: Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [2] }),
      source: Type.String({ maxLength: 40, examples: ['console'] }),
      content: Type.Object(
        {},
        { additionalProperties: true, description: 'Texts and files of the post, for all accounts and for each.' },
      ),
      created_at: Time,
    }),
  ),
  recurring_posts: every(
    Type.Object({
      id: idOf('recurring_post'),
      workspace_id: idOf('workspace'),
      rule: Short('FREQ=WEEKLY;BYDAY=MO,TH'),
      starts_at: Short('2026-12-01T09:30'),
      timezone: Short('Europe/Istanbul'),
      variants: Type.Array(
        Type.Object(
          { content: Type.String({ maxLength: 65_536, examples: ['Open from seven.'] }) },
          { additionalProperties: true, description: 'Text, files and accounts of a variant.' },
        ),
        { maxItems: 10 },
      ),
      variant_order: Short('in_order'),
      split_from: nullable(idOf('recurring_post', 'Id of the recurring post of which it goes on.')),
      labels: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20, examples: [['spring']] }),
      created_at: Time,
      updated_at: Time,
    }),
  ),
  account_groups: every(
    Type.Object({
      id: idOf('account_group'),
      workspace_id: idOf('workspace'),
      name: Type.String({ maxLength: 80, examples: ['Shops in Istanbul'] }),
      created_at: Time,
      updated_at: Time,
    }),
  ),
  snippets: every(
    Type.Object({
      id: idOf('snippet'),
      workspace_id: idOf('workspace'),
      name: Type.String({ maxLength: 80, examples: ['Hashtags'] }),
      content: Type.String({ maxLength: 5000, examples: ['#bakery #simit'] }),
      kind: Type.String({ maxLength: 20, examples: ['hashtags'] }),
      labels: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20, examples: [['spring']] }),
      first_comment: nullable(Type.String({ maxLength: 5000 })),
      created_at: Time,
      updated_at: Time,
    }),
  ),
  calendar_feeds: every(
    Type.Object({
      id: idOf('calendar_feed'),
      workspace_id: idOf('workspace'),
      name: Type.String({ maxLength: 80, examples: ['Bakery, all posts'] }),
      account_ids: Type.Array(idOf('account'), { maxItems: 50 }),
      labels: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20, examples: [['spring']] }),
      last_read_at: nullable(Time),
      created_at: Time,
    }),
  ),
  calendar_notes: every(
    Type.Object({
      id: idOf('calendar_note'),
      workspace_id: idOf('workspace'),
      day: Type.String({ maxLength: 10, examples: ['2026-12-01'] }),
      text: Type.String({ maxLength: 500, examples: ['Winter campaign begins'] }),
      created_at: Time,
      updated_at: Time,
    }),
  ),
}
