import { type TProperties, Type } from 'typebox'
import { userFields } from './instagram-requests.ts'
import { address, flag, id, type MetaRule, objectField, readList, readOne, text, time } from './meta-requests.ts'
import { only, upload } from './request-rules.ts'

const pageFields = [
  ...['about', 'access_token', 'business', 'category', 'category_list', 'connected_instagram_account', 'cover'],
  ...['description', 'emails', 'fan_count', 'followers_count', 'has_transitioned_to_new_page_experience', 'id'],
  objectField('instagram_business_account', ...userFields),
  ...['is_published', 'is_verified', 'link', 'name', 'picture', 'tasks', 'username'],
  ...['verification_status', 'website'],
]
const postFields = [
  ...['actions', 'admin_creator', 'application', 'attachments', 'backdated_time', 'call_to_action', 'comments'],
  ...['created_time', 'from', 'full_picture', 'icon', 'id', 'insights', 'instagram_eligibility', 'is_expired'],
  ...['is_hidden', 'is_popular', 'is_published', 'likes', 'message', 'message_tags', 'parent_id', 'permalink_url'],
  ...['picture', 'place', 'privacy', 'promotable_id', 'properties', 'reactions', 'scheduled_publish_time', 'shares'],
  ...['status_type', 'story', 'story_tags', 'target', 'targeting', 'timeline_visibility', 'to', 'updated_time', 'via'],
]
/** There is no description of videos. These are the fields of the page "Video" of the reference. */
const videoFields = [
  ...['comments', 'created_time', 'description', 'embed_html', 'embeddable', 'format', 'from', 'icon', 'id', 'length'],
  ...['likes', 'live_status', 'permalink_url', 'picture', 'place', 'post_id', 'post_views', 'privacy', 'published'],
  ...['reactions', 'scheduled_publish_time', 'source', 'status', 'thumbnails', 'title', 'universal_video_id'],
  ...['updated_time', 'video_insights', 'views'],
]
const commentFields = [
  ...['attachment', 'can_comment', 'can_hide', 'can_remove', 'can_reply_privately', 'comment_count', 'comments'],
  ...['created_time', 'from', 'id', 'is_hidden', 'is_private', 'like_count', 'message', 'message_tags', 'object'],
  ...['parent', 'permalink_url', 'user_likes'],
]
const storyFields = ['creation_time', 'media_id', 'media_type', 'post_id', 'status', 'url']

const postId = Type.String({ pattern: '^[0-9]+(?:_[0-9]+)?$' })

/** When and to whom something is shown. */
const audience: TProperties = {
  ...{ place: id, feed_targeting: Type.Object({}), targeting: Type.Object({}), scheduled_publish_time: time },
}
const later: TProperties = {
  ...{ published: flag, unpublished_content_type: Type.Enum(['ADS_POST', 'DRAFT', 'SCHEDULED', 'PUBLISHED']) },
  ...{ backdated_time: time, no_story: flag },
}

/** Largest video, in bytes. */
const MAX_VIDEO = 10_737_418_240
const message = Type.String({ minLength: 1, maxLength: 63_206 })
const publishing = ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts']
const reading = ['pages_read_engagement']

/** Phases of a video in parts. The description has one list of parameters for all of them. */
const videoPhases = [
  {
    when: { upload_phase: 'start' },
    body: only({ upload_phase: text, file_size: Type.Integer({ minimum: 1, maximum: MAX_VIDEO }) }),
  },
  {
    when: { upload_phase: 'transfer' },
    body: only({
      ...{ upload_phase: text, upload_session_id: id, start_offset: Type.Integer({ minimum: 0 }) },
      video_file_chunk: upload(MAX_VIDEO),
    }),
  },
  {
    when: { upload_phase: 'finish' },
    body: only(
      { upload_phase: text, upload_session_id: id },
      {
        ...{ ...audience, ...later, description: text, title: Type.String({ maxLength: 255 }), embeddable: flag },
        ...{ content_tags: Type.Array(text), custom_labels: Type.Array(text), thumb: upload(10_485_760) },
      },
    ),
  },
]

/** Phases of a reel or the story of a video, whose bytes go to the address that the first one returns. */
const uprightPhases = (finish: TProperties) => [
  { when: { upload_phase: 'start' }, body: only({ upload_phase: text }) },
  {
    when: { upload_phase: 'finish' },
    body: only(
      { upload_phase: text, video_id: id, ...finish },
      { ...audience, description: text, title: Type.String({ maxLength: 255 }) },
    ),
  },
]
const video_state = Type.Enum(['DRAFT', 'PUBLISHED', 'SCHEDULED'])

const listPages = readList(pageFields)

/**
 * Requests with the token of a person, below the version, after the pages "User accounts", "User permissions" and
 * "Business owned pages" of the reference.
 */
