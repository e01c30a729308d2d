import { Type } from 'typebox'
import { only, type RequestRule } from './request-rules.ts'

const text = Type.String()
const flag = Type.Boolean()
const urn = (...kinds: string[]) => Type.String({ pattern: `^urn:li:(?:${kinds.join('|')}):[^:]+$` })
const list = Type.String({ pattern: '^List\\(.+\\)$' })

const author = urn('person', 'organization')
const altText = Type.String({ maxLength: 4086 })
const title = Type.String({ maxLength: 400 })

/** Kinds of content, of which a post has at most one. */
const content = Type.Object(
  {
    media: Type.Optional(only({ id: urn('image', 'video', 'document') }, { altText, title })),
    multiImage: Type.Optional(
      only({ images: Type.Array(only({ id: urn('image') }, { altText }), { minItems: 2, maxItems: 20 }) }),
    ),
    article: Type.Optional(
      only(
        { source: Type.String({ pattern: '^https?://' }), title },
        { description: Type.String({ maxLength: 4086 }), thumbnail: urn('image'), thumbnailAltText: altText },
      ),
    ),
    poll: Type.Optional(
      only({
        question: Type.String({ minLength: 1, maxLength: 140 }),
        options: Type.Array(only({ text: Type.String({ minLength: 1, maxLength: 30 }) }), { minItems: 2, maxItems: 4 }),
        settings: only({ duration: Type.Enum(['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS']) }),
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
)

const post = only(
  {
    ...{ author, commentary: text },
    visibility: Type.Enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
    distribution: only(
      { feedDistribution: Type.Enum(['MAIN_FEED', 'NONE']) },
      { targetEntities: Type.Array(Type.Object({})), thirdPartyDistributionChannels: Type.Array(text) },
    ),
    lifecycleState: Type.Enum(['PUBLISHED']),
  },
  { content, isReshareDisabledByAuthor: flag },
)

const begun = only({ initializeUploadRequest: only({ owner: author }) })
const begunVideo = only({
  initializeUploadRequest: only({
    owner: author,
    fileSizeBytes: Type.Integer({ minimum: 1, maximum: 524_288_000 }),
    ...{ uploadCaptions: flag, uploadThumbnail: flag },
  }),
})
const finished = only({
  finalizeUploadRequest: only({
    video: urn('video'),
    uploadToken: text,
    uploadedPartIds: Type.Array(text, { minItems: 1 }),
  }),
})

type LinkedInRule = RequestRule & { action?: string; isVersioned?: false }

const action = (name: string) => ({ action: name, query: only({ action: Type.Enum([name]) }) })

/** Requests that somebody who publishes makes, as a member or for pages. LinkedIn has no description of its own. */
export const requestsOf = (isForPages: boolean): LinkedInRule[] => {
  const scopes = [isForPages ? 'w_organization_social' : 'w_member_social']
  const administrating = ['rw_organization_admin']
  return [
    { method: 'GET', path: '/v2/userinfo', scopes: ['openid'], isVersioned: false },
    {
      ...{ method: 'GET', path: '/v2/organizationalEntityAcls', scopes: administrating, isVersioned: false },
      query: only(
        { q: Type.Enum(['roleAssignee']) },
        { state: text, role: text, projection: text, start: Type.Integer(), count: Type.Integer({ maximum: 100 }) },
      ),
    },
    ...['images', 'documents'].map((kind) => ({
      ...{ method: 'POST', path: `/rest/${kind}`, scopes, body: begun },
      ...action('initializeUpload'),
    })),
    { method: 'POST', path: '/rest/videos', scopes, body: begunVideo, ...action('initializeUpload') },
    { method: 'POST', path: '/rest/videos', scopes, body: finished, ...action('finalizeUpload') },
    { method: 'GET', path: '/rest/videos/{urn}', scopes },
    { method: 'POST', path: '/rest/posts', scopes, body: post },
    {
      ...{ method: 'GET', path: '/rest/posts', scopes: ['r_organization_social'] },
      query: only(
        { author, q: Type.Enum(['author']) },
        {
          count: Type.Integer({ minimum: 1, maximum: 100 }),
          start: Type.Integer({ minimum: 0 }),
          sortBy: Type.Enum(['LAST_MODIFIED', 'CREATED']),
        },
      ),
    },
    { method: 'DELETE', path: '/rest/posts/{urn}', scopes },
    {
      ...{ method: 'POST', path: '/rest/socialActions/{urn}/comments', scopes },
      body: only({ actor: author, object: urn('share', 'ugcPost', 'activity'), message: only({ text }) }),
    },
    {
      ...{ method: 'GET', path: '/rest/organizations', scopes: administrating },
      query: only({ q: Type.Enum(['vanityName']), vanityName: Type.String({ minLength: 1 }) }),
    },
    {
      ...{ method: 'GET', path: '/rest/organizationalEntityShareStatistics', scopes: administrating },
      query: only(
        { q: Type.Enum(['organizationalEntity']), organizationalEntity: urn('organization') },
        { shares: list, ugcPosts: list, timeIntervals: text },
      ),
    },
    {
      ...{ method: 'GET', path: '/rest/networkSizes/{urn}', scopes: administrating },
      query: only({ edgeType: Type.Enum(['COMPANY_FOLLOWED_BY_MEMBER']) }),
    },
  ]
}
