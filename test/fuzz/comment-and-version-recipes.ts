import { newComment } from '../comments.ts'
import { expectStatus } from '../factories.ts'
import { draft, drafted } from './content-recipes.ts'
import { asOwner, type Recipe, type RecipeContext, type RequestParts } from './recipe-context.ts'

type CallerOf = (context: RecipeContext) => Record<string, string>
const allScopes: CallerOf = ({ callers }) => callers.current().callers.allScopes.headers
const ownerHeaders: CallerOf = (context) => asOwner(context).headers

const commented =
  (callerOf: CallerOf, body?: object) =>
  async (context: RecipeContext): Promise<RequestParts> => {
    const { client, inWorkspace, id } = await draft(context)
    const comment = await newComment(client.with(inWorkspace), id)
    return { headers: callerOf(context), path: { id, comment_id: comment.id }, ...(body && { body }) }
  }
const commenting =
  (callerOf: CallerOf): Recipe =>
  async (context) => ({ ...(await drafted(callerOf)(context)), body: { body: 'Can we show the simit first?' } })
const versioned =
  (callerOf: CallerOf) =>
  async (context: RecipeContext): Promise<RequestParts> => {
    const { client, inWorkspace, id } = await draft(context)
    const { data } = expectStatus(await client.get(`/api/v1/posts/${id}/versions`, inWorkspace), 200).body
    return { headers: callerOf(context), path: { id, version_id: data[0].id as string } }
  }

export const commentAndVersionRecipes: Record<string, Recipe> = {
  createPostComment: commenting(ownerHeaders),
  publicCreatePostComment: commenting(allScopes),
  readPostComment: commented(ownerHeaders),
  publicReadPostComment: commented(allScopes),
  changePostComment: commented(ownerHeaders, { body: 'Changed' }),
  publicChangePostComment: commented(allScopes, { body: 'Changed' }),
  deletePostComment: commented(ownerHeaders),
  publicDeletePostComment: commented(allScopes),
  resolvePostComment: commented(ownerHeaders),
  publicResolvePostComment: commented(allScopes),
  reopenPostComment: commented(ownerHeaders),
  publicReopenPostComment: commented(allScopes),
  listPostVersions: drafted(ownerHeaders),
  publicListPostVersions: drafted(allScopes),
  readPostVersion: versioned(ownerHeaders),
  publicReadPostVersion: versioned(allScopes),
  restorePostVersion: versioned(ownerHeaders),
  publicRestorePostVersion: versioned(allScopes),
  listPostComments: drafted(ownerHeaders),
  publicListPostComments: drafted(allScopes),
}
