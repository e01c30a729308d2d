import { Type } from 'typebox'
import { PageQuery } from '../../lib/db/page.ts'
import { Closed, Count, exampleId, InputTime, idOf, Line, nullable, Time } from '../../lib/http/schema/schema.ts'

const kinds = ['image', 'gif', 'video', 'document'] as const

const Alt = Type.String({
  maxLength: 2000,
  description: 'Alternative text, which describes the file to people who cannot see it. Empty if it has no such text.',
  examples: ['A tray of simit, fresh from the oven.'],
})
const Name = Line('Name of the file', 'simit.jpg', 200)
const Labels = Type.Array(Line('Label for organizing files', 'spring', 40), {
  maxItems: 20,
  uniqueItems: true,
  examples: [['spring']],
})
const Kind = Type.Enum([...kinds], {
  type: 'string',
  description: 'Kind of the file, as its content shows. `gif`: any animated image.',
})
const Pixels = (description: string, example: number) =>
  nullable(Type.Integer({ minimum: 1, maximum: 1_000_000, description, examples: [example] }))
const Address = (description: string, path: string) =>
  Type.String({ maxLength: 200, description, examples: [`/api/v1/media/${exampleId('media')}/${path}`] })

export const Media = Type.Object(
  {
    id: idOf('media'),
    kind: Kind,
    mime: Type.String({
      maxLength: 100,
      description: 'Media type, as the content of the file shows.',
      examples: ['image/jpeg'],
    }),
    bytes: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Size of the file as it is stored: upright, and without its location.',
      examples: [482_113],
    }),
    width: Pixels('Width in pixels. Null for documents.', 1600),
    height: Pixels('Height in pixels. Null for documents.', 1200),
    duration_s: nullable(
      Type.Number({
        minimum: 0,
        maximum: 10_000_000,
        description: 'Duration in seconds. Null for what does not move.',
        examples: [null],
      }),
    ),
    alt: Alt,
    name: Name,
    labels: Labels,
    sha256: Type.String({
      maxLength: 64,
      description: 'SHA-256 of the file as it was uploaded, in hexadecimal. A workspace has every file once.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    placeholder: nullable(
      Type.String({
        maxLength: 4000,
        description: 'Data URI of a tiny image to show until the file is loaded.',
        examples: ['data:image/webp;base64,UklGRhYAAABXRUJQ'],
      }),
    ),
    url: Address('Path of the file.', 'file'),
    thumbnail_url: nullable(
      Address('Path of a WebP image of at most 400 by 400 pixels. Null if the file has no such image.', 'thumbnail'),
    ),
    uploaded_by_id: nullable(idOf('user', 'Id of the user who uploaded it. Null if that user no longer exists.')),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Media' },
)

/** Fields of an upload besides its file. */
export const UploadFields = {
  alt: Type.Optional(Alt),
  name: Type.Optional(Name),
  labels: Type.Optional(Labels),
}

/** A multipart form, which the handler reads itself. */
export const Upload = Closed(
  {
    file: Type.Unsafe<never>(
      Type.String({
        format: 'binary',
        maxLength: 2_000_000_000,
        description: 'The file. Its name is kept unless `name` is given. Its type is taken from its content.',
        examples: ['(bytes)'],
      }),
    ),
    ...UploadFields,
  },
  { title: 'Upload' },
)

export const ImportMedia = Closed(
  {
    url: Type.String({
      maxLength: 2000,
      description: 'Address of the file on the public internet. Redirects are not followed.',
      examples: ['https://files.example.com/simit.jpg'],
    }),
    ...UploadFields,
  },
  { title: 'ImportMedia' },
)

/** Largest side of an image in pixels. */
const MAX_SIDE = 100_000
const Side = (description: string, example: number) =>
  Type.Integer({ minimum: 1, maximum: MAX_SIDE, description, examples: [example] })
const Corner = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: MAX_SIDE, description, examples: [example] })

export const CropMedia = Closed(
  {
    x: Corner('Pixels between the left edge of the image and the part.', 0),
    y: Corner('Pixels between the top edge of the image and the part.', 0),
    width: Side('Width of the part in pixels.', 1200),
    height: Side('Height of the part in pixels.', 1200),
    rotate: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 270,
        multipleOf: 90,
        default: 0,
        description:
          'Degrees by which the image is turned clockwise first: 0, 90, 180 or 270. The other fields then apply to the turned image.',
        examples: [0],
      }),
    ),
  },
  { title: 'CropMedia' },
)

export const ChangeMedia = Closed(UploadFields, { title: 'ChangeMedia', minProperties: 1 })

export const MediaQuery = Closed({
  ...PageQuery,
  kind: Type.Optional(
    Type.Enum([...kinds], { type: 'string', description: 'Returns only files of this kind.', examples: ['image'] }),
  ),
  label: Type.Optional(Line('Returns only files with exactly this label', 'spring', 40)),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Returns only files whose name, alternative text or labels contain each of these words, anywhere and in any order. Case and accents are ignored.',
      examples: ['simit'],
    }),
  ),
})

export const DeletedMedia = Type.Object(
  {
    id: Media.properties.id,
    kind: Kind,
    name: Name,
    bytes: Media.properties.bytes,
    placeholder: Media.properties.placeholder,
    uploaded_by_id: Media.properties.uploaded_by_id,
    deleted_at: Time,
  },
  { title: 'DeletedMedia' },
)
export const DeletedMediaQuery = Closed({
  ...PageQuery,
  since: Type.Optional(
    Type.Unsafe<string>({
      ...InputTime,
      description: 'Returns only files deleted at or after this time. Defaults to all that can be restored.',
    }),
  ),
})

export const DeleteMediaQuery = Closed({
  permanent: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Erases the file at once, also one that was deleted before. It cannot be restored.',
    }),
  ),
})

export const MediaUses = Type.Object(
  {
    post_ids: Type.Array(idOf('post'), { maxItems: 100, description: 'Ids of posts that have the file, at most 100.' }),
    approved_posts: Count(
      'Approved posts that have the file and are not published. They are put in review again when the alternative text of the file changes, or the name of a document.',
      2,
    ),
    recurring_post_ids: Type.Array(idOf('recurring_post'), {
      maxItems: 100,
      description: 'Ids of recurring posts that have the file, at most 100.',
    }),
    gig_ids: Type.Array(idOf('gig'), { maxItems: 100, description: 'Ids of gigs that show the file, at most 100.' }),
    order_ids: Type.Array(idOf('order'), {
      maxItems: 100,
      description: 'Ids of orders whose delivery or messages have the file, at most 100.',
    }),
  },
  { title: 'MediaUses' },
)
