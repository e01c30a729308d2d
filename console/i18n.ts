import i18next, { type TFunction } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type en from './locales/en.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

export type Language = 'en' | 'tr'
export const languages: Record<Language, string> = { en: 'English', tr: 'Türkçe' }

/** `first`: what is shown before anybody is signed in. `locales/parts.json` says what is in which; the rest is `rooms`. */
type Part = 'first' | 'rooms' | 'desk'
const load: Record<Language, Record<Part, () => Promise<{ default: object }>>> = {
  en: {
    first: () => import('./locales/en.json?first'),
    rooms: () => import('./locales/en.json?rooms'),
    desk: () => import('./locales/en.json?desk'),
  },
  tr: {
    first: () => import('./locales/tr.json?first'),
    rooms: () => import('./locales/tr.json?rooms'),
    desk: () => import('./locales/tr.json?desk'),
  },
}
const parts = new Set<Part>(['first'])
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
const KEY = 'meydan.language'

/** A text whose key is known only at run time; `fallback` where the language has none for it. */
export const told = (t: TFunction, key: string, fallback: string, values: Record<string, string> = {}) =>
  t(key as 'ui.wrong', { ...values, defaultValue: fallback })

export const languageOf = (locale: string): Language => (locale.split('-', 1)[0] === 'tr' ? 'tr' : 'en')

/** The language tag for a language that the browser prefers: en may be en-GB there. */
export const localeFor = (language: Language) =>
  navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ?? language

let wanted: Language | undefined

export async function setLanguage(language: Language) {
  wanted = language
  await loadParts(language)
  // Another was chosen while this one was loading.
  if (wanted !== language || i18next.language === language) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  localStorage.setItem(KEY, language)
}

/** Rooms, with the texts that they are written in. */
export async function withTexts<Rooms>(rooms: Promise<Rooms>, ...needed: Part[]): Promise<Rooms> {
  for (const part of needed) parts.add(part)
  const [bundle] = await Promise.all([rooms, loadParts(wanted ?? currentLanguage())])
  return bundle
}

export const currentLanguage = () => languageOf(i18next.language)

/** The `lang` of what networks and servers say, which is English always. */
export const inEnglish = () => (currentLanguage() === 'en' ? undefined : 'en')

/** The language that was chosen in this browser, else the first that it prefers. */
export async function startI18n() {
  await i18next.use(initReactI18next).init({
    resources: {},
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  const preferred = localStorage.getItem(KEY) ?? navigator.languages.find((tag) => /^(en|tr)\b/.test(tag)) ?? 'en'
  await setLanguage(languageOf(preferred))
}
