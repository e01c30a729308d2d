import type { TFunction } from 'i18next'
import { ApiProblem, plansQuery, queryClient } from '../../api'
import { currentLanguage, translateDynamic } from '../../i18n'

type Message = { message: string; translations?: { tr?: string } }
type FieldError = Message & { pointer: string; code: string }

/** A message of the API in the console's language, where Meydan has written it in that language. */
export function messageInLanguage({ message, translations = {} }: Message) {
  const language = currentLanguage()
  return language === 'en' ? message : translations[language]
}

/** A field error in the console's language. What only its code says is less detailed than the English message. */
const fieldMessage = (t: TFunction, { code, ...texts }: FieldError) =>
  messageInLanguage(texts) ??
  translateDynamic(t, `field.${code}`, translateDynamic(t, `problem.${code}`, texts.message))

const fieldErrors = (error: unknown): FieldError[] => (error instanceof ApiProblem ? (error.problem.errors ?? []) : [])

/** Limits of plans; others are Meydan's own. */
const planMeters = [
  'social_accounts',
  'posts_per_month',
  'scheduled_posts_max',
  'ai_credits',
  'team_members',
  'storage_mb',
] as const

const meterOf = ({ code, meter }: ApiProblem['problem']) =>
  code === 'limit_exceeded' ? planMeters.find((one) => one === meter) : undefined

/** Whether the limit of a plan was reached. */
export const isPlanLimit = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && meterOf(error.problem) !== undefined

/** Names the limit reached and the plan with a higher one, by its name if loaded. */
function limitMessage(t: TFunction, problem: ApiProblem['problem']) {
  const { limit = 0, used = 0, upgrade_plan } = problem
  const numbers = new Intl.NumberFormat(currentLanguage())
  const so = t(`usage.exceeded.${meterOf(problem) ?? 'storage_mb'}`, {
    limit: numbers.format(limit),
    used: numbers.format(used),
  })
  const plans = queryClient.getQueryData(plansQuery.queryKey)
  const more = plans?.find(({ code }) => code === upgrade_plan)?.name ?? upgrade_plan
  return more ? `${so} ${t('usage.exceeded_more', { plan: more })}` : so
}

/** The error as a sentence, or one for each field. */
export function problemMessage(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiProblem)) return t(navigator.onLine ? 'problem.unreachable' : 'problem.offline')
  const messages = fieldErrors(error).map((field) => fieldMessage(t, field))
  if (messages.length > 0) return [...new Set(messages)].join(' ')
  const { code, detail } = error.problem
  if (isPlanLimit(error)) return limitMessage(t, error.problem)
  return currentLanguage() === 'en' ? detail : translateDynamic(t, `problem.${code}`, detail)
}

/** The first error of each field, by its pointer without the first slash: `content`, `targets/0/content`. */
export function fieldProblems(t: TFunction, error: unknown): Record<string, string> {
  return Object.fromEntries(
    fieldErrors(error)
      .toReversed()
      .map((field) => [field.pointer.slice(1), fieldMessage(t, field)]),
  )
}

/** Error codes that concern one field without naming it, such as `password_wrong`. */
export type FieldOfCode<Field extends string> = { [Code in ApiProblem['problem']['code']]?: Field }

/** Splits errors into those of the form's fields and the rest: null if there is no other. */
export function splitProblem(t: TFunction, error: Error | null, known: string[], at: FieldOfCode<string> = {}) {
  const meant = error instanceof ApiProblem && at[error.problem.code]
  if (meant) return { fields: { [meant]: problemMessage(t, error) }, rest: null }
  const fields: Record<string, string> = {}
  const others: FieldError[] = []
  for (const field of fieldErrors(error)) {
    const name = field.pointer.split('/')[1] ?? ''
    if (known.includes(name)) fields[name] ??= fieldMessage(t, field)
    else others.push(field)
  }
  const allFound = Object.keys(fields).length > 0 && others.length === 0
  if (allFound) return { fields, rest: null }
  return { fields, rest: error instanceof ApiProblem ? new ApiProblem({ ...error.problem, errors: others }) : error }
}
