import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { emailPattern, parseMailbox } from './lib/email.ts'
import { StartError } from './lib/start-error.ts'

/** An address range that user-supplied URLs may reach although it is not public. */
export type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number]

type Key<T> = { doc: string; default: string | undefined; parse: (text: string) => T }

const key = <T>(doc: string, fallback: string, parse: (text: string) => T): Key<T> => ({
  doc,
  default: fallback,
  parse,
})
const optional = <T>(doc: string, parse: (text: string) => T): Key<T | undefined> => ({
  doc,
  default: undefined,
  parse,
})

const fail = (expected: string): never => {
  throw new Error(expected)
}
const text = (value: string) => value
const oneOf =
  <T extends string>(...values: T[]) =>
  (value: string): T =>
    values.find((candidate) => candidate === value) ?? fail(`must be one of ${values.join(', ')}`)
const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  return /^\d+$/.test(value) && number >= min && number <= max
    ? number
    : fail(`must be a whole number from ${min} to ${max}`)
}
const boolean = (value: string) => oneOf('true', 'false')(value) === 'true'
const url =
  (...protocols: string[]) =>
  (value: string) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    return parsed && protocols.includes(parsed.protocol)
      ? value.replace(/\/+$/, '')
      : fail(`must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
  }
/** Not a URL to the letter: `postgres://user@/database?host=/socket/folder` has no host. */
const postgresUrl = (value: string) =>
  /^postgres(ql)?:\/\/./.test(value) ? value : fail('must be an address that begins with postgres://')
const origin = (value: string) => {
  const address = url('http:', 'https:')(value)
  return new URL(address).origin === address
    ? address
    : fail('must be an address without a path, such as https://meydan.example.com')
}
const email = (value: string) =>
  new RegExp(emailPattern).test(value) && !/[\s<>",]/.test(value)
    ? value.toLowerCase()
    : fail('must be an e-mail address')
const mailbox = (value: string) => (parseMailbox(value) ? value : fail('must look like "Name <name@example.com>"'))
/** User name and password come with % signs in them, and a mail server without a name would be this machine. */
const smtpUrl = (value: string) => {
  const address = url('smtp:', 'smtps:')(value)
  const { hostname, username, password } = new URL(address)
  if (!hostname) return fail('must name a mail server')
  try {
    decodeURIComponent(`${username}:${password}`)
    return address
  } catch {
    return fail('has a user name or password with a % that stands for nothing: write %25')
  }
}
const atLeast = (length: number) => (value: string) =>
  value.length >= length ? value : fail(`must have at least ${length} characters`)
const cidrs = (value: string): Cidr[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      try {
        return ipaddr.parseCIDR(part)
      } catch {
        return fail(`has "${part}", which is not an address range such as 10.0.0.0/8`)
      }
    })
const seconds = (value: string) => {
  const numbers = value.split(',').map((part) => Number(part.trim()))
  return numbers.length <= 50 && numbers[0] === 0 && numbers.every((number) => number >= 0 && number <= 30 * 86_400)
    ? numbers
    : fail('must be seconds separated by commas, the first 0, none more than 30 days')
}

const proxyUrl = (value: string) => {
  const { protocol, username, password } = URL.parse(value) ?? {}
  if (!protocol || !/^https?:$/.test(protocol)) return fail('must be an http:// or https:// address')
  try {
    decodeURIComponent(`${username}:${password}`)
    return value
  } catch {
    return fail('has a user name or password with a % that stands for nothing: write %25')
  }
}

const circuit = (value: string) => {
  const [failures = 0, rest_s = 0, longest_rest_s = 0, ...more] = value.split(',').map((part) => Number(part.trim()))
  return more.length === 0 &&
    [failures, rest_s, longest_rest_s].every((number) => Number.isInteger(number) && number >= 1) &&
    rest_s <= longest_rest_s &&
    longest_rest_s <= 86_400
    ? { failures, rest_s, longest_rest_s }
    : fail(
        'must be three whole numbers from 1 on: failures, first rest and longest rest, both in seconds and at most a day',
      )
}

/** Every setting that the environment can carry. `docs/configuration.md` is made from this table. */
export const keys = {
  PORT: key('Port to listen on. 0 takes a free one.', '3000', integer(0, 65535)),
  HOST: key('Address to listen on.', '127.0.0.1', text),
  BASE_URL: optional('Public address, used in links. Plain http is fine on a LAN.', origin),
  DATA_DIR: key('Folder for the embedded database, files and the generated secret key.', './data', resolve),
  DATABASE_URL: optional(
    'A PostgreSQL of your own, 18 or later, UTF-8. Unset: the embedded one in `DATA_DIR`.',
    postgresUrl,
  ),
  SECRET_KEY: optional(
    'Wraps the keys in the database. Unset: generated into `DATA_DIR/secret.key`. At least 32 characters.',
    atLeast(32),
  ),
  SECRET_KEY_PREVIOUS: optional(
    'The former `SECRET_KEY`, for one start after it was changed: the keys are rewrapped.',
    atLeast(32),
  ),
  ADMIN_EMAIL: optional('At start, make sure that this instance admin exists.', email),
  ADMIN_PASSWORD: optional(
    'Password of that admin when the account is made or was never verified. At least 10 characters.',
    (value) => (value.length <= 200 ? atLeast(10)(value) : fail('must have at most 200 characters')),
  ),
  ROLE: key(
    '`all` serves and works; `api` and `worker` split that over processes and need `DATABASE_URL`.',
    'all',
    oneOf('all', 'api', 'worker'),
  ),
  SMTP_URL: optional(
    'Mail server, such as `smtp://user:password@mail.example.com:587`. Unset: mail stays in the outbox, where instance admins read it.',
    smtpUrl,
  ),
  MAIL_FROM: key('Sender of mails.', 'Meydan <meydan@localhost>', mailbox),
  WEBHOOK_ALLOW_CIDRS: key(
    'Private ranges that user-supplied addresses may reach, such as `10.0.0.0/8,127.0.0.1/32`. Link-local and metadata addresses only by an exact /32 or /128.',
    '',
    cidrs,
  ),
  AI_ALLOW_CIDRS: key(
    'Private ranges that the base addresses of AI models may reach, such as a model server on the LAN. http is allowed there. Link-local and metadata addresses only by an exact /32 or /128.',
    '127.0.0.0/8,::1/128',
    cidrs,
  ),
  WEBHOOK_RETRY_SCHEDULE: key(
    'Seconds to wait before each attempt of a webhook delivery. The first is at once: 0.',
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    seconds,
  ),
  WEBHOOK_TIMEOUT_MS: key('Longest time that one webhook attempt may take.', '15000', integer(100, 45000)),
  WEBHOOK_CIRCUIT: key(
    'When an endpoint rests: after how many failures in a row, for how many seconds at first, and at most; the rest doubles with every probe that fails.',
    '5,30,900',
    circuit,
  ),
  WEBHOOK_DISABLE_AFTER_S: key(
    'Seconds without a success after which a failing webhook is disabled.',
    '432000',
    integer(1, 365 * 86_400),
  ),
  WEBHOOK_PROXY_URL: optional(
    'HTTP proxy for calls to user-supplied addresses, such as `http://proxy:4750`. It has to keep private addresses out by itself: names are resolved there.',
    proxyUrl,
  ),
  RATE_LIMIT_AUTH: key(
    'Calls to sign-in, sign-up, codes and resets a minute, for each e-mail address and for each IP. 0: no limit.',
    '10',
    integer(0, 100000),
  ),
  RATE_LIMIT_READ: key(
    'GET requests a minute for each token or signed-in user, on each node. 0: no limit.',
    '600',
    integer(0, 1_000_000),
  ),
  RATE_LIMIT_WRITE: key(
    'All other requests a minute for each token or signed-in user, on each node. 0: no limit.',
    '300',
    integer(0, 1_000_000),
  ),
  SIGN_UP: key(
    'Who may sign up: `open`, by `invitation` only, or `closed`.',
    'open',
    oneOf('open', 'invitation', 'closed'),
  ),
  API_TOKEN_SCOPES_REQUIRED: key('`true`: a new API token must name its scopes.', 'false', boolean),
  LOG_LEVEL: key('How much is logged.', 'info', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent')),
  TRUST_PROXY: key('`true`: believe `X-Forwarded-For`, `-Proto` and `-Host` of the proxy in front.', 'false', boolean),
}

export type Config = { readonly [K in keyof typeof keys]: ReturnType<(typeof keys)[K]['parse']> } & {
  /** The keys that the environment has a value for. */
  readonly given: ReadonlySet<string>
}

/** The settings cannot be used; the message names each key and what it must be. */
export class ConfigError extends StartError {}

/**
 * How many threads Node hands work to: scrypt, files, and names. It has four, of which names may take two, so two names
 * that nobody answers for would hold up all others, the database's among them. Counts when it comes before the first
 * such work of the process.
 */
export function widenThreads() {
  process.env.UV_THREADPOOL_SIZE ??= '32'
}

/** What the libraries of AI vendors read by themselves. */
export const vendorVariables = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'XAI_API_KEY',
  'MISTRAL_API_KEY',
  'AI_GATEWAY_API_KEY',
  'VERCEL_OIDC_TOKEN',
  'VERCEL_DEPLOYMENT_ID',
  'VERCEL_ENV',
  'VERCEL_PROJECT_ID',
  'VERCEL_REGION',
]

/** Takes those out of the environment: a model that has no key must not find that of somebody else. */
export function forgetVendorVariables() {
  for (const name of vendorVariables) delete process.env[name]
}

/** Reads the settings from `env`. An empty value counts as absent. Throws ConfigError. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = []
  const read = (name: string, { default: fallback, parse }: Key<unknown>) => {
    const value = env[name]?.trim() || fallback
    if (value === undefined) return undefined
    try {
      return parse(value)
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : error}`)
    }
  }
  const values = Object.entries(keys).map(([name, entry]) => [name, read(name, entry)])
  const given = new Set(Object.keys(keys).filter((name) => env[name]?.trim()))
  const config = Object.fromEntries([...values, ['given', given]]) as Config

  const split = config.ROLE === 'api' || config.ROLE === 'worker'
  if (split && !config.DATABASE_URL) problems.push(`ROLE ${config.ROLE} needs DATABASE_URL`)
  if (split && !config.SECRET_KEY)
    problems.push(`SECRET_KEY must be set when ROLE is ${config.ROLE}, the same on every node`)
  if (config.ADMIN_EMAIL && !config.ADMIN_PASSWORD) problems.push('ADMIN_PASSWORD must be set when ADMIN_EMAIL is')
  if (problems.length)
    throw new ConfigError(`These settings cannot be used (see docs/configuration.md):\n${problems.join('\n')}`)
  return config
}