const personRules: MetaRule[] = [
  { method: 'GET', path: '/me', query: readOne('email', 'first_name', 'id', 'last_name', 'name', 'picture') },
  { method: 'GET', path: '/me/accounts', query: listPages },
  { method: 'GET', path: '/me/permissions', query: readList(['permission', 'status'], { permission: text }) },
  { method: 'GET', path: '/me/businesses', query: readList(['id', 'name', 'verification_status']) },
  { method: 'GET', path: '/{id}/owned_pages', query: listPages },
  { method: 'GET', path: '/{id}/client_pages', query: listPages },
  { method: 'GET', path: '/{id}', query: readOne(...pageFields) },
  { method: 'DELETE', path: '/{id}/permissions', query: only({}, { permission: text }) },
]

/**
 * Requests with the token of a Page, below the version, after graph-Page.json, graph-PagePost.json and graph-Post.json
 * (15 Apr 2026). Of the parameters those of publishing are listed: the others serve ads, games and Meta's own pages.
 * Files are not in the description, but in the pages "Photos" and "Video API".
 */
const pageRules: MetaRule[] = [
  { method: 'GET', path: '/me', query: readOne(...pageFields) },
  {
    ...{ method: 'POST', path: '/{id}/photos', scopes: publishing, when: { url: undefined } },
    body: only(
      { source: upload(10_485_760) },
      { ...audience, ...later, message, caption: text, alt_text_custom: text, temporary: flag, tags: Type.Array(text) },
    ),
  },
  {
    ...{ method: 'POST', path: '/{id}/feed', scopes: publishing },
    // Every creation takes the fields of what it created.
    query: readOne(...postFields),
    body: only(
      {},
      {
        ...{ ...audience, ...later, message, link: address, tags: Type.Array(id) },
        attached_media: Type.Array(only({ media_fbid: id }), { minItems: 1 }),
        call_to_action: Type.Object({}),
      },
    ),
  },
  ...videoPhases.map((phase) => ({ method: 'POST', path: '/{id}/videos', scopes: publishing, ...phase })),
  ...uprightPhases({ video_state }).map((phase) => ({
    ...{ method: 'POST', path: '/{id}/video_reels', scopes: publishing },
    ...phase,
  })),
  ...uprightPhases({}).map((phase) => ({
    ...{ method: 'POST', path: '/{id}/video_stories', scopes: publishing },
    ...phase,
  })),
  { method: 'POST', path: '/{id}/photo_stories', scopes: publishing, body: only({ photo_id: id }) },
  {
    ...{ method: 'GET', path: '/{id}/stories', scopes: reading },
    query: readList(storyFields, { status: Type.Enum(['ARCHIVED', 'PUBLISHED']) }),
  },
  {
    ...{ method: 'GET', path: '/{id}/published_posts', scopes: reading },
    query: readList(postFields, { include_hidden: flag, show_expired: flag, with: Type.Enum(['LOCATION']) }),
  },
  {
    ...{ method: 'GET', path: '/{id}/comments', scopes: reading },
    query: readList(commentFields, {
      filter: Type.Enum(['stream', 'toplevel']),
      live_filter: Type.Enum(['filter_low_quality', 'no_filter']),
      order: Type.Enum(['chronological', 'reverse_chronological']),
      summary: flag,
    }),
  },
  {
    ...{ method: 'POST', path: '/{id}/comments', scopes: [...reading, 'pages_manage_engagement'] },
    body: only(
      { message: Type.String({ minLength: 1 }) },
      { attachment_id: id, attachment_share_url: address, attachment_url: address, parent_comment_id: postId },
    ),
  },
  {
    ...{ method: 'GET', path: '/{id}', scopes: reading },
    query: readOne(...pageFields, ...postFields, ...videoFields),
  },
  {
    ...{ method: 'POST', path: '/{id}', scopes: publishing, when: { description: undefined } },
    body: only(
      {},
      {
        ...{ message, is_hidden: flag, is_pinned: flag, is_published: flag, scheduled_publish_time: time },
        ...{ backdated_time: time, place: id, tags: Type.Array(id) },
      },
    ),
  },
  {
    ...{ method: 'POST', path: '/{id}', scopes: publishing },
    body: only({ description: text }, { name: Type.String({ maxLength: 255 }), embeddable: flag, published: flag }),
  },
  { method: 'DELETE', path: '/{id}', scopes: publishing },
]

export const requests = { person: personRules, page: pageRules }

const app = { client_id: text, client_secret: text }

/** The exchange of codes and tokens, by the pages "Manually build a login flow" and "Long-lived tokens". */
export const exchanges = {
  // The page names no kind of grant for a code. RFC 6749 requires one, and Facebook takes it.
  code: {
    ...{ method: 'GET', path: '/oauth/access_token' },
    query: only({ ...app, redirect_uri: address, code: text }, { grant_type: Type.Enum(['authorization_code']) }),
  },
  extension: {
    ...{ method: 'GET', path: '/oauth/access_token' },
    query: only({ ...app, grant_type: text, fb_exchange_token: text }),
  },
}
