import { convert } from 'html-to-text'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { type FieldError, refusedFields } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import { type Language, languageOf } from '../../../lib/language.ts'
import { type MailKey, variablesOf } from './catalogue.ts'
import { letterHtml, letterText } from './layout.ts'
import { type Fault, type Filled, parseDerived, parseHtml, parseText, type Values } from './placeholders.ts'
import { texts } from './texts/texts.ts'

export type Template = { key: string; subject: string; body_html: string; body_text: string | null }
export type Rendered = { subject: string; body_html: string; body_text: string }

/** A template that is parsed once and can be filled in often. */
export type Compiled = { subject: Filled; html: Filled; text: Filled; names: ReadonlySet<string> }

const conversion = {
  wordwrap: false as const,
  limits: { maxDepth: 200, maxChildNodes: 10_000 },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    // A link whose text is its address appears once.
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ...['img', 'title', 'style', 'script', 'head'].map((selector) => ({ selector, format: 'skip' })),
  ],
}

/** Converts the HTML of a mail to plain text. Placeholders stay. */
export const textOf = (html: string) => `${convert(html, conversion).trim()}\n`

const MAX_FAULTS_LISTED = 5

/** Throws 400 with the faulty fields and what is wrong with them. */
export function compile({ key, subject, body_html, body_text }: Template): Compiled {
  const allowed = variablesOf(key)?.map(({ name }) => name)
  const errors: FieldError[] = []
  const read = <P extends { names: string[] }>(pointer: string, parse: (faults: Fault[]) => P): P => {
    const faults: Fault[] = []
    const parsed = parse(faults)
    for (const name of parsed.names)
      if (allowed && !allowed.includes(name))
        faults.push({
          message: `E-mails with the key ${key} have no variable {{${name}}}. Their variables are: ${allowed.join(', ')}.`,
        })
    const messages = [...new Set(faults.map(({ message }) => message))].slice(0, MAX_FAULTS_LISTED)
    if (messages.length > 0) errors.push({ pointer, code: 'invalid', message: messages.join(' ') })
    return parsed
  }
  const line = read('/subject', (faults) => parseText(subject, faults))
  const html = read('/body_html', (faults) => parseHtml(body_html, faults))
  const text = body_text === null ? undefined : read('/body_text', (faults) => parseText(body_text, faults))
  if (errors.length > 0) throw refusedFields(errors)
  return {
    subject: line.fill,
    html: html.fill,
    text: text?.fill ?? parseDerived(textOf(body_html), new Set(html.names)),
    names: new Set([...line.names, ...html.names, ...(text?.names ?? [])]),
  }
}

/** Maximum characters of a rendered mail: a template may repeat a placeholder many times. */
const MAX_BODY = 1_000_000
const MAX_SUBJECT = 500

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would begin another header
const breaks = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

export function headerLine(text: string, max = MAX_SUBJECT) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  const line = breaks.test(text) ? text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ') : text
  return line.length > max ? line.slice(0, max).toWellFormed() : line
}

export const render = ({ subject, html, text }: Compiled, values: Values): Rendered => ({
  subject: headerLine(subject(values)),
  body_html: html(values),
  body_text: text(values),
})

/** Like `render`, and throws when the mail is too large to send. */
export function renderWithin(compiled: Compiled, values: Values) {
  const rendered = render(compiled, values)
  if (rendered.body_html.length > MAX_BODY || rendered.body_text.length > MAX_BODY)
    throw new Error('The e-mail is too large with these values.')
  return rendered
}

/** Meydan's own text for a mail, in the form of a stored template. */
export function ownText(key: MailKey, language: Language) {
  const letter = texts[key][language]
  return { subject: letter.subject, body_html: letterHtml(letter, language), body_text: letterText(letter) }
}

const own = new Map<string, Compiled>()
function compiledOwn(key: MailKey, language: Language) {
  const id = `${key} ${language}`
  const known = own.get(id)
  if (known) return known
  const compiled = compile({ key, ...ownText(key, language) })
  own.set(id, compiled)
  return compiled
}

const stored = new LRUCache<string, Compiled>({ max: 500 })

/** Compiles each version of a row once. */
export function compileStored(row: Template & { id: string; version: number }) {
  const id = `${row.id} ${row.version}`
  const known = stored.get(id)
  if (known) return known
  const compiled = compile(row)
  stored.set(id, compiled)
  return compiled
}

export const DEFAULT = 'default'

/** Languages to try for a locale, best first: zh-Hant-TW, zh-Hant, zh (RFC 4647, 3.4), default. */
export function lookup(locale: string) {
  const chain: string[] = []
  let tag = canonical(locale) ?? ''
  while (tag !== '' && tag !== DEFAULT) {
    chain.push(tag)
    tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))
  }
  return [...chain, DEFAULT]
}

/** The canonical form of a language tag; undefined for an invalid one. */
export function canonical(locale: string) {
  if (locale === DEFAULT) return DEFAULT
  try {
    return Intl.getCanonicalLocales(locale)[0]
  } catch {
    return undefined
  }
}

/**
 * Renders a mail for its recipient: with the stored template of the best language, otherwise with Meydan's own text.
 * Broken templates are skipped, so that a template never blocks a mail.
 */
export async function renderFor(
  db: Db,
  log: Logger,
  { key, locale, values }: { key: MailKey; locale: string; values: Values },
): Promise<Rendered> {
  const wanted = lookup(locale)
  const found = await db
    .selectFrom('email_template')
    .select(['id', 'version', 'locale'])
    .where('key', '=', key)
    .where('locale', 'in', wanted)
    .execute()
  found.sort((a, b) => wanted.indexOf(a.locale) - wanted.indexOf(b.locale))
  for (const { id, version } of found) {
    try {
      const compiled = stored.get(`${id} ${version}`) ?? (await readCompiled(db, id))
      if (compiled) return renderWithin(compiled, values)
    } catch (err) {
      log.error({ err, template_id: id, key }, 'an e-mail template cannot be used; the next text is sent instead')
    }
  }
  return render(compiledOwn(key, languageOf(locale)), values)
}

async function readCompiled(db: Db, id: string) {
  const row = await db.selectFrom('email_template').selectAll().where('id', '=', id).executeTakeFirst()
  return row && compileStored(row)
}
