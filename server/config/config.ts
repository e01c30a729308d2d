import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { codeOf } from '../lib/error-code.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import {
  atLeast,
  boolean,
  cidrs,
  circuit,
  databaseOf,
  email,
  fail,
  integer,
  isPrivate,
  isThisMachine,
  locationUrl,
  mailbox,
  oneOf,
  origin,
  origins,
  postgresUrl,
  proxyUrl,
  seconds,
  smtpUrl,
  storageUrl,
  text,
  versions,
} from './config-values.ts'

export type { BucketUrl, Cidr, FolderUrl } from './config-values.ts'
export { isThisMachine }

type Key<T> = {
  doc: string
  default: string | undefined
  parse: (text: string) => T
  /** An empty value counts as given: it is the empty list. */
  mayBeEmpty?: boolean
}

const key = <T>(doc: string, fallback: string, parse: (text: string) => T): Key<T> => ({
  doc,
  default: fallback,
  parse,
})
/** A key whose empty value is an empty list, and not its default. */
const list = <T>(doc: string, fallback: string, parse: (text: string) => T): Key<T> => ({
  ...key(doc, fallback, parse),
  mayBeEmpty: true,
})
/** A key whose default follows from other settings. */
const derived = <T>(doc: string, parse: (text: string) => T): Key<T> => ({ doc, default: undefined, parse })
const optional = <T>(doc: string, parse: (text: string) => T): Key<T | undefined> => ({
  doc,
  default: undefined,
  parse,
})

