import type { components } from '../../../api.gen'

export type Brand = components['schemas']['Brand']
type BrandFields = components['schemas']['BrandFields']

export const paragraphs = ['about', 'audience', 'voice'] as const
export const lists = ['use_words', 'avoid_words', 'never_mention', 'hashtags', 'links', 'languages'] as const

/** Texts that are not set are empty. */
export type BrandValues = Record<(typeof paragraphs)[number], string> &
  Record<(typeof lists)[number] | 'liked_posts', string[]>

export const toValues = ({ about, audience, voice, ...fields }: BrandFields): BrandValues => ({
  about: about ?? '',
  audience: audience ?? '',
  voice: voice ?? '',
  use_words: fields.use_words,
  avoid_words: fields.avoid_words,
  never_mention: fields.never_mention,
  hashtags: fields.hashtags,
  links: fields.links,
  languages: fields.languages,
  liked_posts: fields.liked_posts,
})

export const toFields = (values: BrandValues): BrandFields => ({
  ...values,
  about: values.about.trim() || null,
  audience: values.audience.trim() || null,
  voice: values.voice.trim() || null,
  liked_posts: values.liked_posts.filter((post) => post.trim()),
})

export const isChanged = (values: BrandValues, before: BrandValues) =>
  JSON.stringify(toFields(values)) !== JSON.stringify(toFields(before))

/** Fills in the fields that are empty. */
export const filledIn = (values: BrandValues, suggestion: BrandValues): BrandValues => ({
  ...values,
  ...Object.fromEntries(
    ([...paragraphs, ...lists, 'liked_posts'] as const)
      .filter((field) => toFields(values)[field]?.length === 0 || toFields(values)[field] === null)
      .map((field) => [field, suggestion[field]]),
  ),
})
