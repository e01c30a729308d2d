import { currentLanguage } from '../../../i18n'
import type { RecurringPost } from './queries'

/** A text as the start of a line. */
export const asSentence = (text: string, language: string) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1)

/** The rule of a recurring post in words. */
export function Repetition({ recurring: { rule, rule_text, timezone } }: { recurring: RecurringPost }) {
  const language = currentLanguage()
  return (
    <>
      {rule_text ? asSentence(rule_text[language], language) : rule} ({timezone})
    </>
  )
}
