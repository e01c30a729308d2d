import { invalid } from '../../../errors.ts'

/** A recurrence rule in the form that is stored. Its end by a time is not part of `text`. */
export type Rule = {
  /** The rule without UNTIL, for the library. */
  text: string
  /** The last time: an instant, or the end of a day on the clocks of the zone. */
  until: { at: Date } | { local: string } | null
}

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
const MAX_INTERVAL = 400
const MAX_COUNT = 1000

const DAY = '(?:MO|TU|WE|TH|FR|SA|SU)'
const MONTH_DAY = '-?(?:[1-9]|[12]\\d|3[01])'
const SET_POSITION = '-?(?:[1-9]\\d?|[12]\\d\\d|3[0-5]\\d|36[0-6])'
const list = (item: string) => new RegExp(`^${item}(?:,${item}){0,61}$`)

/** The parts of a rule that are supported, with the form of their values. */
const forms: Record<string, RegExp> = {
  FREQ: new RegExp(`^(?:${frequencies.join('|')})$`),
  INTERVAL: /^[1-9]\d{0,2}$/,
  COUNT: /^[1-9]\d{0,3}$/,
  UNTIL: /^\d{8}(?:T\d{6}Z?)?$/,
  BYDAY: list(`(?:[+-]?(?:[1-9]|[1-4]\\d|5[0-3]))?${DAY}`),
  BYMONTHDAY: list(MONTH_DAY),
  BYMONTH: list('(?:[1-9]|1[0-2])'),
  BYSETPOS: list(SET_POSITION),
  WKST: new RegExp(`^${DAY}$`),
}

const refused = (en: string, tr: string) => invalid('/rule', { en, tr })

function partsOf(text: string) {
  const parts = new Map<string, string>()
  for (const part of text.split(';')) {
    const [name = '', value = '', ...rest] = part.split('=')
    const form = forms[name]
    if (name === 'FREQ' && /^(?:SECONDLY|MINUTELY|HOURLY)$/.test(value))
      throw refused('The shortest frequency is DAILY.', 'En kısa sıklık DAILY.')
    if (!form)
      throw refused(
        `Use only these parts: ${Object.keys(forms).join(', ')}.`,
        `Yalnızca şu bölümleri kullanın: ${Object.keys(forms).join(', ')}.`,
      )
    if (!form.test(value) || rest.length > 0)
      throw refused(`The value of ${name} is not valid.`, `${name} değeri geçerli değil.`)
    if (parts.has(name)) throw refused(`Write ${name} once.`, `${name} bölümünü bir kez yazın.`)
    parts.set(name, value)
  }
  return parts
}

/** Limits that RFC 5545 sets to parts which depend on each other, and those of Meydan. */
function checkTogether(parts: Map<string, string>) {
  const frequency = parts.get('FREQ')
  if (!frequency) throw refused('Set FREQ.', 'FREQ bölümünü yazın.')
  if (Number(parts.get('INTERVAL') ?? 1) > MAX_INTERVAL)
    throw refused(`INTERVAL is at most ${MAX_INTERVAL}.`, `INTERVAL en çok ${MAX_INTERVAL} olabilir.`)
  if (Number(parts.get('COUNT') ?? 1) > MAX_COUNT)
    throw refused(`COUNT is at most ${MAX_COUNT}.`, `COUNT en çok ${MAX_COUNT} olabilir.`)
  if (parts.has('COUNT') && parts.has('UNTIL'))
    throw refused('Set either COUNT or UNTIL.', 'COUNT ya da UNTIL yazın, ikisini birden değil.')
  if (/\d/.test(parts.get('BYDAY') ?? '') && frequency !== 'MONTHLY' && frequency !== 'YEARLY')
    throw refused(
      'BYDAY has numbers only with MONTHLY and YEARLY.',
      'BYDAY yalnızca MONTHLY ve YEARLY ile sayı alabilir.',
    )
  if (parts.has('BYMONTHDAY') && frequency === 'WEEKLY')
    throw refused('BYMONTHDAY cannot be used with WEEKLY.', 'BYMONTHDAY, WEEKLY ile kullanılamaz.')
  if (parts.has('BYSETPOS') && !['BYDAY', 'BYMONTHDAY', 'BYMONTH'].some((name) => parts.has(name)))
    throw refused(
      'BYSETPOS selects from BYDAY, BYMONTHDAY or BYMONTH: set one of them.',
      'BYSETPOS, BYDAY, BYMONTHDAY ya da BYMONTH içinden seçer: birini yazın.',
    )
}

/** `20261231`, `20261231T205959` and `20261231T205959Z` as ISO 8601. */
function untilOf(value: string): Rule['until'] {
  const [date = '', time = '235959'] = value.split('T')
  const digits = (text: string, separator: string) =>
    text.replace(/^(\d+)(\d\d)(\d\d)$/, `$1${separator}$2${separator}$3`)
  const iso = `${digits(date, '-')}T${digits(time.replace('Z', ''), ':')}`
  const at = new Date(`${iso}Z`)
  // A date such as 31 June becomes another one.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(iso))
    throw refused('The value of UNTIL is not a time.', 'UNTIL değeri bir zaman değil.')
  return time.endsWith('Z') ? { at } : { local: iso }
}

/** The rule in the form in which it is stored: in capitals, without the name of the property. */
export const normalizedRule = (text: string) =>
  text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')

/** Reads a stored rule. Throws `invalid` at `/rule` for one that is not supported. */
export function parseRule(text: string): Rule {
  const parts = partsOf(text)
  checkTogether(parts)
  const until = parts.get('UNTIL')
  parts.delete('UNTIL')
  return {
    text: [...parts].map(([name, value]) => `${name}=${value}`).join(';'),
    until: until === undefined ? null : untilOf(until),
  }
}

/** The rule with another end, or without one. Takes a stored rule. */
function endedBy(rule: string, end: string) {
  const parts = rule.split(';').filter((part) => !/^(?:COUNT|UNTIL)=/.test(part))
  return [...parts, end].join(';')
}

/** `date`: the last day, such as 2026-12-31, on the clocks of the zone. */
export const endingOn = (rule: string, date: string) => endedBy(rule, `UNTIL=${date.replaceAll('-', '')}`)

/** The rule after its first occurrences: it has fewer to come. */
export function without(rule: string, occurrences: number) {
  const count = /(?:^|;)COUNT=(\d+)/.exec(rule)?.[1]
  return count === undefined ? rule : endedBy(rule, `COUNT=${Number(count) - occurrences}`)
}

export const hasCount = (rule: string) => /(?:^|;)COUNT=/.test(rule)
