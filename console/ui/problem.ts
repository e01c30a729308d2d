import type { TFunction } from 'i18next'
import { ApiProblem } from '../api'
import { currentLanguage } from '../i18n'

type FieldError = { pointer: string; code: string; message: string }

/** What a field error says, in the language of the console. Meydan itself speaks English, and says more. */
export const fieldMessage = (t: TFunction, { code, message }: FieldError) =>
  currentLanguage() === 'en' ? message : t(`field.${code}` as 'field.invalid', { defaultValue: message })

/** What went wrong, in a sentence. */
export function problemMessage(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiProblem)) return t(navigator.onLine ? 'problem.unreachable' : 'problem.offline')
  const { code, detail } = error.problem
  return currentLanguage() === 'en' ? detail : t(`problem.${code}` as 'problem.offline', { defaultValue: detail })
}

/** Field errors by their pointer without its first slash: `content`, `targets/0/content`; of each field the first. */
export function fieldProblems(t: TFunction, error: unknown): Record<string, string> {
  const errors = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
  return Object.fromEntries(errors.toReversed().map((field) => [field.pointer.slice(1), fieldMessage(t, field)]))
}
