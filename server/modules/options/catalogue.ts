import { invalid } from '../../errors.ts'
import type { Tx } from '../../lib/db/database.ts'
import { namePattern } from '../../lib/http/schema/schema.ts'
import { parseBackupSchedule } from './backup-schedule.ts'
import { parseNetworkPrices, pricedUnits } from './network-prices.ts'
import {
  asSetting,
  choice,
  credential,
  flag,
  type Input,
  identifier,
  integer,
  lines,
  type Plain,
  parseApiKey,
  refuse,
  type Secret,
  textOf,
} from './option-types.ts'

/** The providers of AI models, in the order of their types in the database. */
export const providers = ['openai', 'anthropic', 'google', 'xai', 'mistral', 'ollama', 'custom'] as const
export type Provider = (typeof providers)[number]

const line = new RegExp(namePattern, 'u')

/** All options whose value is not secret. */
export const plain = {
  'app.name': {
    group: 'general',
    type: 'string',
    description: 'Name of this instance in its e-mails.',
    default: 'Meydan',
    parse: (value: Input) => {
      const name = textOf(value, 60)
      return line.test(name)
        ? name
        : refuse(
            'This must be one line of visible text, without control characters or characters that change the text direction.',
          )
    },
  } as Plain<string>,
  'app.contact': lines({
    group: 'general',
    description: 'Name and address of the operator of this instance, one line each. Shown on its privacy page.',
    default: '',
  }),
  'networks.prices': {
    group: 'general',
    type: 'string',
    description: `Prices of networks in US dollars in place of those that Meydan knows, such as id.post=0.015, id.post_with_link=0.2, by the id of the network. Prices: ${pricedUnits.join(', ')}.`,
    default: '',
    parse: (value: Input) => {
      const prices = textOf(value, 1000).trim()
      return parseNetworkPrices(prices)
        ? prices
        : refuse(
            `This must be pairs such as id.post=0.015, in US dollars and separated by commas. The prices are: ${pricedUnits.join(', ')}.`,
          )
    },
  } as Plain<string>,
  'posts.publish_late_minutes': integer({
    group: 'general',
    description:
      'Minutes of an outage after which posts that were due are held until a member decides. After shorter ones they go out late.',
    default: 60,
    min: 0,
    max: 10_080,
  }),
  'backup.schedule': {
    group: 'backup',
    type: 'string',
    description:
      'Time of day of the daily backup with its time zone, such as 03:30 Europe/Istanbul. Empty: no daily backup.',
    default: '',
    parse: (value: Input) => {
      const schedule = textOf(value, 80).trim()
      return parseBackupSchedule(schedule)
        ? schedule
        : refuse('This must be a time of day and a time zone, such as 03:30 Europe/Istanbul.')
    },
  } as Plain<string>,
  'backup.keep': integer({
    group: 'backup',
    description: 'Number of verified backups that are kept. Older ones are removed after a newer one was verified.',
    default: 7,
    min: 1,
    max: 1000,
  }),
  'history.archive_after_days': {
    group: 'general',
    type: 'integer',
    description:
      'Days after which events and delivery attempts of webhooks move from the database to the storage: 7 to 30. With 0 nothing is archived, and they are deleted after 30 days.',
    default: 0,
    parse: (value: Input) =>
      typeof value === 'number' && Number.isInteger(value) && (value === 0 || (value >= 7 && value <= 30))
        ? value
        : refuse('This must be 0, or a whole number from 7 to 30.'),
  } as Plain<number>,
  'auth.sign_up': choice({
    group: 'sign_in',
    description: 'Sign-up policy: open (anyone), invitation (invited addresses only) or closed (nobody).',
    values: ['open', 'invitation', 'closed'],
    default: 'open',
    environment: 'SIGN_UP',
  }),
  'tokens.scopes_required': flag({
    group: 'sign_in',
    description: 'Require scopes for new API tokens.',
    default: false,
    environment: 'API_TOKEN_SCOPES_REQUIRED',
  }),
  'mail.from': {
    group: 'mail',
    type: 'string',
    description: 'Sender of e-mails, such as Meydan <post@example.com>.',
    default: 'Meydan <meydan@localhost>',
    environment: 'MAIL_FROM',
    parse: asSetting('MAIL_FROM', 320),
  } as Plain<string>,
  'ai.default_provider': choice({
    group: 'ai',
    description:
      'Default AI provider. Its global API key is used for its models without an API key, and its models are preferred.',
    values: providers,
    default: 'openai',
  }),
  'ai.agents_auto_from_start': flag({
    group: 'ai',
    description:
      'Let agents publish alone from the start. Otherwise members approve ten posts in a row of an agent first.',
    default: false,
  }),
  'billing.enabled': flag({
    group: 'billing',
    description: 'Apply plans to workspaces. If off, there are no limits and every feature is included.',
    default: false,
  }),
  'billing.default_plan': {
    group: 'billing',
    type: 'string',
    description: 'Code of the plan of workspaces without a subscription.',
    default: 'free',
    parse: (value: Input) => textOf(value, 40),
    // Locked in share mode, so that the plan is not archived before this commits.
    check: async (tx: Tx, code: string) => {
      const plan = await tx
        .selectFrom('plan')
        .select('code')
        .where('code', '=', code)
        .where('is_active', '=', true)
        .forShare()
        .executeTakeFirst()
      if (!plan) throw invalid('/value', 'There is no active plan with this code.')
    },
  } as Plain<string>,
  'billing.provider': choice({
    group: 'billing',
    description: 'Payment provider for new subscriptions. Running subscriptions stay with theirs.',
    values: ['manual', 'stripe', 'iyzico', 'paytr'],
    default: 'manual',
    environment: 'BILLING_PROVIDER',
  }),
  'billing.grace_days': integer({
    group: 'billing',
    description: 'Days for which a subscription stays in force after a payment failed.',
    default: 21,
    min: 0,
    max: 90,
    environment: 'BILLING_GRACE_DAYS',
  }),
  'billing.vat_percent': integer({
    group: 'billing',
    description: 'VAT in percent that the prices of plans include. Shown on invoices.',
    default: 20,
    min: 0,
    max: 50,
    environment: 'BILLING_VAT_PERCENT',
  }),
  'billing.seller': lines({
    group: 'billing',
    description: 'Seller on invoices, one line each: name, address, tax office, tax number.',
    default: '',
  }),
  'billing.invoice_prefix': {
    group: 'billing',
    type: 'string',
    description: 'Prefix of invoice numbers: three letters or digits.',
    default: 'MYD',
    parse: (value: Input) => {
      const prefix = textOf(value, 3)
      return /^[A-Z0-9]{3}$/.test(prefix) ? prefix : refuse('This must be three capital letters or digits.')
    },
  } as Plain<string>,
  'billing.manual_instructions': lines({
    group: 'billing',
    description:
      'How to pay a payment request, such as a bank account. A line such as `IBAN: TR33 …` is shown with a button that copies what is behind the colon.',
    default: '',
  }),
  'iyzico.merchant_id': identifier({
    group: 'billing',
    description: 'Merchant number of the iyzico account. Part of the signature of its webhooks.',
    environment: 'IYZICO_MERCHANT_ID',
  }),
  'paytr.merchant_id': identifier({
    group: 'billing',
    description: 'Merchant number of the PayTR account.',
    environment: 'PAYTR_MERCHANT_ID',
  }),
  'paytr.test_mode': flag({
    group: 'billing',
    description: 'Make test payments at PayTR, without money.',
    default: false,
    environment: 'PAYTR_TEST_MODE',
  }),
  'marketplace.fee_bps': integer({
    group: 'marketplace',
    description: 'Fee of this instance in basis points of the price, such as 1000 for 10 %. Applies to new orders.',
    default: 1000,
    min: 0,
    max: 10_000,
  }),
  'marketplace.accept_days': integer({
    group: 'marketplace',
    description: 'Days in which a seller accepts a paid order. It is canceled and refunded afterwards.',
    default: 3,
    min: 1,
    max: 30,
  }),
  'marketplace.auto_complete_days': integer({
    group: 'marketplace',
    description:
      'Days after the last delivery in which the buyer completes the order. It completes by itself afterwards.',
    default: 7,
    min: 1,
    max: 60,
  }),
  'marketplace.clearance_days': integer({
    group: 'marketplace',
    description: 'Days after completion before the seller can request the payout.',
    default: 14,
    min: 0,
    max: 90,
  }),
  'marketplace.dispute_days': integer({
    group: 'marketplace',
    description:
      'Days after the completion in which the buyer can open a dispute, which holds the payout of the seller. 0: never.',
    default: 7,
    min: 0,
    max: 90,
  }),
  'marketplace.revisions': integer({
    group: 'marketplace',
    description: 'Revisions that a buyer can request. Applies to new orders.',
    default: 2,
    min: 0,
    max: 20,
  }),
  'marketplace.payout_min': integer({
    group: 'marketplace',
    description: 'Smallest payout in Turkish lira, in whole units.',
    default: 100,
    min: 1,
    max: 100_000,
  }),
  'marketplace.payout_min_usd': integer({
    group: 'marketplace',
    description: 'Smallest payout in US dollars, in whole units.',
    default: 10,
    min: 1,
    max: 100_000,
  }),
}

