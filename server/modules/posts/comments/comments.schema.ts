import { Type } from 'typebox'
import { Closed, Count, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { PersonName } from '../../auth/auth.schema.ts'
import { ClientLinkOfDecision } from '../record/review-fields.schema.ts'

const MAX_BODY = 4000

const aboutBody =
  'Plain text. A mention is `@[user_id]`, as in `@[01993a4b-7c55-7e0a-8f43-6b2d9e01c7a4]`. Only members of the workspace can be mentioned.'
const text = { minLength: 1, maxLength: MAX_BODY, examples: ['Can we show the simit first?'] }
const body = Type.String({ ...text, pattern: '\\S', description: aboutBody })

const person = (description: string) => Type.Object({ id: idOf('user'), name: PersonName }, { description })

const aboutAudience =
  '`team`: only members of the workspace read it. `client`: the clients of links that show the post read it, too, with the names of its author and of those whom it mentions.'
const audience = Type.Enum(['team', 'client'], { type: 'string', description: aboutAudience, examples: ['team'] })

/** Text and name of a client, who has no account. */
export const clientTexts = {
  body: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '\\S',
    description: 'Plain text.',
    examples: ['Can we show the simit first?'],
  }),
  name: Line('Name of the person who writes, which nobody checks', 'Ayşe'),
}

export const Comment = Type.Object(
  {
    id: idOf('post_comment'),
    post_id: idOf('post'),
    parent_id: nullable(
      idOf('post_comment', 'Id of the comment that it replies to. Null for the first of a discussion.'),
    ),
    audience,
    author: nullable(
      person('The member who wrote it. Null for a client, if that user no longer exists, and for a deleted comment.'),
    ),
    client: nullable(
      Type.Object(
        {
          name: { ...clientTexts.name, description: 'Name that the person gave. Nobody has checked it.' },
          client_link: Type.Object(ClientLinkOfDecision.properties, { description: 'Client link by which it came.' }),
        },
        { description: 'The client who wrote it through a client link. Null for members.' },
      ),
    ),
    body: nullable(Type.String({ ...text, description: `${aboutBody} Null if it was deleted and has replies.` })),
    mentions: Type.Array(person('A member whom the text mentions.'), {
      maxItems: 110,
      description:
        'Members whom the text mentions, with their current names. Those who left the workspace are not in it.',
    }),
    resolved_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time at which the discussion was resolved. Null while it is open.' }),
    ),
    resolved_by: nullable(person('The member who resolved the discussion.')),
    edited_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of the last edit of the text.' })),
    created_at: Time,
    updated_at: Time,
    version: Count('Number of the version. Every change increases it.', 1),
  },
  { title: 'PostComment' },
)
export const NewComment = Closed(
  {
    body,
    audience: Type.Optional({
      ...audience,
      default: 'team',
      description: `${aboutAudience} A reply must have the audience of the comment that it replies to.`,
    }),
    parent_id: Type.Optional(
      nullable(idOf('post_comment', 'Id of the comment to reply to. A reply cannot be replied to.')),
    ),
  },
  { title: 'NewPostComment', examples: [{ body: 'Can we show the simit first?' }] },
)
export const CommentChanges = Closed({ body }, { title: 'PostCommentChanges' })

export const commentParams = Closed({ id: idOf('post'), comment_id: idOf('post_comment') })
