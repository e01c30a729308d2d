import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { isEmail, parseMailbox, storedEmail } from '../lib/email.ts'

// Parsers of the values of settings. Each throws an error that says how the value must be.

/** An address range that user-supplied URLs may reach although it is not public. */
export type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number]

export const fail = (expected: string): never => {
  throw new Error(expected)
}
export const text = (value: string) => value
export const oneOf =
  <T extends string>(...values: T[]) =>
  (value: string): T =>
    values.find((candidate) => candidate === value) ?? fail(`must be one of ${values.join(', ')}`)
export const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  return /^\d+$/.test(value) && number >= min && number <= max
    ? number
    : fail(`must be a whole number from ${min} to ${max}`)
}
export const boolean = (value: string) => oneOf('true', 'false')(value) === 'true'
const url =
  (...protocols: string[]) =>
  (value: string) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    return parsed && protocols.includes(parsed.protocol)
      ? value.replace(/\/+$/, '')
      : fail(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
  }
/** `postgres://user@/database?host=/socket/folder` has no host, so it is checked with one. */
export const postgresUrl = (value: string) => {
  if (!/^postgres(ql)?:\/\/./.test(value)) return fail('must be a URL that begins with postgres://')
  return URL.canParse(value.replace('@/', '@socket/')) && !/,/.test(/\/\/(?:[^/?]*@)?([^/?]*)/.exec(value)?.[1] ?? '')
    ? value
    : fail(
        'must be a URL with one host and a valid port. To use one of several servers, name a proxy that leads to the primary',
      )
}
/** The database that a URL of PostgreSQL names. Empty if it names none. */
export const databaseOf = (value: string) => new URL(value.replace('@/', '@socket/')).pathname.slice(1)
export const origin = (value: string) => {
  const address = url('http:', 'https:')(value)
  return new URL(address).origin === address
    ? address
    : fail('must be a URL without a path, such as https://meydan.example.com')
}
/** Whether an origin leads to this machine: a loopback address, `localhost`, or a name of the domain for tests. */
export const isThisMachine = (value: string) =>
  /^(127(\.\d+){3}|\[::1\]|(.+\.)?(localhost|test))$/.test(new URL(value).hostname)
const privateRanges = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified']
/** Whether an origin leads to this machine, a private address, or a name that only a local network knows. */
export const isPrivate = (value: string) => {
  const host = new URL(value).hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(host)) return privateRanges.includes(ipaddr.process(host).range())
  return isThisMachine(value) || /^[^.]+$|\.(local|internal|home\.arpa)$/.test(host)
}
export const email = (value: string) => (isEmail(value) ? storedEmail(value) : fail('must be an e-mail address'))
export const mailbox = (value: string) =>
  parseMailbox(value) ? value : fail('must look like "Name <name@example.com>"')
/** User name and password are percent-encoded. An empty host would mean this machine. */
export const smtpUrl = (value: string) => {
  const address = url('smtp:', 'smtps:')(value)
  const { hostname, username, password } = new URL(address)
  if (!hostname) return fail('must name a mail server')
  try {
    decodeURIComponent(`${username}:${password}`)
    return address
  } catch {
    return fail('has a user name or password with an invalid percent-encoding: write % as %25')
  }
}
export const atLeast = (length: number) => (value: string) =>
  value.length >= length ? value : fail(`must have at least ${length} characters`)
export type BucketUrl = {
  kind: 's3'
  bucket: string
  /** The path after the bucket, without slashes at its ends. */
  path: string
  endpoint: string | undefined
  region: string | undefined
  path_style: boolean
  key_id: string | undefined
  secret: string | undefined
}

export type FolderUrl = { kind: 'file'; path: string }

/** `file:/folder`, `file:folder` or `s3://key:secret@bucket?endpoint=…&region=…&path_style=true`. */
export const storageUrl = (value: string): FolderUrl | BucketUrl => {
  const location = locationUrl(value)
  return location.kind === 's3' && location.path ? fail('must name a bucket without a path') : location
}

