import { Type } from 'typebox'
import {
  address,
  fieldsOf,
  flag,
  id,
  ids,
  type MetaRule,
  readInsights,
  readList,
  readOne,
  text,
  time,
} from './meta-requests.ts'
import { only, words } from './request-rules.ts'

/**
 * After graph-IGUserForIGOnlyAPI.json and graph-IGMediaForIGOnlyAPI.json (sign-in at Instagram), graph-IGUser.json and
 * graph-IGMedia.json (sign-in at Facebook), all of 15 Apr 2026. Bounds and permissions are those of the pages "Content
 * publishing", "Media" and "Instagram media insights" (18 Jun 2026).
 */
const logins = {
  instagram: {
    basic: ['instagram_business_basic'],
    publish: ['instagram_business_content_publish'],
    comments: ['instagram_business_manage_comments'],
    insights: ['instagram_business_manage_insights'],
    user: ['account_type', 'user_id'],
    media: [],
  },
  facebook: {
    basic: ['instagram_basic', 'pages_read_engagement'],
    publish: ['instagram_content_publish'],
    comments: ['instagram_manage_comments'],
    insights: ['instagram_manage_insights'],
    user: ['has_profile_pic', 'ig_id', 'is_published', 'legacy_instagram_user_id', 'shopping_review_status'],
    media: ['ig_id', 'legacy_instagram_media_id', 'video_title', 'view_count'],
  },
}

/** Fields that an account has on both hosts. */
export const userFields = [
  ...['biography', 'followers_count', 'follows_count', 'id', 'media_count', 'name', 'profile_picture_url'],
  ...['username', 'website'],
]
const mediaFields = [
  ...['alt_text', 'caption', 'children', 'comments', 'comments_count', 'id', 'is_comment_enabled'],
  ...['is_shared_to_feed', 'like_count', 'media_product_type', 'media_type', 'media_url', 'owner', 'permalink'],
  ...['shortcode', 'thumbnail_url', 'timestamp', 'username'],
]
const containerFields = ['copyright_check_status', 'id', 'status', 'status_code']
const commentFields = [
  ...['from', 'hidden', 'id', 'like_count', 'media', 'parent_id', 'replies', 'text', 'timestamp', 'user', 'username'],
]

const mediaMetrics = [
  ...['comments', 'follows', 'ig_reels_avg_watch_time', 'ig_reels_video_view_total_time', 'likes', 'navigation'],
  ...['profile_activity', 'profile_visits', 'reach', 'replies', 'reposts', 'saved', 'shares', 'total_interactions'],
  'views',
]

const caption = Type.String({ maxLength: 2200 })
const alt_text = Type.String({ maxLength: 1000 })
const collaborators = Type.Array(Type.String({ minLength: 1 }), { maxItems: 3 })
const user_tags = Type.Array(only({ username: text }, { x: Type.Number(), y: Type.Number() }))
const product_tags = Type.Array(only({ product_id: id }, { x: Type.Number(), y: Type.Number() }), { maxItems: 20 })
const item = Type.Literal(true)

/** Containers by their kind. The description has one list of parameters for all of them; the page says which take what. */
const containers = [
  {
    when: { media_type: undefined, is_carousel_item: undefined },
    body: only({ image_url: address }, { caption, alt_text, collaborators, location_id: id, user_tags, product_tags }),
  },
  {
    when: { media_type: undefined, is_carousel_item: true },
    body: only({ image_url: address, is_carousel_item: item }, { alt_text, user_tags, product_tags }),
  },
  {
    when: { media_type: 'VIDEO' },
    body: only({ media_type: text, video_url: address, is_carousel_item: item }),
  },
  {
    when: { media_type: 'REELS' },
    body: only(
      { media_type: text, video_url: address },
      {
        ...{ caption, collaborators, cover_url: address, audio_name: text, location_id: id, user_tags, product_tags },
        share_to_feed: flag,
        // A text in the description, milliseconds on the page.
        thumb_offset: Type.Integer({ minimum: 0 }),
        trial_params: only({ graduation_strategy: Type.Enum(['MANUAL', 'SS_PERFORMANCE']) }),
      },
    ),
  },
  {
    when: { media_type: 'STORIES', video_url: undefined },
    body: only({ media_type: text, image_url: address }, { user_tags }),
  },
  {
    when: { media_type: 'STORIES', image_url: undefined },
    body: only({ media_type: text, video_url: address }, { user_tags }),
  },
  {
    when: { media_type: 'CAROUSEL' },
    body: only({ media_type: text, children: ids(2, 10) }, { caption, collaborators, location_id: id, product_tags }),
  },
]

/**
 * Requests that somebody who publishes makes, below the version. `{id}`: a user, a container, a media or a comment, at
 * Instagram also `me`, which at Facebook is the Page.
 */
export function requestsOf(login: keyof typeof logins): MetaRule[] {
  const { basic, user, media, ...more } = logins[login]
  const publish = [...basic, ...more.publish]
  const comments = [...basic, ...more.comments]
  const insights = [...basic, ...more.insights]
  const comment = only({ message: Type.String({ minLength: 1 }) })
  return [
    ...(login === 'instagram'
      ? [{ method: 'GET', path: '/me', scopes: basic, query: readOne(...userFields, ...user) }]
      : []),
    ...containers.map((container) => ({ method: 'POST', path: '/{id}/media', scopes: publish, ...container })),
    { method: 'POST', path: '/{id}/media_publish', scopes: publish, body: only({ creation_id: id }) },
    {
      ...{ method: 'GET', path: '/{id}/content_publishing_limit', scopes: publish },
      query: only({}, { fields: fieldsOf('config', 'quota_usage'), since: time }),
    },
    { method: 'GET', path: '/{id}/media', scopes: basic, query: readList([...mediaFields, ...media]) },
    { method: 'GET', path: '/{id}/stories', scopes: basic, query: readList([...mediaFields, ...media]) },
    {
      ...{ method: 'GET', path: '/{id}/insights', scopes: insights },
      query: readInsights(
        mediaMetrics,
        {},
        { period: words('lifetime', 'day'), breakdown: words('action_type', 'story_navigation_action_type') },
      ),
    },
    { method: 'GET', path: '/{id}/comments', scopes: comments, query: readList(commentFields) },
    { method: 'POST', path: '/{id}/comments', scopes: comments, body: comment },
    {
      ...{ method: 'GET', path: '/{id}', scopes: basic },
      query: readOne(...userFields, ...user, ...mediaFields, ...media, ...containerFields),
    },
    // The description of the sign-in at Instagram has no deletion.
    ...(login === 'facebook' ? [{ method: 'DELETE', path: '/{id}', scopes: publish }] : []),
  ]
}