/** All environment settings. `docs/configuration.md` is generated from this table. */
export const keys = {
  PORT: key('Port to listen on. 0 chooses a free port.', '3000', integer(0, 65535)),
  HOST: key('Address to listen on.', '127.0.0.1', text),
  BASE_URL: optional('Public URL of this instance, used in links. Plain http is acceptable on a LAN.', origin),
  HEALTH_PORT: optional(
    'Port on which a node with `ROLE=worker` serves `/healthz`, `/readyz` and `/metrics`. If unset, it is `PORT`. 0 chooses a free port.',
    integer(0, 65535),
  ),
  METRICS_TOKEN: optional(
    'Bearer token that `/metrics` requires. If unset, `/metrics` responds only to programs of the same machine.',
    text,
  ),
  DATA_DIR: key('Folder for the embedded database, files and the generated secret key.', './data', resolve),
  STORAGE_URL: optional(
    'Where files are kept: a folder (`file:/srv/meydan`) or a bucket (`s3://bucket?endpoint=https://s3.example.com&region=eu-central-1&path_style=true`, all parameters optional, with `key:secret@` before the bucket if the key is not in `AWS_ACCESS_KEY_ID`). If unset, they are in `DATA_DIR/files`.',
    storageUrl,
  ),
  AWS_ACCESS_KEY_ID: optional('Key for the buckets of `STORAGE_URL` and `BACKUP_URL`, if the URL has none.', text),
  AWS_SECRET_ACCESS_KEY: optional('Secret of that key.', text),
  AWS_SESSION_TOKEN: optional('Session token of that key, if it is a temporary one.', text),
  AWS_REGION: optional('Region of a bucket whose URL has none.', text),
  DATABASE_URL: optional(
    'URL of your own PostgreSQL, version 18 or later, encoded in UTF-8. If unset, Meydan runs an embedded PostgreSQL in `DATA_DIR`.',
    postgresUrl,
  ),
  DATABASE_DIRECT_URL: optional(
    'URL of the same PostgreSQL without PgBouncer, when `DATABASE_URL` leads to a PgBouncer in transaction mode.',
    postgresUrl,
  ),
  SECRET_KEY: optional(
    'Secret that encrypts the keys in the database. At least 32 characters. If unset, a secret is generated in `DATA_DIR/secret.key`.',
    atLeast(32),
  ),
  BACKUP_URL: optional(
    'Where scheduled backups are written: a folder (`file:/backups`) or a folder in a bucket (`s3://bucket/folder`), with the parameters of `STORAGE_URL`. If unset, `meydan backup` is the only way to write one.',
    locationUrl,
  ),
  BACKUP_PASSPHRASE: optional(
    'Passphrase of at least 12 characters that a backup is encrypted with. `meydan verify` and `meydan restore` require it.',
    text,
  ),
  SECRET_KEY_PREVIOUS: optional(
    'Previous `SECRET_KEY`, for one start after a change: the keys are encrypted again with the new one.',
    atLeast(32),
  ),
  ADMIN_EMAIL: optional('E-mail address of an instance admin, who is created at the start if missing.', email),
  ADMIN_PASSWORD: optional(
    'Password of that admin, used if the user is created or was never verified. 10 to 200 characters.',
    (value) => (value.length <= 200 ? atLeast(10)(value) : fail('must have at most 200 characters')),
  ),
  ROLE: key(
    '`all` runs the API and the worker in one process. `api` and `worker` run them in separate processes and require `DATABASE_URL`.',
    'all',
    oneOf('all', 'api', 'worker'),
  ),
  SMTP_URL: optional(
    'Mail server, such as `smtp://user:password@mail.example.com:587`. If unset, e-mails stay in the outbox, where instance admins can read them.',
    smtpUrl,
  ),
  MAIL_FROM: key('Sender of e-mails.', 'Meydan <meydan@localhost>', mailbox),
  WEBHOOK_ALLOW_CIDRS: key(
    'Private ranges that user-supplied URLs may reach, such as `10.0.0.0/8,127.0.0.1/32`. Link-local and metadata addresses require an exact /32 or /128.',
    '',
    cidrs,
  ),
  AI_ALLOW_CIDRS: list(
    'Private ranges that the base URLs of AI models may reach, such as a model server on the LAN. Plain http is allowed there. Link-local and metadata addresses require an exact /32 or /128. Set it to an empty value to allow none.',
    '127.0.0.0/8,::1/128',
    cidrs,
  ),
  AGENT_CONCURRENCY: key(
    'Calls of AI models that agents make at the same time in this process. Each further process that runs jobs adds its own.',
    '8',
    integer(1, 200),
  ),
  WEBHOOK_RETRY_SCHEDULE: key(
    'Seconds to wait before each attempt of a webhook delivery. The first must be 0.',
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    seconds,
  ),
  WEBHOOK_TIMEOUT_MS: key('Timeout of a webhook attempt in milliseconds.', '15000', integer(100, 45000)),
  WEBHOOK_CIRCUIT: key(
    'Circuit breaker of a webhook: number of consecutive failures that pause it, seconds of the first pause and of the longest pause. The pause doubles after every failed probe.',
    '5,30,900',
    circuit,
  ),
  WEBHOOK_DISABLE_AFTER_S: key(
    'Seconds without a success after which a failing webhook is disabled.',
    '432000',
    integer(1, 365 * 86_400),
  ),
  WEBHOOK_PROXY_URL: optional(
    'HTTP proxy for calls to user-supplied URLs, such as `http://proxy:4750`. The proxy resolves host names, so it must block private addresses itself.',
    proxyUrl,
  ),
  NETWORK_ORIGINS: key(
    'Origins that are called in place of those of networks with a fixed address, for gateways and tests, such as `id=http://127.0.0.1:9`, by the id of the network. A host of a network that has several is set apart by `id.host=…`. These calls are not limited to public addresses.',
    '',
    origins,
  ),
  NETWORK_VERSIONS: key(
    'Versions of the APIs of networks in place of those that Meydan was made for, such as `id=202609`, by the id of the network.',
    '',
    versions,
  ),
  BILLING_PROVIDER: key(
    'Payment provider for new subscriptions: `manual` (an instance admin approves payment requests), `stripe`, `iyzico` or `paytr`.',
    'manual',
    oneOf('manual', 'stripe', 'iyzico', 'paytr'),
  ),
  BILLING_GRACE_DAYS: key('Days for which a subscription stays in force after a payment failed.', '21', integer(0, 90)),
  BILLING_VAT_PERCENT: key('VAT in percent that the prices of plans include.', '20', integer(0, 50)),
  STRIPE_SECRET_KEY: optional('Secret key of the Stripe account.', text),
  STRIPE_WEBHOOK_SECRET: optional('Signing secret of the webhook endpoint at Stripe.', text),
  STRIPE_URL: key('Origin of the API of Stripe.', 'https://api.stripe.com', origin),
  IYZICO_API_KEY: optional('API key of the iyzico account.', text),
  IYZICO_SECRET_KEY: optional('Secret key of the iyzico account.', text),
  IYZICO_MERCHANT_ID: key('Merchant number of the iyzico account. Part of the signature of its webhooks.', '', text),
  IYZICO_URL: key(
    'Origin of the API of iyzico. That of its sandbox is `https://sandbox-api.iyzipay.com`.',
    'https://api.iyzipay.com',
    origin,
  ),
  PAYTR_MERCHANT_ID: key('Merchant number of the PayTR account.', '', text),
  PAYTR_MERCHANT_KEY: optional('Merchant key of the PayTR account.', text),
  PAYTR_MERCHANT_SALT: optional('Merchant salt of the PayTR account.', text),
  PAYTR_TEST_MODE: key('`true` makes test payments at PayTR, without money.', 'false', boolean),
  PAYTR_URL: key('Origin of PayTR.', 'https://www.paytr.com', origin),
  RATE_LIMIT_AUTH: key(
    'Maximum number of sign-ins a minute with one e-mail address from one network. The other limits of sign-in, codes and e-mails are multiples of it (see “Limit sign-in” in the operating guide). 0 is unlimited.',
    '10',
    integer(0, 100000),
  ),
  RATE_LIMIT_READ: key(
    'Maximum number of GET requests a minute for each token or signed-in user, on each node. 0 is unlimited.',
    '600',
    integer(0, 1_000_000),
  ),
  RATE_LIMIT_WRITE: key(
    'Maximum number of all other requests a minute for each token or signed-in user, on each node. 0 is unlimited.',
    '300',
    integer(0, 1_000_000),
  ),
  CONNECTION_LIMIT: key(
    'Maximum number of open HTTP connections of a node. At the limit, a new one replaces the one that has been idle for longest. 0 is unlimited.',
    '4096',
    integer(0, 1_000_000),
  ),
  CONNECTION_LIMIT_PER_ADDRESS: key(
    'The same for each IPv4 address or IPv6 /64. Not used if `TRUST_PROXY` is `true`, because all connections then come from the proxy. 0 is unlimited.',
    '512',
    integer(0, 1_000_000),
  ),
  SIGN_UP: derived(
    'Sign-up policy: `open` (anyone), `invitation` (invited addresses only) or `closed` (nobody). If unset, it is `open` while `BASE_URL` names this machine, a private address or a name of a local network, and `invitation` otherwise.',
    oneOf('open', 'invitation', 'closed'),
  ),
  API_TOKEN_SCOPES_REQUIRED: key('`true` requires scopes for new API tokens.', 'false', boolean),
  LOG_LEVEL: key('Lowest level that is logged.', 'info', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent')),
  TIMINGS_DIVISOR: key(
    'Number by which leases, heartbeats and polls are divided, for tests of Meydan only. Above 1, the database of `DATABASE_URL` must have a name that begins with `test_`, and `BASE_URL` must name this machine.',
    '1',
    integer(1, 100),
  ),
  NODE_NAME: optional('Name of this node in the log. If unset, the host name.', text),
  TRUST_PROXY: key(
    '`true` trusts the headers `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` of a reverse proxy.',
    'false',
    boolean,
  ),
}

export type Config = { readonly [K in keyof typeof keys]: ReturnType<(typeof keys)[K]['parse']> } & {
  /** The settings that the environment has a value or a file for. */
  readonly given: ReadonlySet<string>
}

/** The settings are invalid. The message names each of them and what it must be. */
export class ConfigError extends StartError {}

/**
 * Sets the number of threads that Node uses for scrypt, files and name lookups. The default is four, of which lookups
 * may use two: two names that get no response would block all others, including the database's. Must run before the
 * first such work of the process.
 */
export function widenThreads() {
  process.env.UV_THREADPOOL_SIZE ??= '32'
}

/** Folders in which programs are looked for, as the system separates them. */
export const searchPath = () => process.env.PATH ?? ''

/** Environment variables that the libraries of AI providers read by themselves. */
export const providerVariables = [
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

/** Removes these variables from the environment: a model without a key must not use a key meant for other purposes. */
export function forgetProviderVariables() {
  for (const name of providerVariables) delete process.env[name]
}

/** Whether an instance can only be one of tests. */
const isOfTests = ({ DATABASE_URL, DATABASE_DIRECT_URL, BASE_URL }: Config) =>
  [DATABASE_URL, DATABASE_DIRECT_URL].every((url) => url === undefined || databaseOf(url).startsWith('test_')) &&
  (BASE_URL === undefined || isThisMachine(BASE_URL))

/**
 * Reads a value from a file, in which Docker, Kubernetes and systemd hand over secrets. Messages contain no path: somebody
 * may have put the secret in its place.
 */
function readValue(name: string, path: string) {
  try {
    const value = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).trim()
    return value && !/[\r\n]/.test(value)
      ? value
      : fail(`${name} names a file that ${value ? 'has several lines' : 'is empty'}. It must contain the value alone`)
  } catch (error) {
    const code = codeOf(error)
    if (!code) throw error
    return fail(`${name} names a file that cannot be read (${code}). It must be the path of a file with the value`)
  }
}

type Environment = Record<string, string | undefined>

/** The text of a setting: its variable, or the content of the file that `NAME_FILE` names. */
function textOf(env: Environment, name: string) {
  const value = env[name]?.trim()
  const path = env[`${name}_FILE`]?.trim()
  if (!path) return value
  return value ? fail(`${name} and ${name}_FILE are both set. Remove one of them`) : readValue(`${name}_FILE`, path)
}

/** Reads the settings from `env`. An empty value counts as absent, unless it is a list. Throws ConfigError. */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = []
  const given = new Set<string>()
  const read = (name: string, { default: fallback, parse, mayBeEmpty }: Key<unknown>) => {
    let text: string | undefined
    try {
      text = textOf(env, name)
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
    if (text) given.add(name)
    const value = text || (mayBeEmpty ? (text ?? fallback) : fallback)
    if (value === undefined) return undefined
    try {
      return parse(value)
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : error}`)
    }
  }
  const values = Object.fromEntries(Object.entries(keys).map(([name, entry]) => [name, read(name, entry)])) as Config
  // Whoever finds a public instance could otherwise use it.
  const openTo = values.BASE_URL === undefined || isPrivate(values.BASE_URL) ? 'open' : 'invitation'
  const config: Config = { ...values, SIGN_UP: values.SIGN_UP ?? openTo, given }

  const split = config.ROLE === 'api' || config.ROLE === 'worker'
  if (split && !config.DATABASE_URL) problems.push(`ROLE ${config.ROLE} requires DATABASE_URL`)
  if (split && !config.SECRET_KEY)
    problems.push(`SECRET_KEY must be set when ROLE is ${config.ROLE}, the same on every node`)
  if (config.DATABASE_DIRECT_URL && !config.DATABASE_URL) problems.push('DATABASE_DIRECT_URL requires DATABASE_URL')
  if (config.ADMIN_EMAIL && !config.ADMIN_PASSWORD) problems.push('ADMIN_PASSWORD must be set when ADMIN_EMAIL is')
  if (config.TIMINGS_DIVISOR > 1 && !isOfTests(config))
    problems.push(
      'TIMINGS_DIVISOR is for tests of Meydan only: leases that end too early would repeat posts and webhooks. Remove it, or let DATABASE_URL name a database that begins with test_ and BASE_URL name this machine',
    )
  if (problems.length)
    throw new ConfigError(`These settings cannot be used (see docs/configuration.md):\n${problems.join('\n')}`)
  return config
}
