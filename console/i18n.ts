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

const load: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import('./locales/en.json'),
  tr: () => import('./locales/tr.json'),
}
const KEY = 'meydan.language'

/** A text whose key is known only at run time; `fallback` where the language has none for it. */
export const told = (t: TFunction, key: string, fallback: string) => t(key as 'ui.wrong', { defaultValue: fallback })

export const languageOf = (locale: string): Language => (locale.split('-', 1)[0] === 'tr' ? 'tr' : 'en')

/** The language tag for a language that the browser prefers: en may be en-GB there. */
export const localeFor = (language: Language) =>
  navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ?? language

let wanted: Language | undefined

export async function setLanguage(language: Language) {
  wanted = language
  if (!i18next.hasResourceBundle(language, 'translation'))
    i18next.addResourceBundle(language, 'translation', (await load[language]()).default)
  // Another was chosen while this one was loading.
  if (wanted !== language || i18next.language === language) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  localStorage.setItem(KEY, language)
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
