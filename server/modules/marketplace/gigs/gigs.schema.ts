import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, exampleId, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Currency } from '../../../lib/money.ts'

const Title = Line('Title', 'Ten posts for your café', 200)
const Description = Type.String({
  minLength: 1,
  maxLength: 5000,
  description: 'Description, in plain text.',
  examples: ['Ten posts with pictures, written for your café and its guests.'],
})
const Price = Type.Number({
  minimum: 1,
  maximum: 1_000_000,
  description: 'Price, with at most two decimals.',
  examples: [1499.9],
})
const DeliveryDays = Type.Integer({
  minimum: 1,
  maximum: 365,
  description: 'Days from the acceptance of an order to its delivery.',
  examples: [3],
})
const Categories = Type.Array(Line('Category', 'social-media', 40), {
  maxItems: 5,
  uniqueItems: true,
  description: 'Categories. Case, accents, and other characters than letters and digits do not distinguish two.',
  examples: [['social-media']],
})
const SampleMedia = Type.Array(idOf('media'), {
  maxItems: 10,
  uniqueItems: true,
  description: 'Ids of images, animated images and videos of the workspace, in the order in which they are shown.',
})
const Status = Type.Enum(['draft', 'published', 'paused'], {
  type: 'string',
  description: 'Status. Only a `published` gig is public; it cannot be a `draft` again.',
  examples: ['published'],
})

const fields = {
  title: Title,
  description: Description,
  price: Price,
  currency: Currency,
  delivery_days: DeliveryDays,
}

export const NewGig = Closed(
  {
    ...fields,
    categories: Type.Optional(Categories),
    sample_media: Type.Optional(SampleMedia),
    status: Type.Optional({ ...Status, default: 'draft' }),
  },
  { title: 'NewGig' },
)
export const ChangeGig = Closed(
  {
    title: Type.Optional(Title),
    description: Type.Optional(Description),
    price: Type.Optional(Price),
    currency: Type.Optional(Currency),
    delivery_days: Type.Optional(DeliveryDays),
    categories: Type.Optional(Categories),
    sample_media: Type.Optional(SampleMedia),
    status: Type.Optional(Status),
  },
  { title: 'ChangeGig', minProperties: 1 },
)

const samplePath = `/api/v1/marketplace/gigs/${exampleId('gig')}/samples/${exampleId('media')}`
const Sample = Type.Object(
  {
    id: idOf('media', 'Id of the file.'),
    kind: Type.Enum(['image', 'gif', 'video'], { type: 'string', description: 'Kind of the file.' }),
    mime: Type.String({ maxLength: 100, description: 'Media type.', examples: ['image/jpeg'] }),
    width: nullable(Count('Width in pixels.', 1600)),
    height: nullable(Count('Height in pixels.', 1200)),
    alt: Type.String({ maxLength: 2000, description: 'Alternative text.', examples: ['A tray of simit.'] }),
    url: Type.String({ maxLength: 200, description: 'Path of the file.', examples: [samplePath] }),
    thumbnail_url: nullable(
      Type.String({
        maxLength: 200,
        description: 'Path of a WebP image of at most 400 by 400 pixels. Null if the file has no such image.',
        examples: [`${samplePath}/thumbnail`],
      }),
    ),
  },
  { title: 'GigSample' },
)

const Rating = {
  rating: nullable(
    Type.Number({
      minimum: 1,
      maximum: 5,
      description: 'Average of the ratings, from 1 to 5. Null without any.',
      examples: [4.8],
    }),
  ),
  rating_count: Count('Number of ratings.', 12),
}
const SellerName = {
  name: Type.String({ maxLength: 80, description: 'Name of the seller.', examples: ['Ada'] }),
  handle: nullable(
    Type.String({
      maxLength: 30,
      description: 'Handle of the signature of the seller. Null without one.',
      examples: ['ada'],
    }),
  ),
}
export const SellerFields = {
  ...SellerName,
  signature: nullable(
    Type.String({
      maxLength: 500,
      description: 'Signature of the seller. Null without one.',
      examples: ['I write for cafés and bakeries.'],
    }),
  ),
  ...Rating,
  completed_orders: Count('Number of completed orders.', 20),
}

const head = {
  id: idOf('gig'),
  slug: Type.String({
    maxLength: 80,
    description: 'Part of the public address. It is made from the first title, and never changes.',
    examples: ['ten-posts-for-your-cafe'],
  }),
  url: Type.String({
    maxLength: 120,
    description: 'Path of the public page.',
    examples: ['/marketplace/gigs/ten-posts-for-your-cafe'],
  }),
  title: Title,
}

export const Gig = Type.Object(
  {
    ...head,
    ...fields,
    categories: Categories,
    sample_media: SampleMedia,
    samples: Type.Array(Sample, { maxItems: 10, description: 'The files of `sample_media`.' }),
    status: Status,
    published_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of the first publication. Null before.' })),
    taken_down_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time since which an instance admin hides the gig. Null otherwise.' }),
    ),
    take_down_reason: nullable(
      Type.String({ maxLength: 500, description: 'Reason for hiding it. Null unless hidden.', examples: ['Spam'] }),
    ),
    archived_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'Time since which the gig is archived. It is not public and cannot be changed. Null otherwise.',
      }),
    ),
    ...Rating,
    seller: Type.Object(SellerFields, { description: 'Seller.' }),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Gig' },
)

export const GigSummary = Type.Object(
  {
    ...head,
    price: Price,
    currency: Currency,
    delivery_days: DeliveryDays,
    categories: Categories,
    sample: nullable(Sample),
    ...Rating,
    seller: Type.Object(SellerName, { description: 'Seller.' }),
    published_at: Time,
  },
  { title: 'GigSummary' },
)

export const OwnGigQuery = Closed({
  ...PageQuery,
  archived: Type.Optional(
    Type.Boolean({ default: false, description: 'Returns archived gigs instead of the others.', examples: [false] }),
  ),
})

export const gigSorts = ['newest', 'price_asc', 'price_desc', 'rating'] as const

export const GigQuery = Closed({
  ...PageQuery,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Returns only gigs whose title, description or categories have words that begin with each of these words. Case and accents are ignored.',
      examples: ['café'],
    }),
  ),
  category: Type.Optional(Line('Returns only gigs of this category', 'social-media', 40)),
  currency: Type.Optional({ ...Currency, description: 'Returns only gigs with this currency (ISO 4217).' }),
  price_min: Type.Optional({
    ...Price,
    minimum: 0,
    description: 'Returns only gigs with this price or a higher one. Needs `currency`.',
    examples: [1],
  }),
  price_max: Type.Optional({
    ...Price,
    minimum: 0,
    description: 'Returns only gigs with this price or a lower one. Needs `currency`.',
    examples: [5000],
  }),
  seller: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 30,
      description: 'Returns only gigs of the seller with this handle.',
      examples: ['ada'],
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...gigSorts], {
      type: 'string',
      default: 'newest',
      description:
        'Order. `newest`: by the first publication. `price_asc`, `price_desc`: by price; they need `currency`. `rating`: best ratings first, where a few count less than many.',
      examples: ['newest'],
    }),
  ),
})

/** A gig by its id or its slug. */
export const gigParams = Closed({
  id: Type.String({ minLength: 1, maxLength: 100, description: 'Id or slug.', examples: [exampleId('gig')] }),
})
