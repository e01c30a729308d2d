import { amount, currency, type Entry, type Variable, workspace_name } from './variables.ts'

const plan_name = { name: 'plan_name', description: 'Name of the plan', sample: 'Pro' }
const payment: Variable[] = [workspace_name, plan_name, amount, currency]
const openPayment: Variable[] = [
  ...payment,
  { name: 'pay_url', description: 'URL of the page to pay', sample: 'https://meydan.example.com/w/bakery/billing' },
  { name: 'deadline', description: 'Date until which the plan stays active', sample: 'March 22, 2026' },
]

/** Mails about payments of plans, and to the instance admins about payments and the ledger. */
export const billingMails = {
  'billing-receipt': {
    description: 'Confirms that an invoice was paid',
    variables: [
      ...payment,
      { name: 'invoice_number', description: 'Number of the invoice', sample: 'MYD-2026-000042' },
      {
        name: 'invoice_url',
        description: 'URL of the invoice',
        sample: 'https://meydan.example.com/w/bakery/billing/invoices/1',
      },
    ],
  },
  'billing-failed': {
    description: 'Informs the owners of a workspace that a payment failed',
    variables: openPayment,
  },
  'billing-renewal': {
    description: 'Asks the owners and admins of a workspace to pay the next period',
    variables: openPayment,
  },
  'billing-trial-ending': {
    description: 'Informs the owners and admins of a workspace that its trial ends soon',
    variables: openPayment,
  },
  'billing-ended': {
    description: 'Informs the owners and admins of a workspace that its subscription ended',
    variables: openPayment,
  },
  'payment-requested': {
    description: 'Tells the instance admins that a workspace pays by a transfer, which they confirm',
    variables: [
      workspace_name,
      { name: 'item', description: 'Name of the plan, or title of the gig', sample: 'Pro' },
      amount,
      currency,
      {
        name: 'requests_url',
        description: 'URL of the payment requests in the console',
        sample: 'https://meydan.example.com/admin/billing/payment-requests',
      },
    ],
  },
  'ledger-check-failed': {
    description: 'Tells the instance admins that the nightly check of the ledger found problems',
    variables: [
      { name: 'count', description: 'Number of problems', sample: '1' },
      {
        name: 'problem',
        description: 'The first problem, in English',
        sample: 'The balance of account seller_earnings is 29990 TRY, and its entries sum to 0.',
      },
      {
        name: 'ledger_url',
        description: 'URL of the ledger check in the console',
        sample: 'https://meydan.example.com/admin/ledger',
      },
    ],
  },
} as const satisfies Record<string, Entry>
