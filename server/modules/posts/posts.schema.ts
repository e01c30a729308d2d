import { Type } from 'typebox'
import { PageQuery } from '../../lib/page.ts'
import { Closed, Count, Id, InputTime, Line, nullable, Time, TimeText } from '../../lib/schema.ts'

const postStatuses = ['draft', 'scheduled', 'publishing', 'published', 'partially_published', 'failed'] as const
const targetStatuses = ['pending', 'publishing', 'unconfirmed', 'published', 'failed'] as const

const Content = Type.String({ maxLength: 65_536, description: 'Text of the post' })
const Options = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, description: 'Settings for the network of this account' }),
)
const Labels = Type.Array(Line('Whatever posts are sorted by', 40), { maxItems: 20, uniqueItems: true })

export const Target = Type.Object(
  {
    id: Id,
    account_id: Id,
    network: Type.String({ maxLength: 40 }),
    handle: Type.String({ maxLength: 400, description: 'Name of the account on its network' }),
    content: nullable(
      Type.String({ maxLength: 65_536, description: 'Text for this account; null: the text of the post' }),
    ),
    options: Options,
    status: Type.Enum([...targetStatuses], {
      type: 'string',
      description: 'unconfirmed: sent, but the answer was lost; the network is being asked whether it arrived',
    }),
    external_id: nullable(Type.String({ maxLength: 1000, description: 'Id on the network' })),
    url: nullable(Type.String({ maxLength: 2000, description: 'Where to see it on the network' })),
    error_code: nullable(Type.String({ maxLength: 60 })),
    error_message: nullable(Type.String({ maxLength: 400 })),
    attempts: Count('How often publishing was tried'),
    published_at: nullable(TimeText),
  },
  { title: 'Target' },
)

const Warning = Type.Object({ pointer: Type.String({ maxLength: 100 }), message: Type.String({ maxLength: 400 }) })

export const Post = Type.Object(
  {
    id: Id,
    content: Content,
    labels: Labels,
    status: Type.Enum([...postStatuses], { type: 'string' }),
    scheduled_at: nullable(Time),
    published_at: nullable(Time),
    author_id: nullable(Id),
    targets: Type.Array(Target, { maxItems: 50 }),
    warnings: Type.Array(Warning, {
      maxItems: 150,
      description: 'What would keep a draft from being scheduled',
    }),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Post' },
)

const NewTarget = Closed(
  {
    account_id: Id,
    content: Type.Optional(nullable(Content)),
    options: Type.Optional(Options),
  },
  { title: 'NewTarget' },
)

const fields = {
  content: Content,
  account_ids: Type.Array(Id, { maxItems: 50, uniqueItems: true, description: 'Where to publish' }),
  targets: Type.Array(NewTarget, {
    maxItems: 50,
    description: 'In place of account_ids: where, with text and settings of its own',
  }),
  scheduled_at: nullable(
    Type.Unsafe<string>({ ...InputTime, description: 'When to publish; neither this nor publish_now: a draft' }),
  ),
  publish_now: Type.Boolean({ description: 'Publish at once' }),
  labels: Labels,
}

export const NewPost = Closed(
  {
    content: fields.content,
    account_ids: Type.Optional(fields.account_ids),
    targets: Type.Optional(fields.targets),
    scheduled_at: Type.Optional(fields.scheduled_at),
    publish_now: Type.Optional(fields.publish_now),
    labels: Type.Optional(fields.labels),
  },
  { title: 'NewPost' },
)

export const ChangePost = Closed(
  {
    content: Type.Optional(fields.content),
    account_ids: Type.Optional(fields.account_ids),
    targets: Type.Optional(fields.targets),
    scheduled_at: Type.Optional(fields.scheduled_at),
    labels: Type.Optional(fields.labels),
  },
  { title: 'ChangePost', minProperties: 1 },
)

export const PostQuery = Closed({
  ...PageQuery,
  status: Type.Optional(Type.Enum([...postStatuses], { type: 'string' })),
  account_id: Type.Optional(Id),
  from: Type.Optional(Type.Unsafe<string>({ ...InputTime, description: 'Scheduled at or after' })),
  to: Type.Optional(Type.Unsafe<string>({ ...InputTime, description: 'Scheduled before' })),
  updated_since: Type.Optional(
    Type.Unsafe<string>({
      ...InputTime,
      description:
        'Changed at or after, the states of targets included; what was deleted is in GET /posts/deleted. A change is seen a moment after its time: who asks again and again lets the spans overlap by some seconds.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Part of the text, in letters of either case; I, İ, ı and i are one letter. Texts are searched up to their first 5,000 characters.',
    }),
  ),
})

export const DeletedPost = Type.Object({ id: Id, deleted_at: Time }, { title: 'DeletedPost' })
export const DeletedPostQuery = Closed({
  ...PageQuery,
  since: Type.Optional(
    Type.Unsafe<string>({
      ...InputTime,
      description:
        'Deleted at or after; absent: all that can still be restored. Who asks again and again lets the spans overlap by some seconds.',
    }),
  ),
})
