import i18next, { type TFunction } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { loadCode } from './load-code'
import type { Texts } from './texts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Texts }
  }
}

export type Language = 'en' | 'tr'
export const languages: Record<Language, string> = { en: 'English', tr: 'Türkçe' }

/**
 * The part of the console that shows the texts: a folder in `locales/`; `workspace` is all files outside of these
 * folders. The shell, the calendar and the list of posts show no text of `further`, so that they load sooner.
 */
type Part = 'signed-out' | 'workspace' | 'further' | 'instance-admin'
const load: Record<Language, Record<Part, () => Promise<{ default: object }>>> = {
  en: {
    'signed-out': () => import('virtual:texts/en/signed-out'),
    workspace: () => import('virtual:texts/en/workspace'),
    further: () => import('virtual:texts/en/further'),
    'instance-admin': () => import('virtual:texts/en/instance-admin'),
  },
  tr: {
    'signed-out': () => import('virtual:texts/tr/signed-out'),
    workspace: () => import('virtual:texts/tr/workspace'),
    further: () => import('virtual:texts/tr/further'),
    'instance-admin': () => import('virtual:texts/tr/instance-admin'),
  },
}
const parts = new Set<Part>(['signed-out'])
const loaded = new Set<string>()

const loadParts = (language: Language) =>
  Promise.all(
    [...parts].map(async (part) => {
      const name = `${language} ${part}`
      if (loaded.has(name)) return
      i18next.addResourceBundle(language, 'translation', (await load[language][part]()).default, true)
      loaded.add(name)
    }),
  )
const COOKIE = 'meydan.language'

/** A text whose key is known only at run time; `fallback` where the language has none for it. */
export const translateDynamic = (t: TFunction, key: string, fallback: string, values: Record<string, string> = {}) =>
  t(key as 'ui.wrong', { ...values, defaultValue: fallback })

export const languageOf = (locale: string): Language => (locale.split('-', 1)[0] === 'tr' ? 'tr' : 'en')

/** The browser's own tag for a language, such as en-GB for en. */
export const localeFor = (language: Language) =>
  navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ?? language

let wanted: Language | undefined

export async function setLanguage(language: Language) {
  wanted = language
  await loadParts(language)
  // The user chose another language while this one was loading.
  if (wanted !== language || i18next.language === language) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  // A cookie, because the page links to the texts in this language before any script runs.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing where there is no HTTPS
  document.cookie = `${COOKIE}=${language}; path=/; max-age=31536000; samesite=lax`
}

/** Loads a chunk together with the texts that its pages show. */
export async function withTexts<Chunk>(chunk: Promise<Chunk>, ...needed: Part[]): Promise<Chunk> {
  for (const part of needed) parts.add(part)
  const [loadedChunk] = await loadCode(Promise.all([chunk, loadParts(wanted ?? currentLanguage())]))
  return loadedChunk
}

export const currentLanguage = () => languageOf(i18next.language)

/** The `lang` of messages from networks and servers, which are always in English. */
export const langOfEnglishText = () => (currentLanguage() === 'en' ? undefined : 'en')

/** Starts with the language chosen in this browser, else the first that the browser prefers. */
export async function startI18n() {
  await i18next.use(initReactI18next).init({
    resources: {},
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  const chosen = new RegExp(`${COOKIE}=(\\w+)`).exec(document.cookie)?.[1]
  const preferred = chosen ?? navigator.languages.find((tag) => /^(en|tr)\b/.test(tag)) ?? 'en'
  await setLanguage(languageOf(preferred))
}
