import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, problem } from '../../../errors.ts'
import { Page, PageQuery } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { linkClient } from '../../../lib/http/access.ts'
import { FileResponse } from '../../../lib/http/response/send-file.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { languageOf } from '../../../lib/language.ts'
import { limitAttempts } from '../../auth/sign-in/attempt-limit.ts'
import { NetworksQuery } from '../../networks/networks.schema.ts'
import { commentAsClient, listClientComments } from './client-comments.ts'
import { approveAsClient, approveSeen, requestChange } from './client-decisions.ts'
import { serveBrandPicture, serveReviewedAvatar, serveReviewedMedia } from './client-files.ts'
import {
  ApprovedPosts,
  ChangeRequest,
  ClientComment,
  ClientMails,
  ClientReview,
  ClientSecret,
  NewClientComment,
  ReviewedPost,
  reviewedAccountParams,
  reviewedMediaParams,
  reviewedPostParams,
  SeenPost,
  SeenPosts,
} from './client-review.schema.ts'
import {
  checkLinkPassword,
  checkSecret,
  countOpening,
  findLinkOfSession,
  type OpenLink,
  openClientLink,
} from './client-session.ts'
import { setClientMails } from './client-unsubscribe.ts'
import { readClientReview } from './reviewed-posts.ts'

const image = { 'image/*': 'An image.' }
const file = { ...image, 'video/*': 'A video.', 'application/*': 'A document.' }

