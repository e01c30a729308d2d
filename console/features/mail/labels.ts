import type { TFunction } from 'i18next'
import { currentLanguage, langOfEnglishText, translateDynamic } from '../../i18n'
import { currentLocale } from '../../ui/text/format'
import type { Mail, Template, TemplateKey } from './queries'

export const DEFAULT = 'default'

const keyToLabel = (key: string) => key.replaceAll('-', '_')

/** The name of a mail. Mails of the operator's own are named by their key. */
export const mailName = (t: TFunction, key: string) =>
  translateDynamic(t, `admin.templates.mail.${keyToLabel(key)}`, key)

/** The console's translation, else Meydan's English text. */
type TranslatedText = { text: string; lang?: string | undefined }
const translateOr = (t: TFunction, key: string, english: string): TranslatedText => {
  const text = currentLanguage() === 'en' ? '' : translateDynamic(t, key, '')
  return text ? { text } : { text: english, lang: langOfEnglishText() }
}

export const mailDescription = (t: TFunction, { key, description }: Pick<TemplateKey, 'key' | 'description'>) =>
  translateOr(t, `admin.templates.about_mail.${keyToLabel(key)}`, description)

export type Variable = TemplateKey['variables'][number]

export const variableDescription = (t: TFunction, { name, description }: Variable) =>
  translateOr(t, `admin.templates.variable.${name}`, description)

/** The name of a language; undefined for unknown languages. */
export function languageName(t: TFunction, locale: string) {
  if (locale === DEFAULT) return t('admin.templates.other_languages')
  try {
    const name = new Intl.DisplayNames(currentLocale(), { type: 'language', fallback: 'none' }).of(locale)
    return name && name.charAt(0).toLocaleUpperCase(currentLocale()) + name.slice(1)
  } catch {
    return undefined
  }
}

/** The language of Meydan's own texts that is sent for a locale. */
export const builtInLanguage = (locale: string) => (locale.split('-', 1)[0] === 'tr' ? 'tr' : 'en')

/** The stored template sent when this language has none; undefined: Meydan's own text is sent. */
export function fallbackTemplate(templates: Template[], { id, key, locale }: Pick<Template, 'id' | 'key' | 'locale'>) {
  const others = templates.filter((one) => one.key === key && one.id !== id)
  for (let tag = locale; tag !== '' && tag !== DEFAULT; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const found = others.find((one) => one.locale === tag)
    if (found) return found
  }
  return locale === DEFAULT ? undefined : others.find((one) => one.locale === DEFAULT)
}

export const placeholderFor = (name: string) => `{{${name}}}`

/** Meydan's messages on placeholders, with the console's text keys for them. */
const templateErrors = [
  [
    /A placeholder must have the form \{\{name\}\}, with lowercase letters, digits and _\. This is not one: (?<said>.{1,40}?)(?= (?:A placeholder must|There are more|E-mails with the|The value of|\{\{\w+\}\} is)|\s*$)/g,
    'syntax',
  ],
  [/There are more than \d+ placeholders\./g, 'many'],
  [
    /E-mails with the key \S+ have no variable (?<name>\{\{\w+\}\})\. Their variables are: (?<names>[\w, ]+)\./g,
    'unknown',
  ],
  [/(?<name>\{\{\w+\}\}) is in a comment or a declaration, where it cannot be inserted safely\./g, 'comment'],
  [/(?<name>\{\{\w+\}\}) is in (?<said>\S+), where its value could act as code\./g, 'place'],
  [/(?<name>\{\{\w+\}\}) is inside a tag\. Use it only in [^"]+"\{\{\w+\}\}"\./g, 'tag'],
  [/The value of (?<said>\S+) must be in quotes: \S+="(?<name>\{\{\w+\}\})"\./g, 'quotes'],
  [
    /(?<name>\{\{\w+\}\}) is at the beginning of a URL\. Only variables whose names end in _url can begin a URL, such as \{\{\w+\}\}\./g,
    'begin',
  ],
  [/(?<name>\{\{\w+\}\}) is in a URL that begins with (?<said>\S+), where its value could act as code\./g, 'scheme'],
  [/(?<name>\{\{\w+\}\}) is in the host of a URL\. Use it after the host: \S+\}\}\./g, 'host'],
] as const satisfies [RegExp, string][]

/** Translates the faults of a template, one a line. An unknown message is returned unchanged. */
export function templateErrorText(t: TFunction, message: string) {
  const found = templateErrors.flatMap(([pattern, kind]) =>
    [...message.matchAll(pattern)].map(({ 0: all, index, groups = {} }) => ({
      index,
      length: all.length,
      text: t(`admin.templates.fault.${kind}`, {
        example: placeholderFor('name'),
        url: placeholderFor('app_url'),
        ...groups,
      }),
    })),
  )
  found.sort((a, b) => a.index - b.index)
  // One blank separates two faults. Any further length is unknown text.
  const known = found.reduce((sum, { length }) => sum + length, found.length - 1)
  return known >= message.trim().length ? found.map(({ text }) => text).join('\n') : message
}

/** The cause of a failed mail, if the mail server's message is known. */
export function failureKind({ error }: Pick<Mail, 'error'>) {
  if (!error) return undefined
  if (
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|timeout|timed out|greeting/i.test(
      error,
    )
  )
    return 'unreachable'
  if (/certificate|self-signed|\bTLS\b|\bSSL\b/i.test(error)) return 'tls'
  if (/EAUTH|invalid login|authenticat|\b53[0458]\b/i.test(error)) return 'login'
  if (/not (one|a single) e-mail address|no recipients/i.test(error)) return 'address'
  if (/\b(55[0-9]|5\.\d\.\d)\b/.test(error)) return 'refused'
  if (/\b4[2-5]\d\b|\b4\.\d\.\d\b/.test(error)) return 'later'
  return 'other'
}