const providerNames: Record<Provider, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  xai: 'xAI',
  mistral: 'Mistral',
  ollama: 'Ollama',
  custom: 'the custom provider',
}

type ProviderKey = `${Provider}_api_key`

const providerKey = (provider: Provider): [ProviderKey, Secret] => [
  `${provider}_api_key`,
  {
    group: 'ai',
    description: `Global API key for models of ${providerNames[provider]} without an API key, used while it is the default provider.`,
    parse: (value) => parseApiKey(value),
  },
]

/** All options whose value is sealed and never shown. */
export const secrets = {
  'mail.smtp_url': {
    group: 'mail',
    description:
      'Mail server, such as smtp://user:password@mail.example.com:587. Without one, e-mails stay in the outbox.',
    environment: 'SMTP_URL',
    parse: asSetting('SMTP_URL', 2000) as (value: Input) => string,
  } as Secret,
  ...(Object.fromEntries(providers.map(providerKey)) as Record<ProviderKey, Secret>),
  'stripe.secret_key': credential('STRIPE_SECRET_KEY', 'Secret key of the Stripe account.'),
  'stripe.webhook_secret': credential('STRIPE_WEBHOOK_SECRET', 'Signing secret of the webhook endpoint at Stripe.'),
  'iyzico.api_key': credential('IYZICO_API_KEY', 'API key of the iyzico account.'),
  'iyzico.secret_key': credential('IYZICO_SECRET_KEY', 'Secret key of the iyzico account.'),
  'paytr.merchant_key': credential('PAYTR_MERCHANT_KEY', 'Merchant key of the PayTR account.'),
  'paytr.merchant_salt': credential('PAYTR_MERCHANT_SALT', 'Merchant salt of the PayTR account.'),
}

