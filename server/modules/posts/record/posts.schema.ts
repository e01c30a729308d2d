import { type Static, type TSchema, Type } from 'typebox'
import {
  Closed,
  Count,
  exampleId,
  InputTime,
  idOf,
  Line,
  nullable,
  Time,
  TimeText,
} from '../../../lib/http/schema/schema.ts'
import { Media } from '../../media/media.schema.ts'
import { NetworkId } from '../../networks/networks.schema.ts'
import { reviewFields } from './review-fields.schema.ts'
import { targetWarnings } from './target-warning.ts'

export const postStatuses = [
  'draft',
  'scheduled',
  'publishing',
  'published',
  'partially_published',
  'failed',
  'unpublished',
] as const
const IsIdea = Type.Boolean({
  description:
    'Whether the post is an idea: a draft without a time, of which nothing is checked. It is not published, nor in review. A time turns it into a post.',
  examples: [false],
})
export const postHolds = ['late', 'agents_stopped', 'queue_paused'] as const
const targetStatuses = ['pending', 'publishing', 'unconfirmed', 'published', 'failed', 'unpublished'] as const

/** Characters of a text of a post. */
export const MAX_CONTENT = 65_536

const Content = Type.String({
  maxLength: MAX_CONTENT,
  description: 'Text of the post.',
  examples: ['Fresh simit from seven in the morning.'],
})
const Options = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, description: 'Settings for the network of this account.' }),
)
export const Labels = Type.Array(Line('Label for organizing posts', 'spring', 40), {
  maxItems: 20,
  uniqueItems: true,
  examples: [['spring']],
})

/** Parts after the post itself. No network here allows more. */
export const MAX_THREAD = 24

const partText = Type.String({ maxLength: 65_536, description: 'Text of this part.', examples: ['And tea until ten.'] })

const MediaIds = Type.Array(idOf('media'), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Ids of the files, in their order.',
  examples: [[]],
})

export const Part = Closed({ content: partText, media_ids: MediaIds }, { title: 'Part' })
const NewPart = Closed({ content: partText, media_ids: Type.Optional(MediaIds) }, { title: 'NewPart' })
export type StoredPart = Static<typeof Part>

const threadOf = <P extends TSchema>(part: P) =>
  Type.Array(part, {
    maxItems: MAX_THREAD,
    description: 'Parts that follow the post as a thread, each in reply to the one before. Empty without a thread.',
    examples: [[]],
  })
const Thread = threadOf(Part)
const NewThread = threadOf(NewPart)

export const PostMedia = Type.Object(
  {
    id: idOf('media'),
    kind: Media.properties.kind,
    mime: Media.properties.mime,
    width: Media.properties.width,
    height: Media.properties.height,
    duration_s: Media.properties.duration_s,
  },
  { title: 'PostMedia' },
)
const WarningOfAccount = nullable(
  Type.Enum([...targetWarnings], {
    type: 'string',
    description:
      'Problem of the account that would keep a scheduled post from being published there, as of now. `sign_in_ends_before`: the sign-in of the account ends before `scheduled_at`, and the network does not renew it. Null without a problem, and for posts that are not scheduled. Connecting or resuming the account ends it, which does not change `updated_at`.',
  }),
)

const FirstComment = Type.String({
  minLength: 1,
  maxLength: 65_536,
  description: 'Comment that is published below the post, for links and hashtags.',
  examples: ['Opening hours: https://bakery.example'],
})

export const Target = Type.Object(
  {
    id: idOf('target'),
    account_id: idOf('account', 'Id of the account.'),
    network: NetworkId,
    handle: Type.String({
      maxLength: 400,
      description: 'Handle of the account on its network.',
      examples: ['bakery'],
    }),
    content: nullable(
      Type.String({ maxLength: 65_536, description: 'Text for this account. Null uses the text of the post.' }),
    ),
    media_ids: nullable({ ...MediaIds, description: 'Files for this account. Null uses those of the post.' }),
    thread: nullable({ ...Thread, description: 'Thread for this account. Null uses the thread of the post.' }),
    first_comment: nullable({
      ...FirstComment,
      description: 'First comment for this account. Null uses that of the post.',
    }),
    options: Options,
    status: Type.Enum([...targetStatuses], {
      type: 'string',
      description:
        'Status of the target. `unconfirmed`: the post was sent but the response was lost, and Meydan is checking whether the network has it. `unpublished`: deleted on the network by `POST /posts/{id}/unpublish`.',
    }),
    warning: WarningOfAccount,
    needs_resolution: Type.Boolean({
      description:
        'Whether the response was lost and the network cannot be asked. Look at the account and call `POST /posts/{id}/targets/{target_id}/resolve`.',
    }),
    published_parts: Count('Number of parts of the thread that are on the network, the post itself included.', 1),
    external_id: nullable(Type.String({ maxLength: 1000, description: 'Id of the published post on the network.' })),
    url: nullable(Type.String({ maxLength: 2000, description: 'URL of the published post on the network.' })),
    error_code: nullable(Type.String({ maxLength: 60, description: 'Code of the last error. Null without an error.' })),
    error_message: nullable(
      Type.String({ maxLength: 400, description: 'Message of the last error. Null without an error.' }),
    ),
    attempts: Count('Number of attempts to publish.'),
    published_at: nullable(
      Type.Unsafe<string>({ ...TimeText, description: 'Time at which the post was published on this account.' }),
    ),
  },
  { title: 'Target' },
)

