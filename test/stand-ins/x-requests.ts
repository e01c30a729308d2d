import { Type } from 'typebox'
import { only, type RequestRule, upload, words } from './request-rules.ts'

const id = Type.String({ pattern: '^[0-9]{1,19}$' })
const time = Type.String({ format: 'date-time' })
const text = Type.String()
const flag = Type.Boolean()

const userFields = words(
  ...['confirmed_email', 'connection_status', 'created_at', 'description', 'entities', 'id', 'is_identity_verified'],
  ...['location', 'name', 'parody', 'profile_banner_url', 'profile_image_url', 'protected', 'public_metrics'],
  ...['receives_your_dm', 'subscribes_to_you', 'subscription', 'subscription_type', 'url', 'username', 'verified'],
  ...['verified_followers_count', 'verified_type', 'withheld'],
)
/** Parameters of requests that return posts. Earlier descriptions have `tweet.fields` in place of `post.fields`. */
const postParameters = {
  'post.fields': words(
    ...['article', 'article_title', 'attachments', 'card_uri', 'community_id', 'context_annotations'],
    ...['conversation_id', 'created_at', 'display_text_range', 'edit_controls', 'entities', 'geo', 'id', 'lang'],
    ...['matched_media_notes', 'media_metadata', 'non_public_metrics', 'note_post', 'note_request_suggestions'],
    ...['organic_metrics', 'paid_partnership', 'possibly_sensitive', 'promoted_metrics', 'public_metrics'],
    ...['reply_settings', 'scopes', 'source', 'suggested_source_links', 'suggested_source_links_with_counts'],
    ...['text', 'withheld'],
  ),
  expansions: words(
    ...['article.cover_media', 'article.media_entities', 'attachments.media_keys', 'attachments.media_source_tweet'],
    ...['attachments.poll_ids', 'author_id', 'edit_history_post_ids', 'entities.mentions.username', 'geo.place_id'],
    ...['in_reply_to_user_id', 'referenced_posts', 'username'],
  ),
  'user.fields': userFields,
  'media.fields': words(
    ...['alt_text', 'duration_ms', 'height', 'media_key', 'non_public_metrics', 'organic_metrics', 'preview_image_url'],
    ...['promoted_metrics', 'public_metrics', 'type', 'url', 'variants', 'width'],
  ),
}

const replySettings = Type.Enum(['following', 'mentionedUsers', 'subscribers', 'verified'])

const post = only(
  {},
  {
    card_uri: text,
    community_id: id,
    direct_message_deep_link: text,
    edit_options: only({ previous_post_id: id }),
    for_super_followers_only: flag,
    geo: only({ place_id: text }),
    made_with_ai: flag,
    media: only(
      { media_ids: Type.Array(id, { minItems: 1, maxItems: 4 }) },
      {
        description: text,
        embeddable: flag,
        preview_media_id: id,
        tagged_user_ids: Type.Array(id, { maxItems: 10 }),
        title: text,
      },
    ),
    nullcast: flag,
    paid_partnership: flag,
    poll: only(
      {
        options: Type.Array(Type.String({ minLength: 1, maxLength: 25 }), { minItems: 2, maxItems: 4 }),
        duration_minutes: Type.Integer({ minimum: 5, maximum: 10_080 }),
      },
      { reply_settings: replySettings },
    ),
    quote_tweet_id: id,
    reply: only(
      { in_reply_to_tweet_id: id },
      { auto_populate_reply_metadata: flag, exclude_reply_user_ids: Type.Array(text) },
    ),
    reply_settings: replySettings,
    share_with_followers: flag,
    text,
  },
)

/** Attachments of which a post has at most one. */
export const exclusive = ['card_uri', 'direct_message_deep_link', 'media', 'poll', 'quote_tweet_id']

const media = only(
  {
    // Optional in the description. The guide to uploads asks for it, as videos are processed by it.
    media_category: Type.Enum([
      ...['amplify_video', 'tweet_gif', 'tweet_image', 'tweet_video', 'dm_gif', 'dm_image', 'dm_video', 'subtitles'],
    ]),
    media_type: Type.Enum([
      ...['video/mp4', 'video/webm', 'video/mp2t', 'video/quicktime', 'text/srt', 'text/vtt', 'image/jpeg'],
      ...['image/gif', 'image/bmp', 'image/png', 'image/webp', 'image/pjpeg', 'image/tiff', 'model/gltf-binary'],
      'model/vnd.usdz+zip',
    ]),
    total_bytes: Type.Integer({ minimum: 0, maximum: 17_179_869_184 }),
  },
  { additional_owners: Type.Array(id), shared: flag },
)

const reading = ['tweet.read', 'users.read']
const uploading = ['media.write']

/** Requests of API v2 that somebody who publishes makes. */
export const requests: RequestRule[] = [
  {
    ...{ method: 'GET', path: '/2/users/me', scopes: reading, perQuarter: 75 },
    query: only({}, { 'user.fields': userFields }),
  },
  {
    ...{ method: 'GET', path: '/2/users/by/username/{username}', scopes: reading, perQuarter: 300 },
    query: only({}, { 'user.fields': userFields }),
  },
  {
    ...{ method: 'GET', path: '/2/users/{id}/tweets', scopes: reading, perQuarter: 900 },
    query: only(
      {},
      {
        ...postParameters,
        max_results: Type.Integer({ minimum: 5, maximum: 100 }),
        ...{ start_time: time, end_time: time, since_id: id, until_id: id },
        exclude: words('replies', 'retweets'),
      },
    ),
  },
  {
    ...{ method: 'GET', path: '/2/tweets', scopes: reading, perQuarter: 900 },
    query: only({ ids: Type.String({ pattern: '^[0-9]{1,19}(,[0-9]{1,19}){0,99}$' }) }, postParameters),
  },
  { method: 'POST', path: '/2/tweets', scopes: ['tweet.write', ...reading], perQuarter: 100, body: post },
  { method: 'DELETE', path: '/2/tweets/{id}', scopes: ['tweet.write', ...reading], perQuarter: 50 },
  { method: 'POST', path: '/2/media/upload/initialize', scopes: uploading, perQuarter: 1875, body: media },
  {
    ...{ method: 'POST', path: '/2/media/upload/{id}/append', scopes: uploading, perQuarter: 1875 },
    body: only({ media: upload(5_000_000), segment_index: Type.Integer({ minimum: 0, maximum: 999 }) }),
  },
  { method: 'POST', path: '/2/media/upload/{id}/finalize', scopes: uploading, perQuarter: 1875 },
  {
    ...{ method: 'GET', path: '/2/media/upload', scopes: uploading, perQuarter: 1000 },
    query: only({ media_id: id }, { command: Type.Enum(['STATUS']) }),
  },
  {
    ...{ method: 'POST', path: '/2/media/metadata', scopes: uploading, perQuarter: 500 },
    body: only({ id }, { metadata: only({}, { alt_text: only({ text: Type.String({ maxLength: 1000 }) }) }) }),
  },
]