/** Routes for clients, who have no account: a cookie identifies the session of a link. */
export function clientReviewRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')
  const params = idParams('client_link')
  const access = linkClient()

  type Call = { deps: Deps; request: FastifyRequest; reply: FastifyReply; params: { id: string } }
  /** Runs `work` for the client of a link. 404 for an unknown, expired or revoked link, and for a session of another. */
  const asClient = async <T>(
    { deps, request, reply, params: { id } }: Call,
    purpose: 'clientRead' | 'clientFile' | 'clientDecision' | 'clientComment',
    work: (link: OpenLink) => Promise<T>,
  ) => {
    const link = await findLinkOfSession(deps, request.headers.cookie, id)
    if (!link) throw notFound()
    return limitAttempts(deps, reply, { purpose, ip: null, subject: id }, () => work(link))
  }

  route.post('/review/:id/session', {
    operationId: 'openClientLink',
    summary: 'Open a client link',
    description:
      'Exchanges the secret of a client link for a session, and sets its cookie for the paths of this link. An unknown, expired or revoked link gets the response of a wrong secret. A link with a password responds 403 `password_required` without it, and 403 `password_wrong` to another.',
    access,
    params,
    body: ClientSecret,
    response: { 204: NoContent },
    ownTransactions: true,
    handler: async ({ deps, caller, params: { id }, body, request, reply }) => {
      const guess = { purpose: 'clientSecret' as const, ip: caller.ip }
      const hash = await limitAttempts(deps, reply, guess, () => checkSecret(deps, id, body.secret))
      // A browser that opens the link again keeps its session.
      if (await findLinkOfSession(deps, request.headers.cookie, id)) return void (await countOpening(deps, id))
      if (hash !== null) {
        const { password } = body
        if (password === undefined) throw problem('password_required')
        const attempt = { purpose: 'clientPassword' as const, ip: caller.ip, subject: id }
        await limitAttempts(deps, reply, attempt, () => checkLinkPassword(deps, hash, password))
      }
      const opening = { purpose: 'clientOpening' as const, ip: null, subject: id }
      reply.header(
        'set-cookie',
        await limitAttempts(deps, reply, opening, () => openClientLink(deps, caller, id, hash)),
      )
    },
  })
  route.get('/review/:id', {
    operationId: 'readClientReview',
    summary: 'List the posts of a client link',
    description: 'Returns the posts that wait for the client, and those that the client decided on by this link.',
    access,
    params,
    query: NetworksQuery,
    response: { 200: ClientReview },
    handler: (call) =>
      asClient(call, 'clientRead', (link) => readClientReview(call.deps, link, languageOf(call.query.locale ?? 'en'))),
  })
  route.put('/review/:id/mails', {
    operationId: 'setClientMails',
    summary: 'Turn e-mails on or off as a client',
    description:
      'Turns the e-mails of the workspace to the address of the link on or off, for all its links. 409 for a link without an address, and for one that only shows posts.',
    access,
    params,
    body: ClientMails,
    response: { 200: ClientMails },
    ownTransactions: true,
    handler: (call) =>
      asClient(call, 'clientDecision', (link) => setClientMails(call.deps, call.caller, link, call.body)),
  })
  route.post('/review/:id/approve', {
    operationId: 'approveSeenPosts',
    summary: 'Approve posts as a client',
    description: 'Approves posts as the client has seen them, each by itself.',
    access,
    params,
    body: SeenPosts,
    response: { 200: ApprovedPosts },
    ownTransactions: true,
    handler: (call) => asClient(call, 'clientDecision', (link) => approveSeen(call.deps, call.caller, link, call.body)),
  })
  route.post('/review/:id/posts/:post_id/approve', {
    operationId: 'approvePostAsClient',
    summary: 'Approve a post as a client',
    description:
      'Approves a post as the client has seen it. One that changed since gets 409 `content_changed`: read it again.',
    access,
    params: reviewedPostParams,
    body: SeenPost,
    response: { 200: ReviewedPost },
    ownTransactions: true,
    handler: (call) =>
      asClient(call, 'clientDecision', (link) =>
        approveAsClient(call.deps, call.caller, link, { id: call.params.post_id, ...call.body }),
      ),
  })
  route.post('/review/:id/posts/:post_id/request-change', {
    operationId: 'requestChangeAsClient',
    summary: 'Ask for a change as a client',
    description:
      'Rejects a post as the client has seen it, with a reason. One that changed since gets 409 `content_changed`: read it again.',
    access,
    params: reviewedPostParams,
    body: ChangeRequest,
    response: { 200: ReviewedPost },
    ownTransactions: true,
    handler: (call) => {
      const { content_version, reason } = call.body
      return asClient(call, 'clientDecision', (link) =>
        requestChange(call.deps, call.caller, link, { id: call.params.post_id, content_version }, reason),
      )
    },
  })
  route.get('/review/:id/posts/:post_id/comments', {
    operationId: 'listCommentsAsClient',
    summary: 'List the comments on a post as a client',
    description: 'Returns the comments between the team and the client on a post that the link shows, newest first.',
    access,
    params: reviewedPostParams,
    query: Closed(PageQuery),
    response: { 200: Page(ClientComment) },
    handler: (call) =>
      asClient(call, 'clientRead', (link) => listClientComments(call.deps, link, call.params.post_id, call.query)),
  })
  route.post('/review/:id/posts/:post_id/comments', {
    operationId: 'commentAsClient',
    summary: 'Comment on a post as a client',
    description:
      'Writes to the team about a post that the link shows, or replies. Everybody with a link that shows the post reads it. A reply reopens a discussion that was resolved. A link allows at most 200 comments a day, and a post 500.',
    access,
    params: reviewedPostParams,
    body: NewClientComment,
    response: { 201: ClientComment },
    ownTransactions: true,
    handler: (call) =>
      asClient(call, 'clientComment', (link) =>
        commentAsClient(call.deps, call.caller, link, call.params.post_id, call.body),
      ),
  })
  route.get('/review/:id/picture', {
    operationId: 'downloadBrandPicture',
    summary: 'Download the image of the workspace as a client',
    access,
    params,
    response: { 200: FileResponse },
    instead: image,
    handler: (call) => asClient(call, 'clientFile', (link) => serveBrandPicture(call.deps, link)),
  })
  for (const part of ['file', 'thumbnail'] as const)
    route.get(`/review/:id/media/:media_id/${part}`, {
      operationId: part === 'file' ? 'downloadMediaAsClient' : 'downloadMediaThumbnailAsClient',
      summary: `Download ${part === 'file' ? 'a file' : 'the thumbnail of a file'} as a client`,
      description: 'Returns a file of a post that the link shows. Supports `Range` and `If-None-Match`.',
      access,
      params: reviewedMediaParams,
      response: { 200: FileResponse },
      instead: file,
      handler: (call) =>
        asClient(call, 'clientFile', (link) => serveReviewedMedia(call.deps, link, call.params.media_id, part)),
    })
  route.get('/review/:id/accounts/:account_id/avatar', {
    operationId: 'downloadAvatarAsClient',
    summary: 'Download the image of an account as a client',
    access,
    params: reviewedAccountParams,
    response: { 200: FileResponse },
    instead: image,
    handler: (call) =>
      asClient(call, 'clientFile', (link) => serveReviewedAvatar(call.deps.db, link, call.params.account_id)),
  })
}
