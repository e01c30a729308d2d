import { type Config, keys } from '../../config.ts'
import { invalid } from '../../errors.ts'
import type { Tx } from '../../lib/database.ts'
import { namePattern } from '../../lib/schema.ts'

/** The vendors of AI models, in the order of their types in the database. */
export const providers = ['openai', 'anthropic', 'google', 'xai', 'mistral', 'ollama', 'custom'] as const
export type Provider = (typeof providers)[number]

export const groups = ['general', 'sign_in', 'mail', 'ai', 'billing'] as const
export const types = ['boolean', 'integer', 'string', 'enum', 'secret'] as const
/** What an option is set to on the API. */
export type Input = string | number | boolean

type About = {
  group: (typeof groups)[number]
  description: string
  /** The setting of the environment that counts while there is no override. */
  environment?: keyof typeof keys
}

/** An option with a value that may be shown. `parse` throws 400. */
export type Plain<T extends Input = Input> = About & {
  type: Exclude<(typeof types)[number], 'secret'>
  default: T
  values?: readonly string[]
  parse: (value: Input) => T
  /** Throws when the value does not fit what is in the database, and locks what it must fit. */
  check?: (tx: Tx, value: T) => Promise<unknown>
}

export type Secret = About & { parse: (value: Input) => string }

const refuse = (message: string): never => {
  throw invalid('/value', message)
}

const flag = (about: About & { default: boolean }): Plain<boolean> => ({
  ...about,
  type: 'boolean',
  parse: (value) => (typeof value === 'boolean' ? value : refuse('This must be true or false.')),
})

const choice = <T extends string>(about: About & { values: readonly T[]; default: T }): Plain<T> => ({
  ...about,
  type: 'enum',
  parse: (value) =>
    about.values.find((candidate) => candidate === value) ?? refuse(`This must be one of: ${about.values.join(', ')}.`),
})

const textOf = (value: Input, most: number) => {
  if (typeof value !== 'string') return refuse('This must be text.')
  if (value === '') return refuse('This must not be empty. The default comes back when the option is reset.')
  return [...value].length <= most ? value : refuse(`This takes at most ${most} characters.`)
}

/** Text as the setting of the environment that it overrides reads it. */
const asSetting = (name: 'SMTP_URL' | 'MAIL_FROM', most: number) => (value: Input) => {
  const text = textOf(value, most).trim()
  try {
    return keys[name].parse(text)
  } catch (error) {
    return refuse(`This ${error instanceof Error ? error.message : 'cannot be used'}.`)
  }
}

const MOST_KEY = 2000

/** A key of a vendor as it goes into a header: what was pasted, without blanks around it. */
export const parseApiKey = (value: Input, pointer = '/value') => {
  const key = typeof value === 'string' ? value.trim() : ''
  if (key.length > MOST_KEY) throw invalid(pointer, `This takes at most ${MOST_KEY} characters.`, 'too_long')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw invalid(pointer, 'This must be a key: letters, digits and signs without blanks.')
  return key
}

const line = new RegExp(namePattern, 'u')

