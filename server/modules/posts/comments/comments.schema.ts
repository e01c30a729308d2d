import { Type } from 'typebox'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { PersonName } from '../../auth/auth.schema.ts'

const MAX_BODY = 4000

const aboutBody =
  'Plain text. A mention is `@[user_id]`, as in `@[01993a4b-7c55-7e0a-8f43-6b2d9e01c7a4]`. Only members of the workspace can be mentioned.'
const text = { minLength: 1, maxLength: MAX_BODY, examples: ['Can we show the simit first?'] }
const body = Type.String({ ...text, pattern: '\\S', description: aboutBody })

const person = (description: string) => Type.Object({ id: idOf('user'), name: PersonName }, { description })

export const Comment = Type.Object(
  {
    id: idOf('post_comment'),
    post_id: idOf('post'),
    parent_id: nullable(
      idOf('post_comment', 'Id of the comment that it replies to. Null for the first of a discussion.'),
    ),
    author: nullable(person('The member who wrote it. Null if that user no longer exists, and for a deleted comment.')),
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
    parent_id: Type.Optional(
      nullable(idOf('post_comment', 'Id of the comment to reply to. A reply cannot be replied to.')),
    ),
  },
  { title: 'NewPostComment', examples: [{ body: 'Can we show the simit first?' }] },
)
export const CommentChanges = Closed({ body }, { title: 'PostCommentChanges' })

export const commentParams = Closed({ id: idOf('post'), comment_id: idOf('post_comment') })
