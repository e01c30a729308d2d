import { type TString, Type } from 'typebox'
import { Closed, Count, nullable, Time } from '../../../lib/http/schema/schema.ts'

const Words = (description: string, examples: string[]) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }), {
    maxItems: 30,
    description,
    examples: [examples],
  })
const Paragraph = (description: string, example: string) =>
  nullable(Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description, examples: [example] }))
const List = (item: TString, maxItems: number, description: string) => Type.Array(item, { maxItems, description })

const fields = {
  about: Paragraph('Work and offers of the organization.', 'A bakery in Ankara with simit from a wood oven.'),
  audience: Paragraph('Readers of the posts.', 'Neighbors, and people on their way to work.'),
  voice: Paragraph('How the posts sound.', 'Warm and short. We say "we".'),
  use_words: Words('Words to prefer.', ['freshly baked']),
  avoid_words: Words('Words that no text of an agent may contain.', ['cheap']),
  never_mention: Words('Names that no text of an agent may contain, such as those of competitors.', ['Other Bakery']),
  links: List(
    Type.String({ maxLength: 200, pattern: '^https?://\\S+$', examples: ['https://bakery.example/menu'] }),
    10,
    'Addresses to link to. Agents may link to exactly these.',
  ),
  hashtags: List(
    Type.String({ maxLength: 60, pattern: '^#?[^\\s#@.,;:!?()]+$', examples: ['simit'] }),
    20,
    'Hashtags to choose from. A `#` before them is removed.',
  ),
  languages: List(
    Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, examples: ['tr'] }),
    10,
    'Languages of the posts, as BCP 47 tags, the first before the others.',
  ),
  liked_posts: List(
    Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', examples: ['Fresh simit from seven. See you soon!'] }),
    5,
    'Posts that are examples of the style.',
  ),
}

export const BrandFields = Closed(fields, {
  title: 'BrandFields',
  examples: [
    {
      ...{ about: 'A bakery in Ankara.', audience: null, voice: 'Warm and short.' },
      ...{ use_words: ['freshly baked'], avoid_words: ['cheap'], never_mention: [] },
      ...{ links: ['https://bakery.example'], hashtags: ['simit'], languages: ['tr'], liked_posts: [] },
    },
  ],
})

export const Brand = Type.Object(
  {
    ...fields,
    updated_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the last change. Null until the brand is first saved.' }),
    ),
    version: Count('Number of the version. Every change increases it. 0 until the brand is first saved.', 1),
  },
  { title: 'Brand' },
)
