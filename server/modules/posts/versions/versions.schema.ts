import { Type } from 'typebox'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { PersonName } from '../../auth/auth.schema.ts'
import { NetworkId } from '../../networks/networks.schema.ts'
import { Post, Target } from '../record/posts.schema.ts'

const versionSources = [
  'console',
  'api',
  'agent',
  'recurring_post',
  'import',
  'network',
  'media',
  'restore',
  'system',
  'earlier',
] as const
const parts = ['content', 'media_ids', 'thread', 'first_comment', 'targets', 'media'] as const

const summary = {
  id: idOf('post_version'),
  post_id: idOf('post'),
  number: Count('Number of the version: the first of a post is 1. The oldest are deleted.', 1),
  is_current: Type.Boolean({ description: 'Whether the post is so now.' }),
  by: nullable(
    Type.Object(
      { id: idOf('user'), name: PersonName },
      { description: 'The user who made the change. Null if Meydan did, or if that user no longer exists.' },
    ),
  ),
  token_id: nullable(idOf('token', 'Id of the API token that was used. Null for a session.')),
  token_name: nullable(
    Type.String({
      maxLength: 100,
      description: 'Name of that API token. Null without one, and when it no longer exists.',
      examples: ['CI'],
    }),
  ),
  source: Type.Enum([...versionSources], {
    type: 'string',
    description:
      'Where the change comes from. `network`: the text was changed on a network. `media`: a file of the post got another alternative text or name. `restore`: an earlier version was restored. `system`: Meydan. `earlier`: the post was like this when versions were introduced.',
  }),
  restored_number: nullable(Count('Number of the version that was restored. Null for other sources.', 1)),
  changed: Type.Array(Type.Enum([...parts], { type: 'string' }), {
    maxItems: parts.length,
    description:
      'The parts that differ from the version before. `media` are the alternative texts and the names of files that both have. Empty for the first.',
    examples: [['content']],
  }),
  created_at: Time,
}
export const PostVersionSummary = Type.Object(summary, { title: 'PostVersionSummary' })

const VersionTarget = Type.Object(
  {
    account_id: Target.properties.account_id,
    network: nullable(NetworkId),
    handle: nullable(Target.properties.handle),
    is_removed: Type.Boolean({ description: 'Whether the account was removed since.' }),
    content: Target.properties.content,
    media_ids: Target.properties.media_ids,
    thread: Target.properties.thread,
    first_comment: Target.properties.first_comment,
    options: Target.properties.options,
  },
  { title: 'PostVersionTarget' },
)
const VersionMedia = Type.Object(
  {
    id: idOf('media'),
    alt: Type.String({
      maxLength: 2000,
      description: 'Alternative text at that time.',
      examples: ['A tray of simit.'],
    }),
    name: nullable(
      Type.String({
        maxLength: 200,
        description: 'Name of a document at that time. Null for other files.',
        examples: ['Menu.pdf'],
      }),
    ),
    is_deleted: Type.Boolean({ description: 'Whether the file was deleted since.' }),
  },
  { title: 'PostVersionMedia' },
)
export const PostVersion = Type.Object(
  {
    ...summary,
    content: Post.properties.content,
    media_ids: Post.properties.media_ids,
    thread: Post.properties.thread,
    first_comment: Post.properties.first_comment,
    targets: Type.Array(VersionTarget, { maxItems: 50, description: 'Accounts on which it was to be published.' }),
    media: Type.Array(VersionMedia, { maxItems: 500, description: 'All files of the version.', examples: [[]] }),
  },
  { title: 'PostVersion' },
)

export const versionParams = Closed({ id: idOf('post'), version_id: idOf('post_version') })
