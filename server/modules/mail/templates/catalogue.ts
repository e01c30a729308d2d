import { billingMails } from './billing-mails.ts'
import { marketplaceMails } from './marketplace-mails.ts'
import { changed_at, type Entry, type Variable, workspace_name } from './variables.ts'

const common: Variable[] = [
  { name: 'app_name', description: 'Name of this instance', sample: 'Meydan' },
  { name: 'app_url', description: 'URL of this instance', sample: 'https://meydan.example.com' },
  {
    name: 'user_name',
    description: 'Name of the recipient, or the e-mail address if there is no name',
    sample: 'Ada Lovelace',
  },
]
const code = { name: 'code', description: 'Six-digit code', sample: '482913' }
const expires_minutes = { name: 'expires_minutes', description: 'Validity in minutes', sample: '10' }
const accounts_url: Variable = {
  name: 'accounts_url',
  description: 'URL of the accounts in the console',
  sample: 'https://meydan.example.com/w/bakery/accounts',
}
const connectedAccount: Variable[] = [
  workspace_name,
  { name: 'account', description: 'Name of the account in Meydan', sample: 'Bakery' },
  { name: 'network', description: 'Name of its network', sample: 'Example network' },
  accounts_url,
]

const page_url: Variable = {
  name: 'page_url',
  description: 'URL of the subject in the console, or of the notifications',
  sample: 'https://meydan.example.com/notifications',
}
const settings_url: Variable = {
  name: 'settings_url',
  description: 'URL of the page where the user chooses what is mailed',
  sample: 'https://meydan.example.com/profile/notifications',
}

const clientMail: Variable[] = [
  workspace_name,
  { name: 'link_name', description: 'Name of the client link', sample: 'Bakery, March' },
  { name: 'count', description: 'Number of posts that wait', sample: '2' },
  {
    name: 'posts',
    description: 'Beginnings and times of the first posts',
    sample: '“Fresh simit from seven in the morning.” (March 2, 2026 at 09:30 AM GMT+3), “Easter cake”',
  },
  { ...page_url, description: 'Address of the client link', sample: 'https://meydan.example.com/review/1#1kPz' },
]

const failure: Variable[] = [
  workspace_name,
  {
    name: 'endpoint',
    description: 'URL of the webhook, with its description',
    sample: 'https://shop.example.com/hook (Orders)',
  },
  { name: 'event_type', description: 'Event type of the last failed attempt', sample: 'post.published' },
  { name: 'outcome', description: 'Result of the last failed attempt', sample: 'HTTP 503' },
  { name: 'kept_days', description: 'Number of days for which events are kept', sample: '30' },
  {
    name: 'page_url',
    description: "URL of the webhook's page in the console",
    sample: 'https://meydan.example.com/w/bakery/webhooks/1',
  },
]

