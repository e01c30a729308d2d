import { Type } from 'typebox'
import { Closed, idOf } from '../../../lib/http/schema/schema.ts'
import { Post, Target } from '../record/posts.schema.ts'

/** What a post can have of its own for an account. */
export const ownFields = ['content', 'media_ids', 'thread', 'first_comment', 'options'] as const

export const CopyPost = Closed(
  { workspace_id: idOf('other_workspace', 'Id of the workspace that gets the copy. You must be an author there.') },
  { title: 'CopyPost' },
)

export const CopiedPost = Type.Object(
  {
    workspace_id: idOf('other_workspace', 'Id of the workspace that has the copy.'),
    post: Post,
    left_out_accounts: Type.Array(
      Type.Object({
        account_id: idOf('account', 'Id of the account, in the workspace of the original.'),
        network: Target.properties.network,
        handle: Target.properties.handle,
        left_out_fields: Type.Array(Type.Enum([...ownFields], { type: 'string' }), {
          maxItems: ownFields.length,
          description: 'Fields that the post has of its own for this account, and the copy does not have.',
          examples: [['content']],
        }),
      }),
      {
        maxItems: 50,
        description: 'Accounts of the post that are not connected in the other workspace. Empty without one.',
        examples: [[]],
      },
    ),
    left_out_media_ids: Type.Array(idOf('media'), {
      maxItems: 500,
      description:
        'Ids of files of the post that were deleted, so that the copy does not have them. Empty without one.',
      examples: [[]],
    }),
  },
  { title: 'CopiedPost' },
)
