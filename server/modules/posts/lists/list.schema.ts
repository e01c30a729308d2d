import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Day } from '../../../lib/http/schema/day.ts'
import { Closed, Count, exampleId, InputTime, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { NetworkId } from '../../networks/networks.schema.ts'
import { Workspace } from '../../workspaces/workspaces.schema.ts'
import { Labels, Post, postHolds, postStatuses, Target } from '../record/posts.schema.ts'
import { ReviewFilter } from '../record/review-fields.schema.ts'

export const PostQuery = Closed({
  ...PageQuery,
  status: Type.Optional(
    Type.Enum([...postStatuses], { type: 'string', description: 'Returns only posts with this status.' }),
  ),
  is_idea: Type.Optional(
    Type.Boolean({
      description: 'Returns only ideas, or with `false` only posts that are no ideas.',
      examples: [true],
    }),
  ),
  review: Type.Optional(ReviewFilter),
  held: Type.Optional(
    Type.Enum([...postHolds], { type: 'string', description: 'Returns only posts that are held for this reason.' }),
  ),
  account_id: Type.Optional(idOf('account', 'Returns only posts with this account among their targets.')),
  account_group_id: Type.Optional(
    idOf('account_group', 'Returns only posts with an account of this group among their targets.'),
  ),
  author_id: Type.Optional(idOf('user', 'Returns only posts that this user wrote.')),
  label: Type.Optional(Line('Returns only posts with exactly this label', 'spring', 40)),
  from: Type.Optional(
    Type.Unsafe<string>({ ...InputTime, description: 'Returns only posts scheduled at or after this time.' }),
  ),
  to: Type.Optional(
    Type.Unsafe<string>({ ...InputTime, description: 'Returns only posts scheduled before this time.' }),
  ),
  updated_since: Type.Optional(
    Type.Unsafe<string>({
      ...InputTime,
      description:
        'Returns only posts that changed at or after this time, including changes of their targets. Deleted posts are listed by `GET /posts/deleted`. A change becomes visible shortly after its time: when polling, let the periods overlap by a few seconds.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Returns only posts whose text contains each of these words, anywhere and in any order. Case and accents are ignored: `ogrenci` finds `Öğrenci`. Only the first 5,000 characters of a text are searched.',
    }),
  ),
})

export const PostCounts = Type.Object(
  {
    blocked: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Number of scheduled posts that wait for an account that is disconnected. Counted up to 100.',
      examples: [3],
    }),
    failed: Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'Number of posts scheduled within the last seven days that failed on at least one account. Counted up to 100.',
      examples: [2],
    }),
    in_review: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Number of posts that wait for review. Counted up to 100.',
      examples: [7],
    }),
    held: Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'Number of held posts, about which a member must decide. Those that wait because a queue is paused do not count. Counted up to 100.',
      examples: [4],
    }),
    stopped: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Number of these that are held because their agent was disabled. Counted up to 100.',
      examples: [3],
    }),
  },
  { title: 'PostCounts' },
)

export const WorkspaceCounts = Type.Object(
  {
    id: idOf('workspace'),
    name: Workspace.properties.name,
    slug: Workspace.properties.slug,
    ...PostCounts.properties,
    waits_for_you: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Number of posts on whose approval you can decide now. Counted up to 100.',
      examples: [2],
    }),
    upcoming: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Number of posts that are scheduled for the next seven days and not held. Counted up to 100.',
      examples: [12],
    }),
    days: Type.Array(
      Type.Object({
        day: Day('Day in the time zone of the workspace.', '2026-12-01'),
        posts: Type.Integer({
          minimum: 0,
          maximum: 100,
          description: 'Number of posts that are scheduled for the rest of this day and not held. Counted up to 100.',
          examples: [3],
        }),
      }),
      { maxItems: 7, description: 'Today and the six days after it.' },
    ),
    next_at: nullable({
      ...Time,
      description: 'Time of the next post that is scheduled and not held, also after seven days. Null without one.',
    }),
    disconnected_accounts: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Number of accounts that must be connected again. Counted up to 100.',
      examples: [1],
    }),
  },
  { title: 'WorkspaceCounts' },
)

export const ReleasedPosts = Type.Object(
  { released: Count('Number of posts that are not held any more.', 3) },
  { title: 'ReleasedPosts' },
)

const Excerpt = Type.String({
  maxLength: 200,
  description: 'First 200 characters of the text, with the names of mentions in place of their ids.',
  examples: ['Fresh simit from seven in the morning.'],
})

export const PostSummary = Type.Object(
  {
    id: Post.properties.id,
    excerpt: Excerpt,
    thumbnail_url: nullable(
      Type.String({
        maxLength: 100,
        description:
          'Path of the thumbnail of the first file, for sessions. Null without a file, and for one without a thumbnail.',
        examples: [`/api/v1/media/${exampleId('media')}/thumbnail`],
      }),
    ),
    labels: Labels,
    status: Post.properties.status,
    is_idea: Post.properties.is_idea,
    held: Post.properties.held,
    review: Post.properties.review,
    scheduled_at: Post.properties.scheduled_at,
    review_scheduled_at: Post.properties.review_scheduled_at,
    published_at: Post.properties.published_at,
    recurring_post_id: Post.properties.recurring_post_id,
    author_id: Post.properties.author_id,
    targets: Type.Array(
      Type.Object({
        account_id: idOf('account', 'Id of the account.'),
        network: NetworkId,
        warning: Target.properties.warning,
      }),
      { maxItems: 50, description: 'Accounts to publish on.' },
    ),
    updated_at: Time,
  },
  { title: 'PostSummary' },
)

const { status, is_idea, review, held, account_id, account_group_id, author_id, label, from, to, cursor } =
  PostQuery.properties
export const PostSummaryQuery = Closed({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'Maximum number of records to return.' }),
  ),
  cursor,
  status,
  is_idea,
  review,
  held,
  account_id,
  account_group_id,
  author_id,
  label,
  from,
  to,
})

export const DeletedPost = Type.Object(
  {
    id: idOf('post'),
    excerpt: Excerpt,
    status: Type.Enum([...postStatuses], { type: 'string', description: 'Status of the post when it was deleted.' }),
    author_id: nullable(idOf('user', 'Id of the user who wrote the post. Null if that user no longer exists.')),
    deleted_at: Time,
  },
  { title: 'DeletedPost' },
)
export const DeletedPostQuery = Closed({
  ...PageQuery,
  since: Type.Optional(
    Type.Unsafe<string>({
      ...InputTime,
      description:
        'Returns only posts deleted at or after this time. Defaults to all that can be restored. When polling, let the periods overlap by a few seconds.',
    }),
  ),
})