export type Values = { [K in keyof typeof plain]: ReturnType<(typeof plain)[K]['parse']> }
type ModelKey = `ai-model-${number}_api-key`
export type SecretKey = keyof typeof secrets | ModelKey

/** The option that stores the own key of an AI model. */
export const keyOfModel = (id: number): ModelKey => `ai-model-${id}_api-key`

/** The id of the model whose key this option stores. */
export function modelOfKey(key: string) {
  const id = Number(/^ai-model-([1-9]\d{0,9})_api-key$/.exec(key)?.[1])
  return id <= 2_147_483_647 ? id : undefined
}

const modelSecret: Secret = {
  group: 'ai',
  description: 'API key of this AI model.',
  parse: (value) => parseApiKey(value),
}

const isPlain = (key: string): key is keyof typeof plain => Object.hasOwn(plain, key)
export const plainOf = (key: string) => (isPlain(key) ? (plain[key] as unknown as Plain) : undefined)
/** Does not check whether the model of a model key exists. */
export const secretOf = (key: string): Secret | undefined =>
  Object.hasOwn(secrets, key)
    ? secrets[key as keyof typeof secrets]
    : modelOfKey(key) === undefined
      ? undefined
      : modelSecret

/** Display order of the options. */
export const order = [
  'app.name',
  'app.contact',
  'networks.prices',
  'posts.publish_late_minutes',
  'backup.schedule',
  'backup.keep',
  'history.archive_after_days',
  'auth.sign_up',
  'tokens.scopes_required',
  'mail.smtp_url',
  'mail.from',
  'ai.default_provider',
  ...providers.map((provider): ProviderKey => `${provider}_api_key`),
  'ai.agents_auto_from_start',
  'billing.enabled',
  'billing.default_plan',
  'billing.provider',
  'billing.grace_days',
  'billing.vat_percent',
  'billing.seller',
  'billing.invoice_prefix',
  'billing.manual_instructions',
  'stripe.secret_key',
  'stripe.webhook_secret',
  'iyzico.api_key',
  'iyzico.secret_key',
  'iyzico.merchant_id',
  'paytr.merchant_id',
  'paytr.merchant_key',
  'paytr.merchant_salt',
  'paytr.test_mode',
  'marketplace.fee_bps',
  'marketplace.revisions',
  'marketplace.accept_days',
  'marketplace.auto_complete_days',
  'marketplace.dispute_days',
  'marketplace.clearance_days',
  'marketplace.payout_min',
  'marketplace.payout_min_usd',
] as const satisfies (keyof Values | SecretKey)[]