/** A warning for each of a few problems of every part on every account. */
export const MAX_WARNINGS = 500

/** The message of a problem in the other language. */
export const translations = Type.Optional(
  Type.Object({ tr: Type.String({ maxLength: 400 }) }, { description: 'The message in other languages.' }),
)

const Warning = Type.Object({
  pointer: Type.String({ maxLength: 100 }),
  message: Type.String({ maxLength: 400 }),
  translations,
})

export const Post = Type.Object(
  {
    id: idOf('post'),
    content: Content,
    media_ids: MediaIds,
    media: Type.Array(PostMedia, {
      maxItems: 500,
      description: 'All files of the post, in any of its parts and on any account, without order.',
      examples: [[]],
    }),
    thread: Thread,
    first_comment: nullable(FirstComment),
    labels: Labels,
    status: Type.Enum([...postStatuses], {
      type: 'string',
      description:
        'Status of the post. `partially_published`: published on some of its accounts and failed on the others, or with a part of its thread. `unpublished`: deleted on all networks where it was published.',
    }),
    scheduled_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'Time at which the post is published. Null for a draft without a time.',
      }),
    ),
    is_idea: IsIdea,
    held: nullable(
      Type.Enum([...postHolds], {
        type: 'string',
        description:
          'Reason why a scheduled post is held: it is not published before a member publishes it, gives it another time or makes it a draft. `late`: Meydan did not run when it was due, nor for a long time after. `agents_stopped`: an agent had scheduled it by itself and was disabled; such a post can also be released. `queue_paused`: the queue of one of its accounts is paused; the post also goes on when that is resumed. Null if it is not held.',
      }),
    ),
    ...reviewFields,
    published_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'Time at which publishing ended, if it succeeded on at least one account.',
      }),
    ),
    recurring_post_id: nullable(
      idOf('recurring_post', 'Id of the recurring post that this is an occurrence of. Null without one.'),
    ),
    author_id: nullable(idOf('user', 'Id of the user who wrote the post. Null if that user no longer exists.')),
    updated_by_id: nullable(
      idOf(
        'user',
        'Id of the user who last changed the post. Decisions on its approval are no changes. Null if nobody has, or if that user no longer exists.',
      ),
    ),
    targets: Type.Array(Target, { maxItems: 50, description: 'Accounts to publish on, with the result on each.' }),
    warnings: Type.Array(Warning, {
      maxItems: MAX_WARNINGS,
      description: 'Problems that prevent a draft from being scheduled.',
      examples: [[]],
    }),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Post' },
)

const NewTarget = Closed(
  {
    account_id: idOf('account', 'Id of the account.'),
    content: Type.Optional(nullable(Content)),
    media_ids: Type.Optional(nullable(MediaIds)),
    thread: Type.Optional(nullable(NewThread)),
    first_comment: Type.Optional(nullable(FirstComment)),
    options: Type.Optional(Options),
  },
  { title: 'NewTarget' },
)

