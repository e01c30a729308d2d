import { type Config, keys } from '../../config/config.ts'
import { invalid } from '../../errors.ts'
import type { Tx } from '../../lib/db/database.ts'
import { linePattern } from '../../lib/http/schema/schema.ts'

export const groups = ['general', 'backup', 'sign_in', 'mail', 'ai', 'billing', 'marketplace'] as const
/** `text` is a string that may have several lines. */
export const types = ['boolean', 'integer', 'string', 'text', 'enum', 'secret'] as const
/** The value of an option in the API. */
export type Input = string | number | boolean

type About = {
  group: (typeof groups)[number]
  description: string
  /** The environment setting that applies while there is no override. */
  environment?: keyof typeof keys
}

/** An option whose value is not secret. `parse` throws 400. */
export type Plain<T extends Input = Input> = About & {
  type: Exclude<(typeof types)[number], 'secret'>
  default: T
  values?: readonly string[]
  parse: (value: Input) => T
  /** Throws when the value does not fit the database, and locks the rows that it depends on. */
  check?: (tx: Tx, value: T) => Promise<unknown>
}

export type Secret = About & { parse: (value: Input) => string }

export const refuse = (message: string): never => {
  throw invalid('/value', message)
}

export const flag = (about: About & { default: boolean }): Plain<boolean> => ({
  ...about,
  type: 'boolean',
  parse: (value) => (typeof value === 'boolean' ? value : refuse('This must be true or false.')),
})

export const choice = <T extends string>(about: About & { values: readonly T[]; default: T }): Plain<T> => ({
  ...about,
  type: 'enum',
  parse: (value) =>
    about.values.find((candidate) => candidate === value) ?? refuse(`This must be one of: ${about.values.join(', ')}.`),
})

export const textOf = (value: Input, most: number) => {
  if (typeof value !== 'string') return refuse('This must be text.')
  if (value === '') return refuse('This must not be empty. Reset the option to use its default.')
  return [...value].length <= most ? value : refuse(`This must have at most ${most} characters.`)
}

/** Parses text like the environment setting that it overrides. */
export const asSetting = (name: 'SMTP_URL' | 'MAIL_FROM', most: number) => (value: Input) => {
  const text = textOf(value, most).trim()
  try {
    return keys[name].parse(text)
  } catch (error) {
    return refuse(`This ${error instanceof Error ? error.message : 'cannot be used'}.`)
  }
}

const MAX_KEY = 2000
/** Letters, digits and symbols, without spaces. */
const visibleAscii = /^[\x21-\x7e]+$/

/** Parses a provider's API key for use in a header. Trims the pasted text. */
export const parseApiKey = (value: Input, pointer = '/value') => {
  const key = typeof value === 'string' ? value.trim() : ''
  if (key.length > MAX_KEY) throw invalid(pointer, `This must have at most ${MAX_KEY} characters.`, 'too_long')
  if (!visibleAscii.test(key))
    throw invalid(pointer, 'This must be an API key: letters, digits and symbols without spaces.')
  return key
}

const visibleLine = new RegExp(linePattern, 'u')

export const integer = ({
  min,
  max,
  ...about
}: About & { default: number; min: number; max: number }): Plain<number> => ({
  ...about,
  type: 'integer',
  parse: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : refuse(`This must be a whole number from ${min} to ${max}.`),
})

/** Letters, digits and symbols that a provider assigns, such as a merchant number. */
export const identifier = (about: About): Plain<string> => ({
  ...about,
  type: 'string',
  default: '',
  parse: (value) => {
    const text = textOf(value, 100).trim()
    return visibleAscii.test(text) ? text : refuse('This must be letters, digits and symbols without spaces.')
  },
})

export const lines = (about: About & { default: string }): Plain<string> => ({
  ...about,
  type: 'text',
  parse: (value) => {
    const text = textOf(value, 1000).replaceAll('\r\n', '\n').trim()
    return text.split('\n').every((part) => part === '' || visibleLine.test(part))
      ? text
      : refuse('This must be visible text, without control characters or characters that change the text direction.')
  },
})

/** A key that a payment provider assigns. */
export const credential = (environment: keyof typeof keys, description: string): Secret => ({
  group: 'billing',
  description,
  environment,
  parse: (value) => parseApiKey(value),
})

/** The value from the environment, or its default. */
export const settingOf = (config: Config, { environment }: About): { value: unknown; is_set: boolean } | undefined =>
  environment && { value: config[environment], is_set: config.given.has(environment) }
