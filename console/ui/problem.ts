import type { TFunction } from 'i18next'
import { ApiProblem, plansQuery, queryClient } from '../api'
import { currentLanguage, told } from '../i18n'

type FieldError = { pointer: string; code: string; message: string }

/** What a field error says, in the language of the console. Meydan itself speaks English, and says more. */
const fieldMessage = (t: TFunction, { code, message }: FieldError) =>
  currentLanguage() === 'en' ? message : told(t, `field.${code}`, told(t, `problem.${code}`, message))

const fieldErrors = (error: unknown): FieldError[] => (error instanceof ApiProblem ? (error.problem.errors ?? []) : [])

/** What a plan limits: other limits are Meydan's own. */
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

/** Whether another plan would have allowed it. */
export const isOfPlan = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && meterOf(error.problem) !== undefined

/** Which limit of the plan was reached, and which plan has more; its name as far as it is known. */
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

/** What went wrong, in a sentence, or one for each field. */
export function problemMessage(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiProblem)) return t(navigator.onLine ? 'problem.unreachable' : 'problem.offline')
  const messages = fieldErrors(error).map((field) => fieldMessage(t, field))
  if (messages.length > 0) return [...new Set(messages)].join(' ')
  const { code, detail } = error.problem
  if (isOfPlan(error)) return limitMessage(t, error.problem)
  return currentLanguage() === 'en' ? detail : told(t, `problem.${code}`, detail)
}

/** Field errors by their pointer without its first slash: `content`, `targets/0/content`; of each field the first. */
export function fieldProblems(t: TFunction, error: unknown): Record<string, string> {
  return Object.fromEntries(
    fieldErrors(error)
      .toReversed()
      .map((field) => [field.pointer.slice(1), fieldMessage(t, field)]),
  )
}

/** Codes that speak of one field of a form, as `password_wrong` does, without naming it. */
export type FieldOfCode<Field extends string> = { [Code in ApiProblem['problem']['code']]?: Field }

/** What is wrong with the fields that a form has, and the rest: null when nothing else is wrong. */
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
