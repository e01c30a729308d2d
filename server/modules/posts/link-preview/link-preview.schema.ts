import { Type } from 'typebox'
import { Closed, nullable } from '../../../lib/http/schema/schema.ts'

export const LinkPreviewQuery = Closed({
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '^https?://',
    description: 'Address of the page.',
    examples: ['https://example.com/bakery'],
  }),
})

const LinkCard = Type.Object(
  {
    title: Type.String({ maxLength: 300, description: 'Title of the page.', examples: ['Simit & tea'] }),
    description: Type.String({
      maxLength: 1000,
      description: 'Description that the page gives of itself. Empty if it gives none.',
      examples: ['Fresh from seven in the morning.'],
    }),
    image: nullable(
      Type.String({
        maxLength: 200_000,
        description: 'Image of the page as a `data:` URL of a small WebP. Null if it has none that can be read.',
        examples: ['data:image/webp;base64,UklGRgAAAABXRUJQ'],
      }),
    ),
  },
  { title: 'LinkCard', description: 'Null if the page cannot be read, or its address is not allowed.' },
)

export const LinkPreview = Type.Object({ card: nullable(LinkCard) }, { title: 'LinkPreview' })
