/** A value that a mail is written with. */
export type Variable = { name: string; description: string; sample: string }

const common: Variable[] = [
  { name: 'app_name', description: 'What this Meydan is called', sample: 'Meydan' },
  { name: 'app_url', description: 'Its address', sample: 'https://meydan.example.com' },
  { name: 'user_name', description: 'Name of the recipient, else the address', sample: 'Ada Lovelace' },
]
const workspace_name = { name: 'workspace_name', description: 'Name of the workspace', sample: 'Bakery at the Corner' }
const code = { name: 'code', description: 'The six digits', sample: '482913' }
const expires_minutes = { name: 'expires_minutes', description: 'For how many minutes it is good', sample: '10' }
const plan_name = { name: 'plan_name', description: 'Name of the plan', sample: 'Pro' }
const amount = {
  name: 'amount',
  description: 'What is paid, as it is written in the language of the mail',
  sample: '499.00',
}
const currency = { name: 'currency', description: 'Currency of the amount', sample: 'TRY' }
const changed_at = { name: 'changed_at', description: 'When it was changed', sample: 'March 1, 2026 at 01:30 PM UTC' }
const failure: Variable[] = [
  workspace_name,
  {
    name: 'endpoint',
    description: 'Address of the webhook, with its description',
    sample: 'https://shop.example.com/hook (Orders)',
  },
  { name: 'event_type', description: 'Type of the event that failed last', sample: 'post.published' },
  { name: 'outcome', description: 'How that attempt ended', sample: 'HTTP 503' },
  { name: 'kept_days', description: 'For how many days its events are kept', sample: '30' },
  {
    name: 'page_url',
    description: 'Address of the page of the webhook',
    sample: 'https://meydan.example.com/w/bakery/webhooks/1',
  },
]

type Entry = { description: string; variables: Variable[] }

/** Every mail that Meydan writes, and what each is written with besides what all have. */
const entries = {
  'signup-otp': {
    description: 'The code that verifies the address of who signs up',
    variables: [code, expires_minutes],
  },
  'password-reset': {
    description: 'The link to choose a new password',
    variables: [
      {
        name: 'reset_url',
        description: 'Where a new password is chosen',
        sample: 'https://meydan.example.com/reset-password?token=example',
      },
      { ...expires_minutes, sample: '60' },
    ],
  },
  'email-change': {
    description: 'The codes that change an address, to the former and to the new one',
    variables: [
      code,
      { name: 'new_email', description: 'The address that it is to become', sample: 'ada@example.com' },
      { ...expires_minutes, sample: '60' },
    ],
  },
  'email-changed': {
    description: 'Told to the former address when the address of an account has changed',
    variables: [
      { name: 'new_email', description: 'The address that counts now', sample: 'ada@example.com' },
      changed_at,
    ],
  },
  'password-changed': { description: 'Told when the password of an account has changed', variables: [changed_at] },
  'two-factor-changed': {
    description: 'Told when two-factor sign-in was switched on or off',
    variables: [
      { name: 'change', description: 'What has happened, as a sentence', sample: 'Two-factor sign-in is off.' },
      changed_at,
    ],
  },
  invitation: {
    description: 'Invites somebody to a workspace',
    variables: [
      workspace_name,
      { name: 'inviter_name', description: 'Who invites', sample: 'Grace Hopper' },
      { name: 'role', description: 'The role that it gives', sample: 'editor' },
      {
        name: 'accept_url',
        description: 'Where it is accepted',
        sample: 'https://meydan.example.com/invitation?token=example',
      },
      { name: 'expires_at', description: 'Until when it is good', sample: 'March 8, 2026 at 01:30 PM GMT+3' },
    ],
  },
  'billing-receipt': {
    description: 'Tells that an invoice was paid',
    variables: [
      workspace_name,
      plan_name,
      amount,
      currency,
      { name: 'invoice_number', description: 'Number of the invoice', sample: '2026-000042' },
      {
        name: 'invoice_url',
        description: 'Where the invoice is shown',
        sample: 'https://meydan.example.com/w/bakery/invoices/1',
      },
    ],
  },
  'billing-failed': {
    description: 'Tells that a payment failed',
    variables: [
      workspace_name,
      plan_name,
      amount,
      currency,
      { name: 'pay_url', description: 'Where it can be paid', sample: 'https://meydan.example.com/w/bakery/billing' },
      { name: 'deadline', description: 'Until when the plan stays as it is', sample: 'March 22, 2026' },
    ],
  },
  'webhook-failing': {
    description: 'Warns the owners of a workspace of a webhook that fails',
    variables: [
      ...failure,
      { name: 'since', description: 'When it succeeded last', sample: 'March 1, 2026 at 01:30 PM GMT+3' },

      { name: 'disabled_from', description: 'When the webhook is disabled', sample: 'March 6, 2026 at 01:30 PM GMT+3' },
    ],
  },
  'webhook-disabled': {
    description: 'Tells the owners of a workspace that a webhook was disabled',
    variables: [
      ...failure,
      {
        name: 'reason',
        description: 'Why, as a sentence',
        sample: 'Nothing has reached it since March 1, 2026 at 01:30 PM GMT+3.',
      },
    ],
  },
} as const satisfies Record<string, Entry>

export type MailKey = keyof typeof entries

export const mailKeys = Object.keys(entries) as MailKey[]
const isMailKey = (key: string): key is MailKey => Object.hasOwn(entries, key)

export const mailKey = (key: string) => (isMailKey(key) ? key : undefined)
export const describeKey = (key: MailKey) => entries[key].description

/** What a mail with this key may be written with; undefined for a key of the operator's own, which takes anything. */
export function variablesOf(key: string): readonly Variable[] | undefined {
  const known = mailKey(key)
  return known && [...common, ...entries[known].variables]
}
export const commonVariables: readonly Variable[] = common

/** Mails that carry what is for their recipient alone: what they say is not kept once they were sent. */
export const confidentialKeys: readonly MailKey[] = ['signup-otp', 'password-reset', 'email-change', 'invitation']
