import type { UseFormReturnType } from '@mantine/form'
import type { TFunction } from 'i18next'
import { ApiProblem } from '../../../api'
import { builtInLanguage, DEFAULT, templateErrorText, type Variable } from '../labels'
import type { Template, TemplateDraft, TemplateKey } from '../queries'

/** The values. Meydan makes an empty text from the HTML. */
export type TemplateValues = {
  key: string
  locale: string
  description: string
  subject: string
  body_html: string
  body_text: string
}

export type TemplateFormState = UseFormReturnType<TemplateValues>

/** The fields that can hold placeholders. */
type TextField = 'subject' | 'body_html' | 'body_text'
export type Texts = Pick<TemplateValues, TextField>
const textFields = ['subject', 'body_html', 'body_text'] as const satisfies TextField[]

const emptyTexts: Texts = { subject: '', body_html: '', body_text: '' }

export const textsOf = ({ subject, body_html, body_text }: Template | TemplateValues): Texts => ({
  subject,
  body_html,
  body_text: body_text ?? '',
})

export const sameTexts = (a: Texts, b: Texts) => textFields.every((field) => a[field] === b[field])

export const toFormValues = (template: Template): TemplateValues => ({
  key: template.key,
  locale: template.locale,
  description: template.description ?? '',
  ...textsOf(template),
})

/** Meydan's own text of a mail for readers of a language. */
export const builtInTexts = (known: TemplateKey | undefined, locale: string): Texts =>
  known?.texts[builtInLanguage(locale)] ?? emptyTexts

export const toBody = ({ key, locale, description, subject, body_html, body_text }: TemplateValues) => ({
  key: key.trim(),
  locale: canonicalLocale(locale) ?? locale.trim(),
  description: description.trim() || null,
  subject: subject.trim(),
  body_html,
  body_text: body_text.trim() === '' ? null : body_text,
})

/** Only the fields changed here, so that simultaneous changes by others survive. */
export function changedFields(values: TemplateValues, before: TemplateValues) {
  const [now, then] = [toBody(values), toBody(before)]
  const changed = Object.entries(now).filter(([name, value]) => value !== then[name as keyof typeof then])
  return Object.fromEntries(changed) as Partial<typeof now>
}

export const isChanged = (values: TemplateValues, before: TemplateValues) =>
  Object.keys(changedFields(values, before)).length > 0

const isKey = (key: string) => /^[a-z0-9][a-z0-9-]{0,59}$/.test(key)

/** The draft to preview while the user types; undefined if required fields are missing. */
export function toDraft(values: TemplateValues, samples: Record<string, string>): TemplateDraft | undefined {
  const { description: _, ...draft } = toBody(values)
  if (!isKey(draft.key) || draft.subject === '' || draft.body_html === '') return undefined
  const given = Object.entries(samples).filter(([, value]) => value !== '')
  return { ...draft, ...(given.length > 0 && { variables: Object.fromEntries(given) }) }
}

/** Faults found without a request, by field. */
export function validateTemplate(t: TFunction, { key, locale, subject, body_html }: TemplateValues) {
  const faults: { [Field in keyof TemplateValues]?: string } = {}
  if (key.trim() === '') faults.key = t('field.required')
  else if (!isKey(key.trim())) faults.key = t('admin.templates.key_wrong')
  if (!canonicalLocale(locale)) faults.locale = t('admin.templates.language_wrong')
  if (subject.trim() === '') faults.subject = t('field.required')
  if (body_html.trim() === '') faults.body_html = t('field.required')
  return faults
}

/** A language tag as Meydan stores it; undefined if invalid. */
export function canonicalLocale(locale: string) {
  const tag = locale.trim()
  if (tag === '' || tag.toLowerCase() === DEFAULT) return DEFAULT
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

const isText = (pointer: string) => textFields.some((field) => pointer === `/${field}`)

/** Replaces the messages on faulty placeholders with translated, specific ones. */
export function translateProblem(t: TFunction, error: unknown) {
  if (!(error instanceof ApiProblem) || !error.problem.errors) return error
  const errors = error.problem.errors.map((one) =>
    isText(one.pointer) && one.code === 'invalid'
      ? { ...one, code: 'template' as typeof one.code, message: templateErrorText(t, one.message) }
      : one,
  )
  return new ApiProblem({ ...error.problem, errors })
}

/** The variable names in texts, in the order of first use. */
export const variableNamesIn = (texts: Texts) => [
  ...new Set(
    textFields.flatMap((field) =>
      [...texts[field].matchAll(/\{\{\s*([a-z][a-z0-9_]{0,59})\s*\}\}/g)].map(([, name = '']) => name),
    ),
  ),
]

/** The variables that all mails have. */
const commonOf = (keys: TemplateKey[]) =>
  keys[0]?.variables.filter(({ name }) => keys.every(({ variables }) => variables.some((one) => one.name === name))) ??
  []

/** The variables of a mail. An operator's own mail has the common ones and those it uses. */
export function variablesFor(keys: TemplateKey[], values: TemplateValues): { variables: Variable[]; isFree: boolean } {
  const known = keys.find(({ key }) => key === values.key)
  if (known) return { variables: known.variables, isFree: false }
  const common = commonOf(keys)
  const further = variableNamesIn(values).filter((name) => !common.some((one) => one.name === name))
  return {
    variables: [...common, ...further.map((name) => ({ name, description: '', sample: '' }))],
    isFree: true,
  }
}
