/** Languages of Meydan's own texts. */
export type Language = 'en' | 'tr'

/** A text that users read, in every language of Meydan. */
export type Text = Record<Language, string>

/** The language of texts for a locale such as `tr-TR`: English when Meydan has no texts in that of the locale. */
export const languageOf = (locale: string): Language => (locale.split('-', 1)[0] === 'tr' ? 'tr' : 'en')

/** Writes times in mails: day, hour and time zone, in the language and the time zone of the reader. */
export const mailTimeFormat = (language: Language, timeZone: string) =>
  new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
