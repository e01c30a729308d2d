import { convert } from 'html-to-text'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { type FieldError, refusedFields } from '../../errors.ts'
import type { Db } from '../../lib/database.ts'
import { type MailKey, variablesOf } from './catalogue.ts'
import { letterHtml, letterText } from './frame.ts'
import { type Fault, type Filled, parseDerived, parseHtml, parseText, type Values } from './placeholders.ts'
import { type Language, mailLanguage, texts } from './texts.ts'

export type Template = { key: string; subject: string; body_html: string; body_text: string | null }
export type Rendered = { subject: string; body_html: string; body_text: string }

/** A template that was read once and can be filled in often. */
export type Compiled = { subject: Filled; html: Filled; text: Filled; names: ReadonlySet<string> }

const conversion = {
  wordwrap: false as const,
  limits: { maxDepth: 200, maxChildNodes: 10_000 },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    // A link whose text is its address is told once.
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    ...['img', 'title', 'style', 'script', 'head'].map((selector) => ({ selector, format: 'skip' })),
  ],
}

/** What the mail says, as plain text; placeholders stay. */
export const textOf = (html: string) => `${convert(html, conversion).trim()}\n`

const MOST_TOLD = 5

/** Throws 400 that names the fields and what is wrong with them. */
export function compile({ key, subject, body_html, body_text }: Template): Compiled {
  const allowed = variablesOf(key)?.map(({ name }) => name)
  const errors: FieldError[] = []
  const read = <P extends { names: string[] }>(pointer: string, parse: (faults: Fault[]) => P): P => {
    const faults: Fault[] = []
    const parsed = parse(faults)
    for (const name of parsed.names)
      if (allowed && !allowed.includes(name))
        faults.push({
          message: `Mails with the key ${key} have no variable {{${name}}}. They have: ${allowed.join(', ')}.`,
        })
    const messages = [...new Set(faults.map(({ message }) => message))].slice(0, MOST_TOLD)
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

/** The most that a mail may become: a placeholder may stand a thousand times in a template. */
const MOST = 1_000_000
const MOST_SUBJECT = 500

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would begin another header
const breaks = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** One line of a header, whatever was filled in. */
export function headerLine(text: string, most = MOST_SUBJECT) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  const line = breaks.test(text) ? text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ') : text
  return line.length > most ? line.slice(0, most).toWellFormed() : line
}

export const render = ({ subject, html, text }: Compiled, values: Values): Rendered => ({
  subject: headerLine(subject(values)),
  body_html: html(values),
  body_text: text(values),
})

/** The same; throws when it became too large to be sent. */
export function renderWithin(compiled: Compiled, values: Values) {
  const rendered = render(compiled, values)
  if (rendered.body_html.length > MOST || rendered.body_text.length > MOST)
    throw new Error('The mail is too large with these values.')
  return rendered
}

/** Meydan's own text for a mail, as it would be stored. */
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

/** A row is read once a version. */
export function compileStored(row: Template & { id: string; version: number }) {
  const id = `${row.id} ${row.version}`
  const known = stored.get(id)
  if (known) return known
  const compiled = compile(row)
  stored.set(id, compiled)
  return compiled
}

export const DEFAULT = 'default'

/** The languages in which somebody is written to, the best first: zh-Hant-TW, zh-Hant, zh (RFC 4647, 3.4), default. */
export function lookup(locale: string) {
  const chain: string[] = []
  let tag = canonical(locale) ?? ''
  while (tag !== '' && tag !== DEFAULT) {
    chain.push(tag)
    tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))
  }
  return [...chain, DEFAULT]
}

/** A language tag as it is written properly; undefined when it is none. */
export function canonical(locale: string) {
  if (locale === DEFAULT) return DEFAULT
  try {
    return Intl.getCanonicalLocales(locale)[0]
  } catch {
    return undefined
  }
}

/**
 * A mail as its recipient gets it: by the stored template in the best of the languages, else by Meydan's own text. One
 * that is broken is passed over: no mail is ever held up by its template.
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
      log.error({ err, template_id: id, key }, 'an e-mail template is broken; the next text is sent instead')
    }
  }
  return render(compiledOwn(key, mailLanguage(locale)), values)
}

async function readCompiled(db: Db, id: string) {
  const row = await db.selectFrom('email_template').selectAll().where('id', '=', id).executeTakeFirst()
  return row && compileStored(row)
}