/** The same, also with a path in the bucket: `s3://bucket/folder?endpoint=…`. */
export const locationUrl = (value: string): FolderUrl | BucketUrl => {
  const [, path] = /^file:(?:\/\/(?=\/))?(.+)$/.exec(value) ?? []
  if (path) return { kind: 'file', path: resolve(path) }
  const parsed = /^s3:\/\/./.test(value) ? URL.parse(value) : null
  if (!parsed?.hostname)
    return fail('must begin with file: or be a URL such as s3://bucket?endpoint=https://s3.example.com')
  const { searchParams, hostname, pathname, username, password } = parsed
  const unknown = [...searchParams.keys()].find((name) => !['endpoint', 'region', 'path_style'].includes(name))
  if (unknown !== undefined)
    return fail(`has an unknown parameter "${unknown}". Known are endpoint, region and path_style`)
  if ((username === '') !== (password === '')) return fail('must have both a key and its secret, or neither')
  try {
    return {
      kind: 's3',
      bucket: hostname,
      path: decodeURIComponent(pathname).replace(/^\/+|\/+$/g, ''),
      endpoint: searchParams.has('endpoint') ? url('http:', 'https:')(searchParams.get('endpoint') ?? '') : undefined,
      region: searchParams.get('region') ?? undefined,
      path_style: boolean(searchParams.get('path_style') ?? 'false'),
      key_id: decodeURIComponent(username) || undefined,
      secret: decodeURIComponent(password) || undefined,
    }
  } catch (error) {
    return fail(
      error instanceof URIError
        ? 'has a key, secret or path with an invalid percent-encoding: write % as %25'
        : `has a parameter that ${error instanceof Error ? error.message : error}`,
    )
  }
}
export const cidrs = (value: string): Cidr[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      try {
        return ipaddr.parseCIDR(part)
      } catch {
        return fail(`contains "${part}", which is not an address range such as 10.0.0.0/8`)
      }
    })
const pairs =
  <T>(toPair: (part: string) => readonly [string, T]) =>
  (value: string): Record<string, T> =>
    Object.fromEntries(
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
        .map(toPair),
    )
/** Pairs such as `id=http://127.0.0.1:9,id.host=https://gateway.example`. */
export const origins = pairs((part) => {
  const [, network = '', url = ''] = /^([a-z_]+(?:\.[a-z]+)?)=(.+)$/.exec(part) ?? []
  return network ? [network, origin(url)] : fail(`contains "${part}", which is not network=https://origin`)
})
/** Pairs such as `id=202609,other=v26.0`. */
export const versions = pairs((part) => {
  const [, network = '', version = ''] = /^([a-z_]+)=(v?\d[\d.]{0,9})$/.exec(part) ?? []
  return network ? [network, version] : fail(`contains "${part}", which is not network=version`)
})
export const seconds = (value: string) => {
  const numbers = value.split(',').map((part) => Number(part.trim()))
  return numbers.length <= 50 && numbers[0] === 0 && numbers.every((number) => number >= 0 && number <= 30 * 86_400)
    ? numbers
    : fail('must be a comma-separated list of seconds, the first 0 and each at most 30 days')
}

export const proxyUrl = (value: string) => {
  const { protocol, username, password } = URL.parse(value) ?? {}
  if (!protocol || !/^https?:$/.test(protocol)) return fail('must be a URL that begins with http:// or https://')
  try {
    decodeURIComponent(`${username}:${password}`)
    return value
  } catch {
    return fail('has a user name or password with an invalid percent-encoding: write % as %25')
  }
}

export const circuit = (value: string) => {
  const [failures = 0, rest_s = 0, longest_rest_s = 0, ...more] = value.split(',').map((part) => Number(part.trim()))
  return more.length === 0 &&
    [failures, rest_s, longest_rest_s].every((number) => Number.isInteger(number) && number >= 1) &&
    rest_s <= longest_rest_s &&
    longest_rest_s <= 86_400
    ? { failures, rest_s, longest_rest_s }
    : fail(
        'must be three whole numbers of at least 1, separated by commas: failures, first pause and longest pause, both in seconds and at most a day',
      )
}
