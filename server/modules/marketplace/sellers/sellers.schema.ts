import { Type } from 'typebox'
import { Closed, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { GigSummary, SellerFields } from '../gigs/gigs.schema.ts'

const Handle = Type.String({
  minLength: 3,
  maxLength: 30,
  pattern: '^[a-z0-9_]{3,30}$',
  description: 'Handle, which is unique: 3 to 30 small letters, digits and underscores.',
  examples: ['ada'],
})
const Text = Type.String({
  maxLength: 500,
  description: 'Text, which is shown beside the gigs of the user.',
  examples: ['I write for cafés and bakeries.'],
})

export const Signature = Type.Object({ handle: Handle, text: Text, updated_at: Time }, { title: 'Signature' })
export const OwnSignature = Type.Object(
  {
    handle: nullable(Handle),
    text: Text,
    updated_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the last change. Null before the first.' }),
    ),
  },
  { title: 'OwnSignature' },
)
export const ChangeSignature = Closed(
  { handle: Type.Optional(Handle), text: Type.Optional(Text) },
  { title: 'ChangeSignature', minProperties: 1 },
)

export const handleParams = Closed({
  handle: Type.String({ minLength: 1, maxLength: 60, description: 'Handle.', examples: ['ada'] }),
})

export const Seller = Type.Object(
  {
    ...SellerFields,
    gigs: Type.Array(GigSummary, {
      maxItems: 100,
      description: 'Public gigs of the seller, newest first, at most 100. The list of gigs has all of them.',
    }),
  },
  { title: 'Seller' },
)