/** Every option with a value that may be shown. */
export const plain = {
  'app.name': {
    group: 'general',
    type: 'string',
    description: 'The name of this instance in its mails.',
    default: 'Meydan',
    parse: (value: Input) => {
      const name = textOf(value, 60)
      return line.test(name)
        ? name
        : refuse('This must be one line that can be read, without characters that control it or change its direction.')
    },
  } as Plain<string>,
  'auth.sign_up': choice({
    group: 'sign_in',
    description: 'Who may sign up: everybody, only who was invited, or nobody.',
    values: ['open', 'invitation', 'closed'],
    default: 'open',
    environment: 'SIGN_UP',
  }),
  'tokens.scopes_required': flag({
    group: 'sign_in',
    description: 'Whether a new API token must name its scopes.',
    default: false,
    environment: 'API_TOKEN_SCOPES_REQUIRED',
  }),
  'mail.from': {
    group: 'mail',
    type: 'string',
    description: 'Sender of mails, such as Meydan <post@example.com>.',
    default: 'Meydan <meydan@localhost>',
    environment: 'MAIL_FROM',
    parse: asSetting('MAIL_FROM', 320),
  } as Plain<string>,
  'ai.default_provider': choice({
    group: 'ai',
    description: 'The vendor whose key serves its models that have none of their own, and whose models come first.',
    values: providers,
    default: 'openai',
  }),
  'billing.enabled': flag({
    group: 'billing',
    description: 'Whether workspaces live by plans. Off: no limits, and everything is included.',
    default: false,
  }),
  'billing.default_plan': {
    group: 'billing',
    type: 'string',
    description: 'The plan of a workspace without a subscription.',
    default: 'free',
    parse: (value: Input) => textOf(value, 40),
    // Shared, so that it is not archived before this commits.
    check: async (tx: Tx, code: string) => {
      const found = await tx
        .selectFrom('plan')
        .select('code')
        .where('code', '=', code)
        .where('is_active', '=', true)
        .forShare()
        .executeTakeFirst()
      if (!found) throw invalid('/value', 'There is no active plan with this code.')
    },
  } as Plain<string>,
}

const vendorNames: Record<Provider, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  xai: 'xAI',
  mistral: 'Mistral',
  ollama: 'Ollama',
  custom: 'the custom vendor',
}

type VendorKey = `${Provider}_api_key`

const vendorKey = (provider: Provider): [VendorKey, Secret] => [
  `${provider}_api_key`,
  {
    group: 'ai',
    description: `Key for models of ${vendorNames[provider]} that have none of their own, while it is the default vendor.`,
    parse: (value) => parseApiKey(value),
  },
]

/** Every option whose value is sealed and never shown. */
export const secrets = {
  'mail.smtp_url': {
    group: 'mail',
    description:
      'Mail server, such as smtp://user:password@mail.example.com:587. Without one, mail stays in the outbox.',
    environment: 'SMTP_URL',
    parse: asSetting('SMTP_URL', 2000) as (value: Input) => string,
  } as Secret,
  ...(Object.fromEntries(providers.map(vendorKey)) as Record<VendorKey, Secret>),
}

export type Values = { [K in keyof typeof plain]: ReturnType<(typeof plain)[K]['parse']> }
export type ModelKey = `ai-model-${number}_api-key`
export type SecretKey = keyof typeof secrets | ModelKey

/** The option that keeps the own key of an AI model. */
export const keyOfModel = (id: number): ModelKey => `ai-model-${id}_api-key`

/** The model whose key this option keeps. */
export function modelOfKey(key: string) {
  const id = Number(/^ai-model-([1-9]\d{0,9})_api-key$/.exec(key)?.[1])
  return id <= 2_147_483_647 ? id : undefined
}

const modelSecret: Secret = {
  group: 'ai',
  description: 'The own key of this AI model.',
  parse: (value) => parseApiKey(value),
}

export const isPlain = (key: string): key is keyof typeof plain => Object.hasOwn(plain, key)
export const plainOf = (key: string) => (isPlain(key) ? (plain[key] as unknown as Plain) : undefined)
/** Of the key of a model, whether there is such a model is not known here. */
export const secretOf = (key: string): Secret | undefined =>
  Object.hasOwn(secrets, key)
    ? secrets[key as keyof typeof secrets]
    : modelOfKey(key) === undefined
      ? undefined
      : modelSecret

/** In the order in which they are listed. */
export const order = [
  'app.name',
  'auth.sign_up',
  'tokens.scopes_required',
  'mail.smtp_url',
  'mail.from',
  'ai.default_provider',
  ...providers.map((provider): VendorKey => `${provider}_api_key`),
  'billing.enabled',
  'billing.default_plan',
] as const satisfies (keyof Values | SecretKey)[]

/** What the environment says, or its own default. */
export const settingOf = (config: Config, { environment }: About): { value: unknown; is_set: boolean } | undefined =>
  environment && { value: config[environment], is_set: config.given.has(environment) }
