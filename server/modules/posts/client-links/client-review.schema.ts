import { Type } from 'typebox'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Media } from '../../media/media.schema.ts'
import { NetworkInfo, OptionInfo } from '../../networks/networks.schema.ts'
import { Comment, clientTexts, NewComment } from '../comments/comments.schema.ts'
import { Part, PostMedia, Target } from '../record/posts.schema.ts'
import { ClientLink } from './client-links.schema.ts'

/** Posts that one link shows. */
export const MAX_POSTS = 500
/** Posts that one call approves. */
const MAX_AT_ONCE = 100

export const ClientSecret = Closed(
  {
    secret: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The part of the address after `#`.',
      examples: ['1kPzVZ0aYJXQ5M2cEw8uRr3t7bLqN9hGf6sKdTjAoI0'],
    }),
    password: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Password of the link, if it has one. Without it, the response is 403 `password_required`.',
        examples: ['warm simit at seven'],
      }),
    ),
  },
  { title: 'ClientSecret' },
)

const ContentVersion = Type.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  description: 'Changes with the content: what a decision is about.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})
const Reason = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '\\S',
  description: 'The change that the client asks for.',
  examples: ['We do not open on Mondays.'],
})

export const ReviewedPost = Type.Object(
  {
    id: idOf('post'),
    content_version: ContentVersion,
    state: Type.Enum(['waiting', 'approved', 'change_requested'], {
      type: 'string',
      description: '`waiting`: the client decides. The others: the client has decided so, by this link.',
      examples: ['waiting'],
    }),
    reason: nullable(Reason),
    scheduled_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time at which the post is to be published. Null without one.' }),
    ),
    comments: Count('Number of comments that the client can read.'),
    targets: Type.Array(
      Type.Object({
        account_id: idOf('account'),
        content: Part.properties.content,
        media_ids: Part.properties.media_ids,
        thread: Type.Array(Part, { maxItems: 24, description: 'Parts that follow as a thread.', examples: [[]] }),
        first_comment: Target.properties.first_comment,
        options: Target.properties.options,
      }),
      { maxItems: 50, description: 'The post on each of its accounts.' },
    ),
    media: Type.Array(
      Type.Object({
        ...PostMedia.properties,
        alt: Media.properties.alt,
        name: nullable({ ...Media.properties.name, description: 'Name of a document. Null for other files.' }),
        has_thumbnail: Type.Boolean({ description: 'Whether the file has a thumbnail.', examples: [true] }),
      }),
      { maxItems: 500, description: 'All files of the targets, without order.', examples: [[]] },
    ),
  },
  { title: 'ReviewedPost' },
)

const GetsMails = Type.Boolean({
  description: 'Whether the client gets e-mails about posts that wait.',
  examples: [true],
})
export const ClientMails = Closed({ gets_mails: GetsMails }, { title: 'ClientMails' })

export const ClientReview = Type.Object(
  {
    workspace: Type.Object({
      name: Type.String({ maxLength: 80, examples: ['Bakery'] }),
      has_picture: Type.Boolean({
        description: 'Whether `GET /review/{id}/picture` has an image.',
        examples: [false],
      }),
    }),
    name: ClientLink.properties.name,
    starts_on: ClientLink.properties.starts_on,
    ends_on: ClientLink.properties.ends_on,
    timezone: ClientLink.properties.timezone,
    may_decide: ClientLink.properties.may_decide,
    expires_at: Time,
    gets_mails: nullable({
      ...GetsMails,
      description:
        'Whether the client gets e-mails about posts that wait. Null for a link without an address, and for one that only shows posts.',
    }),
    accounts: Type.Array(
      Type.Object({
        id: idOf('account'),
        network: Target.properties.network,
        name: Type.String({ maxLength: 400, examples: ['Bakery'] }),
        handle: Target.properties.handle,
        has_avatar: Type.Boolean({ description: 'Whether the account has an image.', examples: [false] }),
      }),
      { maxItems: 1000, description: 'Accounts of the posts.' },
    ),
    networks: Type.Array(
      Type.Object({
        id: NetworkInfo.properties.id,
        name: NetworkInfo.properties.name,
        icon: NetworkInfo.properties.icon,
        preview: NetworkInfo.properties.preview,
        options: Type.Array(
          Type.Object({
            key: OptionInfo.properties.key,
            label: OptionInfo.properties.label,
            choices: OptionInfo.properties.choices,
          }),
          { maxItems: 30, description: 'Names of the settings in `options` of a target, and of their values.' },
        ),
      }),
      { maxItems: 100, description: 'Networks of the accounts.' },
    ),
    posts: Type.Array(ReviewedPost, {
      maxItems: MAX_POSTS,
      description:
        'Posts that wait for the client or that the client decided on by this link, in the order of their times.',
    }),
  },
  { title: 'ClientReview' },
)

export const SeenPost = Closed({ content_version: ContentVersion }, { title: 'SeenPost' })
export const ChangeRequest = Closed({ content_version: ContentVersion, reason: Reason }, { title: 'ChangeRequest' })

export const SeenPosts = Closed(
  {
    posts: Type.Array(Closed({ id: idOf('post'), content_version: ContentVersion }), {
      minItems: 1,
      maxItems: MAX_AT_ONCE,
      description: 'Posts that the client has seen.',
    }),
  },
  { title: 'SeenPosts' },
)

export const ApprovedPosts = Type.Object(
  {
    approved: Type.Array(ReviewedPost, { maxItems: MAX_AT_ONCE, description: 'Posts that are approved now.' }),
    left_out: Type.Array(idOf('post'), {
      maxItems: MAX_AT_ONCE,
      description: 'Ids of posts that changed since, that no longer wait for the client, or that cannot be scheduled.',
      examples: [[]],
    }),
  },
  { title: 'ApprovedPosts' },
)

const { id, parent_id, resolved_at, edited_at, created_at } = Comment.properties

export const ClientComment = Type.Object(
  {
    ...{ id, parent_id },
    written_by: nullable(
      Type.Enum(['team', 'client'], {
        type: 'string',
        description:
          '`team`: a member of the workspace. `client`: a person with a client link. Null for a deleted comment.',
        examples: ['client'],
      }),
    ),
    name: nullable({
      ...clientTexts.name,
      description:
        'Name of the member, or the name that the client gave, which nobody has checked. Null if it is gone.',
    }),
    body: nullable(
      Type.String({
        maxLength: 20_000,
        description: 'Plain text, with the names of those whom it mentions. Null if it was deleted and has replies.',
        examples: ['Can we show the simit first?'],
      }),
    ),
    ...{ resolved_at, edited_at, created_at },
  },
  { title: 'ClientComment' },
)
export const NewClientComment = Closed(
  { ...clientTexts, parent_id: NewComment.properties.parent_id },
  { title: 'NewClientComment', examples: [{ name: 'Ayşe', body: 'Can we show the simit first?' }] },
)

export const reviewedPostParams = Closed({ id: idOf('client_link'), post_id: idOf('post') })
export const reviewedMediaParams = Closed({ id: idOf('client_link'), media_id: idOf('media') })
export const reviewedAccountParams = Closed({ id: idOf('client_link'), account_id: idOf('account') })
