import type { TFunction } from 'i18next'
import { currentLanguage, inEnglish, told } from '../../i18n'
import { currentLocale } from '../../ui/format'
import type { Mail, Template, TemplateKey } from './queries'

export const DEFAULT = 'default'

const worded = (key: string) => key.replaceAll('-', '_')

/** What a mail is called: those that the operator has named are called by their key. */
export const mailName = (t: TFunction, key: string) => told(t, `desk.templates.mail.${worded(key)}`, key)

/** What Meydan says in English where the console has no words of its own. */
type Said = { text: string; lang?: string | undefined }
const said = (t: TFunction, key: string, english: string): Said => {
  const text = currentLanguage() === 'en' ? '' : told(t, key, '')
  return text ? { text } : { text: english, lang: inEnglish() }
}

export const aboutMail = (t: TFunction, { key, description }: Pick<TemplateKey, 'key' | 'description'>) =>
  said(t, `desk.templates.about_mail.${worded(key)}`, description)

export type Variable = TemplateKey['variables'][number]

export const aboutVariable = (t: TFunction, { name, description }: Variable) =>
  said(t, `desk.templates.variable.${name}`, description)

/** A language by its name; undefined: nothing that is known as one. */
export function languageName(t: TFunction, locale: string) {
  if (locale === DEFAULT) return t('desk.templates.other_languages')
  try {
    const name = new Intl.DisplayNames(currentLocale(), { type: 'language', fallback: 'none' }).of(locale)
    return name && name.charAt(0).toLocaleUpperCase(currentLocale()) + name.slice(1)
  } catch {
    return undefined
  }
}

/** The language of Meydan's own texts that readers of another are written to in. */
export const ownLanguage = (locale: string) => (locale.split('-', 1)[0] === 'tr' ? 'tr' : 'en')

/** Which text is sent when there is no stored one in this language: another that is stored, or Meydan's own. */
export function nextText(templates: Template[], { id, key, locale }: Pick<Template, 'id' | 'key' | 'locale'>) {
  const others = templates.filter((one) => one.key === key && one.id !== id)
  for (let tag = locale; tag !== '' && tag !== DEFAULT; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const found = others.find((one) => one.locale === tag)
    if (found) return found
  }
  return locale === DEFAULT ? undefined : others.find((one) => one.locale === DEFAULT)
}

export const variableOf = (name: string) => `{{${name}}}`

/** What Meydan says of the placeholders of a template, and the words that the console has for it. */
const faults = [
  [
    /A placeholder is written \{\{name\}\}, in small letters, digits and _\. This is none: (?<said>.{1,40}?)(?= (?:A placeholder is|There are more|Mails with the|The value of|\{\{\w+\}\} (?:stands|begins))|\s*$)/g,
    'syntax',
  ],
  [/There are more than \d+ placeholders\./g, 'many'],
  [/Mails with the key \S+ have no variable (?<name>\{\{\w+\}\})\. They have: (?<names>[\w, ]+)\./g, 'unknown'],
  [/(?<name>\{\{\w+\}\}) stands in a comment or a declaration, where it cannot be shown safely\./g, 'comment'],
  [/(?<name>\{\{\w+\}\}) stands in (?<said>\S+), where its value could do more than be read\./g, 'place'],
  [/(?<name>\{\{\w+\}\}) stands inside of a tag\. It may stand [^"]+"\{\{\w+\}\}"\./g, 'tag'],
  [/The value of (?<said>\S+) needs quotes around it: \S+="(?<name>\{\{\w+\}\})"\./g, 'quotes'],
  [
    /(?<name>\{\{\w+\}\}) begins an address: only variables whose names end in _url may, such as \{\{\w+\}\}\./g,
    'begin',
  ],
  [
    /(?<name>\{\{\w+\}\}) stands in an address that begins with (?<said>\S+), where its value could do more than be read\./g,
    'scheme',
  ],
  [/(?<name>\{\{\w+\}\}) stands in the host of an address\. It may stand behind it: \S+\}\}\./g, 'host'],
] as const satisfies [RegExp, string][]

/** What is wrong with a template, a line for each fault; what the console has no words for stays as it came. */
export function faultText(t: TFunction, message: string) {
  const found = faults.flatMap(([pattern, kind]) =>
    [...message.matchAll(pattern)].map(({ 0: all, index, groups = {} }) => ({
      index,
      length: all.length,
      text: t(`desk.templates.fault.${kind}`, { example: variableOf('name'), url: variableOf('app_url'), ...groups }),
    })),
  )
  found.sort((a, b) => a.index - b.index)
  // Between them stands a blank each; what is left over was not understood.
  const known = found.reduce((sum, { length }) => sum + length, found.length - 1)
  return known >= message.trim().length ? found.map(({ text }) => text).join('\n') : message
}

/** Why a mail did not get through, as far as what the mail server said is known. */
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
  if (/not one e-mail address|no recipients/i.test(error)) return 'address'
  if (/\b(55[0-9]|5\.\d\.\d)\b/.test(error)) return 'refused'
  if (/\b4[2-5]\d\b|\b4\.\d\.\d\b/.test(error)) return 'later'
  return 'other'
}
