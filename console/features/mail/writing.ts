import type { TFunction } from 'i18next'
import { ApiProblem } from '../../api'
import type { Draft, Template, TemplateKey } from './queries'
import { DEFAULT, faultText, ownLanguage } from './words'

/** What the form holds: an empty text is made from the HTML. */
export type TemplateValues = {
  key: string
  locale: string
  description: string
  subject: string
  body_html: string
  body_text: string
}

/** The fields that placeholders stand in. */
export type TextField = 'subject' | 'body_html' | 'body_text'
export type Texts = Pick<TemplateValues, TextField>
export const textFields = ['subject', 'body_html', 'body_text'] as const satisfies TextField[]

export const noTexts: Texts = { subject: '', body_html: '', body_text: '' }

export const textsOf = ({ subject, body_html, body_text }: Template | TemplateValues): Texts => ({
  subject,
  body_html,
  body_text: body_text ?? '',
})

export const sameTexts = (a: Texts, b: Texts) => textFields.every((field) => a[field] === b[field])

export const valuesOf = (template: Template): TemplateValues => ({
  key: template.key,
  locale: template.locale,
  description: template.description ?? '',
  ...textsOf(template),
})

/** Meydan's own text of a mail for readers of a language. */
export const ownTexts = (known: TemplateKey | undefined, locale: string): Texts =>
  known?.texts[ownLanguage(locale)] ?? noTexts

export const bodyOf = ({ key, locale, description, subject, body_html, body_text }: TemplateValues) => ({
  key: key.trim(),
  locale: canonical(locale) ?? locale.trim(),
  description: description.trim() || null,
  subject: subject.trim(),
  body_html,
  body_text: body_text.trim() === '' ? null : body_text,
})

/** What was changed, and nothing else: what somebody else changes at the same time is theirs. */
export function changeOf(values: TemplateValues, before: TemplateValues) {
  const [now, then] = [bodyOf(values), bodyOf(before)]
  const changed = Object.entries(now).filter(([name, value]) => value !== then[name as keyof typeof then])
  return Object.fromEntries(changed) as Partial<typeof now>
}

export const isChanged = (values: TemplateValues, before: TemplateValues) =>
  Object.keys(changeOf(values, before)).length > 0

const isKey = (key: string) => /^[a-z0-9][a-z0-9-]{0,59}$/.test(key)

/** What is shown while somebody writes; undefined as long as there is too little of it. */
export function draftOf(values: TemplateValues, samples: Record<string, string>): Draft | undefined {
  const { description: _, ...draft } = bodyOf(values)
  if (!isKey(draft.key) || draft.subject === '' || draft.body_html === '') return undefined
  const given = Object.entries(samples).filter(([, value]) => value !== '')
  return { ...draft, ...(given.length > 0 && { variables: Object.fromEntries(given) }) }
}

/** What can be said before Meydan is asked, by field. */
export function faultsOf(t: TFunction, { key, locale, subject, body_html }: TemplateValues) {
  const faults: { [Field in keyof TemplateValues]?: string } = {}
  if (key.trim() === '') faults.key = t('field.required')
  else if (!isKey(key.trim())) faults.key = t('desk.templates.key_wrong')
  if (!canonical(locale)) faults.locale = t('desk.templates.language_wrong')
  if (subject.trim() === '') faults.subject = t('field.required')
  if (body_html.trim() === '') faults.body_html = t('field.required')
  return faults
}

/** A language tag as it is kept; undefined when it is none. */
export function canonical(locale: string) {
  const tag = locale.trim()
  if (tag === '' || tag.toLowerCase() === DEFAULT) return DEFAULT
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

const isText = (pointer: string) => textFields.some((field) => pointer === `/${field}`)

/** What is wrong with the placeholders is said in words, and not only that something is. */
export function inWords(t: TFunction, error: unknown) {
  if (!(error instanceof ApiProblem) || !error.problem.errors) return error
  const errors = error.problem.errors.map((one) =>
    isText(one.pointer) && one.code === 'invalid'
      ? { ...one, code: 'template' as typeof one.code, message: faultText(t, one.message) }
      : one,
  )
  return new ApiProblem({ ...error.problem, errors })
}

/** The names that are used in texts, in the order of their first use. */
export const namesIn = (texts: Texts) => [
  ...new Set(
    textFields.flatMap((field) =>
      [...texts[field].matchAll(/\{\{\s*([a-z][a-z0-9_]{0,59})\s*\}\}/g)].map(([, name = '']) => name),
    ),
  ),
]