const fields = {
  content: Content,
  media_ids: MediaIds,
  thread: NewThread,
  first_comment: nullable(FirstComment),
  account_ids: Type.Array(idOf('account'), {
    maxItems: 50,
    uniqueItems: true,
    description: 'Ids of the accounts to publish on. Use either this or `targets`.',
    examples: [[exampleId('account')]],
  }),
  account_group_ids: Type.Array(idOf('account_group'), {
    maxItems: 50,
    uniqueItems: true,
    description:
      'Ids of account groups whose accounts are added to those of `account_ids` or `targets`, as the groups are at the time of the call. `pointer` of an error counts them after the listed ones. A post can have at most 50 accounts.',
    examples: [[]],
  }),
  targets: Type.Array(NewTarget, {
    maxItems: 50,
    description: 'Accounts to publish on, each with its own text and settings. Use either this or `account_ids`.',
  }),
  scheduled_at: nullable(
    Type.Unsafe<string>({
      ...InputTime,
      description:
        'Time to publish, in the future and at most two years away. A post without it, `publish_now` and `queue` is a draft.',
    }),
  ),
  publish_now: Type.Boolean({
    description: 'Publishes the post immediately. Cannot be combined with `scheduled_at`.',
    examples: [true],
  }),
  queue: Type.Enum(['next'], {
    type: 'string',
    description:
      'Adds the post to the queue: it gets the next posting time of its first account at which none of its accounts has another post. Cannot be combined with `scheduled_at` or `publish_now`.',
  }),
  is_idea: Type.Boolean({
    description:
      'Keeps the post as an idea, or turns it into one and removes its time. `false` turns an idea into a draft. Cannot be combined with `scheduled_at`, `publish_now` or `queue`.',
    examples: [false],
  }),
  labels: Labels,
}

export const NewPost = Closed(
  {
    content: fields.content,
    media_ids: Type.Optional(fields.media_ids),
    thread: Type.Optional(fields.thread),
    first_comment: Type.Optional(fields.first_comment),
    account_ids: Type.Optional(fields.account_ids),
    account_group_ids: Type.Optional(fields.account_group_ids),
    targets: Type.Optional(fields.targets),
    scheduled_at: Type.Optional(fields.scheduled_at),
    publish_now: Type.Optional(fields.publish_now),
    queue: Type.Optional(fields.queue),
    is_idea: Type.Optional(fields.is_idea),
    labels: Type.Optional(fields.labels),
  },
  { title: 'NewPost' },
)

export const ChangePost = Closed(
  {
    content: Type.Optional(fields.content),
    media_ids: Type.Optional(fields.media_ids),
    thread: Type.Optional(fields.thread),
    first_comment: Type.Optional(fields.first_comment),
    account_ids: Type.Optional(fields.account_ids),
    targets: Type.Optional(fields.targets),
    scheduled_at: Type.Optional(fields.scheduled_at),
    queue: Type.Optional(fields.queue),
    is_idea: Type.Optional(fields.is_idea),
    labels: Type.Optional(fields.labels),
  },
  { title: 'ChangePost', minProperties: 1 },
)

/** Maximum number of posts that one call moves. */
const MAX_RESCHEDULED = 50

export const ReschedulePosts = Closed(
  {
    posts: Type.Array(
      Closed(
        {
          id: idOf('post', 'Id of the post.'),
          scheduled_at: Type.Optional({
            ...fields.scheduled_at,
            description: 'Time to publish, in the future and at most two years away. Null makes the post a draft.',
          }),
          queue: Type.Optional(fields.queue),
          version: Type.Optional(
            Count('Version that the post must have, as in its `ETag`. Any version by default.', 2),
          ),
        },
        { minProperties: 2 },
      ),
      {
        minItems: 1,
        maxItems: MAX_RESCHEDULED,
        description: 'The posts with their new times. Those for the queue take its slots in this order.',
        examples: [[{ id: exampleId('post'), scheduled_at: '2026-03-02T09:30:00Z' }]],
      },
    ),
  },
  { title: 'ReschedulePosts' },
)
export const RescheduledPosts = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        ...Post.properties,
        version: Count('Number of the version, to be sent when the posts move again.', 2),
      }),
      { maxItems: MAX_RESCHEDULED, description: 'The posts, in the order of the call.' },
    ),
  },
  { title: 'RescheduledPosts' },
)

export const RetryPost = Closed(
  {
    confirm_not_published: Type.Optional(
      Type.Boolean({
        description:
          'Confirms that a post whose response was lost is not on the network. Required for targets with `needs_resolution`.',
        examples: [true],
      }),
    ),
  },
  { title: 'RetryPost' },
)

export const ResolveTarget = Closed(
  {
    published: Type.Boolean({ description: 'Whether the post is on the network.', examples: [true] }),
    url: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s]+$',
        maxLength: 500,
        description: 'Address of the post on the network.',
        examples: ['https://t.me/bakery/42'],
      }),
    ),
  },
  { title: 'ResolveTarget' },
)

export const EditPublished = Closed({ content: Content }, { title: 'EditPublished' })

export const targetParams = Closed({ id: idOf('post'), target_id: idOf('target') })
