import { amount, changed_at, currency, type Entry, type Variable, workspace_name } from './variables.ts'

const payout: Variable[] = [
  workspace_name,
  amount,
  currency,
  { name: 'account', description: 'Masked IBAN of the payout account, or its holder', sample: 'TR••••1326' },
  {
    name: 'page_url',
    description: 'URL of the payouts in the console',
    sample: 'https://meydan.example.com/w/bakery/marketplace/earnings',
  },
]

const order: Variable[] = [
  { name: 'order_title', description: 'Title of the order', sample: 'Ten posts for your café' },
  { name: 'buyer_name', description: 'Name of the workspace that buys', sample: 'Café Moda' },
  { name: 'seller_name', description: 'Name of the seller', sample: 'Deniz Kaya' },
  amount,
  currency,
  { name: 'reason', description: 'Reason that the other side gave; a dash without one', sample: 'I am fully booked.' },
  {
    name: 'deadline',
    description: 'Time that the e-mail is about; a dash without one',
    sample: 'March 8, 2026 at 01:30 PM GMT+3',
  },
  {
    name: 'order_url',
    description: 'URL of the order in the console',
    sample: 'https://meydan.example.com/w/bakery/marketplace/orders/1',
  },
]

/** The variables of a mail about an order: its title, its URL, and these. */
const ofOrder = (...names: string[]) =>
  order.filter(({ name }) => ['order_title', 'order_url', ...names].includes(name))

/** Mails about gigs, payouts and orders. */
export const marketplaceMails = {
  'gig-taken-down': {
    description: 'Informs a seller that an instance admin hides a gig',
    variables: [
      { name: 'gig_title', description: 'Title of the gig', sample: 'Ten posts for your café' },
      { name: 'reason', description: 'Reason for hiding it', sample: 'Copied pictures' },
    ],
  },
  'payout-account-changed': {
    description: 'Informs a seller that the bank account for their payouts has changed',
    variables: [...payout.filter(({ name }) => name !== 'amount' && name !== 'currency'), changed_at],
  },
  'payout-paid': {
    description: 'Informs a seller that a payout was transferred',
    variables: [...payout, { name: 'reference', description: 'Reference of the transfer', sample: 'EFT 4711' }],
  },
  'payout-failed': {
    description: 'Informs a seller that a payout could not be transferred',
    variables: [
      ...payout,
      { name: 'reason', description: 'Reason, as a sentence', sample: 'The IBAN does not belong to the holder.' },
    ],
  },
  'order-created': {
    description: 'Informs a seller that an order was paid',
    variables: ofOrder('buyer_name', 'amount', 'currency', 'deadline'),
  },
  'order-accept-reminder': {
    description: 'Reminds a seller to accept a paid order',
    variables: ofOrder('buyer_name', 'amount', 'currency', 'deadline'),
  },
  'order-accepted': {
    description: 'Informs a buyer that the seller accepted the order',
    variables: ofOrder('seller_name', 'deadline'),
  },
  'order-late': {
    description: 'Informs a seller that a delivery is late',
    variables: ofOrder('buyer_name', 'deadline'),
  },
  'order-delivered': { description: 'Informs a buyer about a delivery', variables: ofOrder('seller_name', 'deadline') },
  'order-completes-soon': {
    description: 'Reminds a buyer that an order completes by itself soon',
    variables: ofOrder('seller_name', 'deadline'),
  },
  'order-revision-requested': {
    description: 'Informs a seller that the buyer requested a revision',
    variables: ofOrder('buyer_name', 'reason', 'deadline'),
  },
  'order-completed': {
    description: 'Informs a seller that an order was completed',
    variables: ofOrder('buyer_name', 'amount', 'currency'),
  },
  'order-settled': {
    description: 'Informs the side that proposed a refund that it was accepted',
    variables: ofOrder('amount', 'currency'),
  },
  'order-canceled': {
    description: 'Informs a side that an order was canceled',
    variables: ofOrder('amount', 'currency', 'reason'),
  },
  'order-proposal': {
    description: 'Asks a side to react to a proposed refund',
    variables: ofOrder('amount', 'currency', 'reason', 'deadline'),
  },
  'order-proposal-rejected': {
    description: 'Informs the side that proposed a refund that it was rejected',
    variables: ofOrder('amount', 'currency'),
  },
  'order-disputed': { description: 'Informs a side that the other opened a dispute', variables: ofOrder('reason') },
  'order-dispute-withdrawn': {
    description: 'Informs a side that the other withdrew the dispute',
    variables: ofOrder('deadline'),
  },
  'order-dispute-resolved': {
    description: 'Informs both sides of the decision of a dispute',
    variables: ofOrder('amount', 'currency', 'reason'),
  },
  'order-message': { description: 'Informs a side about unread messages, once an hour at most', variables: ofOrder() },
  'order-reviewed': { description: 'Informs a side that the review of the other was published', variables: ofOrder() },
} as const satisfies Record<string, Entry>
