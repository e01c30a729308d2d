import { clientReview } from '../client-review.ts'
import { expectStatus } from '../factories.ts'
import { asOwner, type Recipe, type RecipeContext, type RequestParts } from './recipe-context.ts'

const newClientComment = { name: 'Ayşe', body: 'Can we show the simit first?' }
const newLink = { name: 'Bakery', starts_on: '2026-03-01', ends_on: '2026-03-31' }

const ownerHeaders = (context: RecipeContext) => asOwner(context).headers
const allScopes = ({ callers }: RecipeContext) => callers.current().callers.allScopes.headers

const withLink = (callerOf: (context: RecipeContext) => Record<string, string>) => async (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  const inWorkspace = client.with({ 'x-workspace-id': headers['x-workspace-id'] })
  const { id } = expectStatus(await inWorkspace.post('/api/v1/client-links', newLink), 201).body
  return { headers: callerOf(context), path: { id: id as string } }
}

type Reviewed = Awaited<ReturnType<typeof clientReview>>
/** A request of the client of a link, in a workspace of its own. */
const asClient =
  (more: (reviewed: Reviewed) => RequestParts = () => ({})) =>
  async ({ t }: RecipeContext) => {
    const reviewed = await clientReview(t)
    const { path, ...rest } = more(reviewed)
    return { headers: { cookie: reviewed.cookie }, path: { id: reviewed.link.id, ...path }, ...rest }
  }
const onFile = asClient(({ media_id }) => ({ path: { media_id } }))

export const clientReviewRecipes: Record<string, Recipe> = {
  createClientLink: async (context) => ({ headers: ownerHeaders(context), body: newLink }),
  readClientLink: withLink(ownerHeaders),
  publicReadClientLink: withLink(allScopes),
  setClientLinkPassword: async (context) => ({
    ...(await withLink(ownerHeaders)(context)),
    body: { password: 'warm simit at seven' },
  }),
  revokeClientLink: withLink(ownerHeaders),
  publicRevokeClientLink: withLink(allScopes),
  openClientLink: asClient(({ link }) => ({ body: { secret: link.url.split('#')[1] ?? '' } })),
  readClientReview: asClient(),
  downloadBrandPicture: asClient(),
  downloadMediaAsClient: onFile,
  downloadMediaThumbnailAsClient: onFile,
  downloadAvatarAsClient: asClient(({ account }) => ({ path: { account_id: account } })),
  listCommentsAsClient: asClient(({ post_id }) => ({ path: { post_id } })),
  commentAsClient: asClient(({ post_id }) => ({ path: { post_id }, body: newClientComment })),
  setClientMails: asClient(() => ({ body: { gets_mails: false } })),
  approveSeenPosts: asClient(({ post_id, content_version }) => ({
    body: { posts: [{ id: post_id, content_version }] },
  })),
  approvePostAsClient: asClient(({ post_id, content_version }) => ({ path: { post_id }, body: { content_version } })),
  requestChangeAsClient: asClient(({ post_id, content_version }) => ({
    path: { post_id },
    body: { content_version, reason: 'We do not open on Mondays.' },
  })),
}