/** All mails that Meydan sends, with the variables that each has besides the common ones. */
const entries = {
  'signup-otp': {
    description: 'Sends the code that verifies an e-mail address after sign-up',
    variables: [code, expires_minutes],
  },
  'password-reset': {
    description: 'Sends the link to choose a new password',
    variables: [
      {
        name: 'reset_url',
        description: 'URL of the page to choose a new password',
        sample: 'https://meydan.example.com/reset-password?token=example',
      },
      { ...expires_minutes, sample: '60' },
    ],
  },
  'email-change': {
    description: 'Sends the codes that confirm a change of e-mail address, to the current and to the new address',
    variables: [
      code,
      { name: 'new_email', description: 'New e-mail address', sample: 'ada@example.com' },
      { ...expires_minutes, sample: '60' },
    ],
  },
  'email-changed': {
    description: 'Informs the previous address that the e-mail address of a user has changed',
    variables: [{ name: 'new_email', description: 'New e-mail address', sample: 'ada@example.com' }, changed_at],
  },
  'password-changed': { description: 'Informs a user that their password has changed', variables: [changed_at] },
  'two-factor-changed': {
    description: 'Informs a user that two-factor sign-in has changed',
    variables: [
      { name: 'change', description: 'The change, as a sentence', sample: 'Two-factor sign-in is off.' },
      changed_at,
    ],
  },
  invitation: {
    description: 'Invites a person to a workspace',
    variables: [
      workspace_name,
      { name: 'inviter_name', description: 'Name of the user who invites', sample: 'Grace Hopper' },
      { name: 'role', description: 'Role in the workspace', sample: 'editor' },
      {
        name: 'accept_url',
        description: 'URL of the page to accept the invitation',
        sample: 'https://meydan.example.com/invitation?token=example',
      },
      {
        name: 'expires_at',
        description: 'Time at which the invitation expires',
        sample: 'March 8, 2026 at 01:30 PM GMT+3',
      },
    ],
  },
  ...billingMails,
  'network-version-ending': {
    description: 'Tells the instance admins once that a network ends the version of its API that Meydan calls',
    variables: [
      { name: 'network', description: 'Name of the network', sample: 'Example network' },
      { name: 'setting', description: 'Name in NETWORK_VERSIONS', sample: 'network' },
      { name: 'version', description: 'Version in use', sample: '202608' },
      { name: 'served_until', description: 'Day of its end', sample: '2027-08-15' },
      { name: 'status_url', description: 'URL of the status', sample: 'https://meydan.example.com/admin/status' },
    ],
  },
  notifications: {
    description: 'Tells a user about notifications of one kind that they have not read',
    variables: [
      workspace_name,
      { name: 'title', description: 'The first notification', sample: '“Closed on Monday” waits for your approval.' },
      {
        name: 'items',
        description: 'The other notifications, one a line',
        sample: '“Easter cake” waits for your approval.\n“Open at seven” waits for your approval.',
      },
      page_url,
      settings_url,
    ],
  },
  'notification-digest': {
    description: 'Sends a user the notifications of a day that were not mailed at once',
    variables: [
      { name: 'count', description: 'Number of notifications', sample: '3' },
      {
        name: 'items',
        description: 'The notifications, one a line, each with its workspace',
        sample: 'Bakery: “Closed on Monday” was approved.\nBakery: The recurring post “Good morning” is paused.',
      },
      page_url,
      settings_url,
    ],
  },
  'client-request': {
    description: 'Asks the client of a link to approve posts',
    variables: clientMail,
  },
  'client-reminder': {
    description: 'Reminds the client of a link of posts that wait for an approval',
    variables: clientMail,
  },
  'agent-disabled': {
    description: 'Informs owners, and the member for whom an agent acts, that the agent was disabled after failed runs',
    variables: [
      workspace_name,
      { name: 'agent_name', description: 'Name of the agent', sample: 'Bakery voice' },
      {
        name: 'agent_url',
        description: 'URL of the page of the agent',
        sample: 'https://meydan.example.com/w/bakery/agents/01993a4c-2f10-7d4f-90bc-5a29de06b510',
      },
      {
        name: 'reason',
        description: 'Reason of its last failed run, as a sentence',
        sample: 'The AI provider rejected the API key of the model.',
      },
    ],
  },
  'recipe-taken-down': {
    description: 'Informs the creator of a recipe that an instance admin hides it',
    variables: [
      { name: 'recipe_name', description: 'Name of the recipe', sample: 'Dish of the day' },
      { name: 'reason', description: 'Reason for hiding it', sample: 'Copied texts' },
    ],
  },
  'account-disconnected': {
    description: 'Informs owners, admins and editors that a network no longer accepts an account',
    variables: [
      ...connectedAccount,
      { name: 'reason', description: 'Reason of the network', sample: 'The token was revoked.' },
      { name: 'scheduled_posts', description: 'Number of scheduled posts that wait for the account', sample: '3' },
    ],
  },
  'account-ending': {
    description: 'Reminds owners, admins and editors that the sign-in of an account ends soon',
    variables: [
      ...connectedAccount,
      { name: 'ends_at', description: 'Time at which the sign-in ends', sample: 'March 1, 2026 at 01:30 PM GMT+3' },
    ],
  },
  'posts-waiting': {
    description: 'Tells owners, admins and editors once a day which posts of the next 48 hours cannot be published',
    variables: [
      workspace_name,
      { name: 'count', description: 'Number of posts', sample: '3' },
      {
        name: 'posts',
        description: 'Beginnings and times of the first posts',
        sample: '“Fresh simit from seven in the morning.” (March 1, 2026 at 01:30 PM GMT+3)',
      },
      { name: 'accounts', description: 'Accounts that cannot publish', sample: 'Bakery (Example network)' },
      {
        name: 'health_url',
        description: 'URL of the health of accounts in the console',
        sample: 'https://meydan.example.com/w/bakery/accounts/health',
      },
    ],
  },
  'posts-unapproved': {
    description: 'Tells an author and the approvers once that posts were not approved before their time',
    variables: [
      workspace_name,
      { name: 'count', description: 'Number of these posts', sample: '3' },
      {
        name: 'posts',
        description: 'Beginnings and times of the first posts',
        sample: '“Fresh simit from seven in the morning.” (March 1, 2026 at 01:30 PM GMT+3)',
      },
      {
        name: 'page_url',
        description: 'URL of the review page in the console',
        sample: 'https://meydan.example.com/w/bakery/review',
      },
    ],
  },
  'posts-held': {
    description: 'Tells owners, admins and editors once after an outage which posts are held because they were late',
    variables: [
      workspace_name,
      { name: 'count', description: 'Number of held posts', sample: '3' },
      {
        name: 'posts',
        description: 'Beginnings and times of the first posts',
        sample: '“Fresh simit from seven in the morning.” (March 1, 2026 at 01:30 PM GMT+3)',
      },
      {
        name: 'page_url',
        description: 'URL of the held posts in the console',
        sample: 'https://meydan.example.com/w/bakery/posts?held=late',
      },
    ],
  },
  'accounts-paused': {
    description: 'Informs the owners and admins of a workspace that accounts over the limit of the plan were paused',
    variables: [
      workspace_name,
      { name: 'accounts', description: 'Names of the paused accounts', sample: 'Bakery, Bakery in Moda' },
      accounts_url,
    ],
  },
  'post-failed': {
    description: 'Informs the author of a post that it failed',
    variables: [
      workspace_name,
      { name: 'post', description: 'Beginning of the post', sample: '“Fresh simit from seven in the morning.”' },
      { name: 'accounts', description: 'Accounts on which the post failed', sample: 'bakery (Example network)' },
      { name: 'reason', description: 'Reason, as a sentence', sample: 'The account is disconnected.' },
      {
        name: 'scheduled_at',
        description: 'Time at which the post was to be published',
        sample: 'March 1, 2026 at 01:30 PM GMT+3',
      },
      {
        name: 'page_url',
        description: "URL of the post's page in the console",
        sample: 'https://meydan.example.com/w/bakery/posts/1',
      },
    ],
  },
  'posts-failed': {
    description: 'Informs the author of several posts that they failed',
    variables: [
      workspace_name,
      { name: 'count', description: 'Number of posts', sample: '3' },
      {
        name: 'posts',
        description: 'Beginnings of the first posts',
        sample: '“Fresh simit from seven in the morning.”, “Closed on Monday”, “Easter cake”',
      },
      {
        name: 'page_url',
        description: 'URL of the posts in the console',
        sample: 'https://meydan.example.com/w/bakery/posts',
      },
    ],
  },
  ...marketplaceMails,
  'webhook-failing': {
    description: 'Warns the owners of a workspace about a failing webhook',
    variables: [
      ...failure,
      {
        name: 'since',
        description: 'Time since when no delivery has succeeded',
        sample: 'March 1, 2026 at 01:30 PM GMT+3',
      },

      {
        name: 'disabled_from',
        description: 'Time at which the webhook will be disabled',
        sample: 'March 6, 2026 at 01:30 PM GMT+3',
      },
    ],
  },
  'webhook-disabled': {
    description: 'Informs the owners of a workspace that a webhook was disabled',
    variables: [
      ...failure,
      {
        name: 'reason',
        description: 'Reason, as a sentence',
        sample: 'Nothing has reached it since March 1, 2026 at 01:30 PM GMT+3.',
      },
    ],
  },
} as const satisfies Record<string, Entry>

export type MailKey = keyof typeof entries

export const mailKeys = Object.keys(entries) as MailKey[]
const isMailKey = (key: string): key is MailKey => Object.hasOwn(entries, key)

const mailKey = (key: string) => (isMailKey(key) ? key : undefined)
export const describeKey = (key: MailKey) => entries[key].description

/** Variables of the mail with this key; undefined for a key of the operator's own, which accepts any variable. */
export function variablesOf(key: string): readonly Variable[] | undefined {
  const known = mailKey(key)
  return known && [...common, ...entries[known].variables]
}
export const commonVariables: readonly Variable[] = common

/** Mails whose content is only for their recipient: the content is deleted after sending. */
export const confidentialKeys: readonly MailKey[] = [
  'signup-otp',
  'password-reset',
  'email-change',
  'invitation',
  'client-request',
  'client-reminder',
]
