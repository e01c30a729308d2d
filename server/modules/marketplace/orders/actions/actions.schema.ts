import { Type } from 'typebox'
import { Closed, idOf } from '../../../../lib/http/schema/schema.ts'
import { Money } from '../../../../lib/money.ts'
import { Reason } from '../record/order-view.schema.ts'

export const CancelInput = Closed({
  reason: Reason('Reason of the cancellation. The other side sees it.', 'I am fully booked.', 1000),
})
export const RequirementsInput = Closed({
  requirements: Reason('Information that the seller needs.', 'Our café opens at seven. Use the images of the terrace.'),
})
export const RevisionInput = Closed({
  reason: Reason('Changes that the buyer wants.', 'The second picture shows our old shop.'),
})

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

export const ProposalInput = Closed({
  refund_amount: Money('Amount that the buyer gets back: above 0, and at most the price. All of it cancels the order'),
  reason: Reason('Reason of the proposal.', 'Only half of the posts were delivered.', 1000),
})

export const proposalParams = Closed({ id: idOf('order'), proposal_id: idOf('proposal', 'Id of the proposal.') })
