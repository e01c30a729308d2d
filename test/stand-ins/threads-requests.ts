import { type TProperties, Type } from 'typebox'
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
} from './meta-requests.ts'
import { only, words } from './request-rules.ts'

const userFields = [
  ...['id', 'is_verified', 'name', 'recently_searched_keywords', 'threads_biography', 'threads_profile_picture_url'],
  'username',
]
const postFields = [
  ...['alt_text', 'children', 'gif_url', 'has_replies', 'hide_status', 'id', 'is_quote_post', 'is_reply'],
  ...['is_reply_owned_by_me', 'link_attachment_url', 'media_product_type', 'media_type', 'media_url', 'owner'],
  ...['permalink', 'poll_attachment', 'quoted_post', 'replied_to', 'reply_audience', 'reposted_post', 'root_post'],
  ...['shortcode', 'text', 'thumbnail_url', 'timestamp', 'topic_tag', 'username'],
]
const containerFields = ['error_message', 'id', 'status']
const quotaFields = [
  ...['config', 'delete_config', 'delete_quota_usage', 'location_search_config', 'location_search_quota_usage'],
  ...['quota_usage', 'reply_config', 'reply_quota_usage'],
]

const option = Type.String({ minLength: 1, maxLength: 25 })
const alt_text = Type.String({ maxLength: 1000 })

/** Parameters of everything that becomes a post. */
const post: TProperties = {
  reply_to_id: id,
  reply_control: Type.Enum([
    ...['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only'],
  ]),
  quote_post_id: id,
  topic_tag: Type.String({ pattern: '^[^.&]{1,50}$' }),
  allowlisted_country_codes: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' })),
  location_id: id,
  enable_reply_approvals: flag,
  text_entities: Type.Array(
    only({ entity_type: Type.Enum(['SPOILER']), offset: Type.Integer(), length: Type.Integer() }),
  ),
}

const kind = (media_type: string) => Type.Literal(media_type)

/** Containers by their kind. The flag that publishes a text at once is left out: nothing shows whether it did. */
const containers = [
  {
    when: { media_type: 'TEXT' },
    body: only(
      { media_type: kind('TEXT'), text: Type.String({ minLength: 1 }) },
      {
        ...post,
        link_attachment: address,
        poll_attachment: only({ option_a: option, option_b: option }, { option_c: option, option_d: option }),
        is_ghost_post: flag,
      },
    ),
  },
  ...['IMAGE', 'VIDEO'].flatMap((name) => {
    const file = { media_type: kind(name), [`${name.toLowerCase()}_url`]: address }
    return [
      {
        when: { media_type: name, is_carousel_item: true },
        body: only({ ...file, is_carousel_item: Type.Literal(true) }, { alt_text }),
      },
      { when: { media_type: name }, body: only(file, { ...post, text, alt_text, is_spoiler_media: flag }) },
    ]
  }),
  {
    when: { media_type: 'CAROUSEL' },
    body: only({ media_type: kind('CAROUSEL'), children: ids(2, 20) }, { ...post, text, is_spoiler_media: flag }),
  },
]

const basic = ['threads_basic']
const publishing = [...basic, 'threads_content_publish']
const insights = [...basic, 'threads_manage_insights']

/**
 * Requests that somebody who publishes makes, below the version, after Meta's reference of the Threads API: "Publishing"
 * (20 Apr 2026), "User", "Media retrieval", "Insights" (30 Jan 2026). There is no description for machines.
 */
export const requests: MetaRule[] = [
  { method: 'GET', path: '/me', scopes: basic, query: readOne(...userFields) },
  ...containers.map((container) => ({ method: 'POST', path: '/{id}/threads', scopes: publishing, ...container })),
  { method: 'POST', path: '/{id}/threads_publish', scopes: publishing, body: only({ creation_id: id }) },
  {
    ...{ method: 'GET', path: '/{id}/threads_publishing_limit', scopes: publishing },
    query: only({}, { fields: fieldsOf(...quotaFields) }),
  },
  { method: 'GET', path: '/{id}/threads', scopes: basic, query: readList(postFields) },
  { method: 'GET', path: '/{id}/replies', scopes: [...basic, 'threads_read_replies'], query: readList(postFields) },
  {
    ...{ method: 'GET', path: '/{id}/insights', scopes: insights },
    query: only({ metric: words('views', 'likes', 'replies', 'reposts', 'quotes', 'shares') }),
  },
  {
    ...{ method: 'GET', path: '/{id}/threads_insights', scopes: insights },
    query: readInsights(['views', 'likes', 'replies', 'reposts', 'quotes', 'clicks', 'followers_count'], {}),
  },
  { method: 'GET', path: '/{id}', scopes: basic, query: readOne(...userFields, ...postFields, ...containerFields) },
  { method: 'DELETE', path: '/{id}', scopes: [...basic, 'threads_delete'] },
]
