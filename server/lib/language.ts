/** Languages of Meydan's own texts. */
export type Language = 'en' | 'tr'

/** The language of texts for a locale such as `tr-TR`: English when Meydan has no texts in that of the locale. */
export const languageOf = (locale: string): Language => (locale.split('-', 1)[0] === 'tr' ? 'tr' : 'en')
