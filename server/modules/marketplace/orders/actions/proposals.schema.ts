import { Closed, idOf } from '../../../../lib/http/schema/schema.ts'
import { Money } from '../../../../lib/money.ts'
import { Reason } from '../record/order-view.schema.ts'

export const ProposalInput = Closed({
  refund_amount: Money('Amount that the buyer gets back: above 0, and at most the price. All of it cancels the order'),
  reason: Reason('Reason of the proposal.', 'Only half of the posts were delivered.', 1000),
})

export const proposalParams = Closed({ id: idOf('order'), proposal_id: idOf('proposal', 'Id of the proposal.') })
