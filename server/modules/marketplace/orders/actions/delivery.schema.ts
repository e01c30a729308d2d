import { Type } from 'typebox'
import { Closed, idOf } from '../../../../lib/http/schema/schema.ts'

export const DeliveryInput = Closed({
  posts: Type.Array(
    Closed(
      {
        post_id: Type.Optional(
          idOf('post', 'Id of a post of your workspace. Its text, links and files are delivered.'),
        ),
        media_id: Type.Optional(idOf('media', 'Id of a file of your workspace.')),
        url: Type.Optional(
          Type.String({ maxLength: 2000, description: 'Link, with `https`.', examples: ['https://example.com/brief'] }),
        ),
      },
      { minProperties: 1, maxProperties: 1, examples: [{ url: 'https://example.com/brief' }] },
    ),
    {
      minItems: 1,
      maxItems: 50,
      description: 'Delivered posts, files and links. Each has one of `post_id`, `media_id` and `url`.',
    },
  ),
  notes: Type.Optional(
    Type.String({ maxLength: 5000, description: 'Notes for the buyer.', examples: ['All ten posts, with captions.'] }),
  ),
})
