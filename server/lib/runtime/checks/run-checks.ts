import { isUnreachable } from '../../db/database.ts'
import { codeOf } from '../../error-code.ts'
import { sanitizeExternalText } from '../../text.ts'
import { type Check, type CheckContext, error, type Finding, type Level, type Values, warning } from './check.ts'

/** Milliseconds for each check. All run at the same time. */
export const CHECK_MS = 5000

/** There is no database to open, or it cannot be opened for the reason in `cause`. Its own check reports that. */
export class NoDatabase extends Error {}

/** The secret key does not fit the database, which its own check reports. */
export class NoSecretKey extends Error {}

/** Outcomes that every check can have besides its own. */
export const commonOutcomes = {
  timed_out: warning(
    'There was no result within {{seconds}} s.',
    'Try again. If it stays so, the database or a server that this check calls responds too slowly.',
  ),
  not_checked: warning(
    'This could not be checked, because the database cannot be used.',
    'Follow what the check of the database says.',
  ),
  no_secret_key: warning(
    'This could not be checked, because the secret key cannot be used.',
    'Follow what the check of the secret key says.',
  ),
  not_migrated: warning(
    'This could not be checked, because the database lacks tables of this version.',
    'Follow what the check of migrations says.',
  ),
  failed: error(
    'The check failed: {{reason}}',
    'Try again. If it stays so, report it with the version of Meydan and this text.',
  ),
}

export type CheckResult = Pick<Check, 'name' | 'group'> & {
  level: Level
  code: string
  values: Values
  message: string
  remedy: string | null
}

/** Runs checks, each with a time limit. One that fails is a result like the others. */
export const runChecks = (context: CheckContext, checks: readonly Check[], limitMs = CHECK_MS) =>
  Promise.all(checks.map((check) => runCheck(context, check, limitMs)))

async function runCheck(context: CheckContext, check: Check, limitMs: number): Promise<CheckResult> {
  const { name, group, outcomes } = check
  const timeout = Promise.withResolvers<Finding>()
  const timer = setTimeout(
    () => timeout.resolve({ outcome: 'timed_out', values: { seconds: limitMs / 1000 } }),
    limitMs,
  )
  const found = await Promise.race([find(context, check), timeout.promise])
  clearTimeout(timer)
  const { outcome, values = {} } = found
  const own = outcomes[outcome]
  const { level, message, remedy } = own ?? commonOutcomes[outcome as keyof typeof commonOutcomes]
  return {
    name,
    group,
    level,
    code: `${own ? name : 'check'}.${outcome}`,
    values,
    message: fill(message, values),
    remedy: remedy && fill(remedy, values),
  }
}

/** Runs a check. Turns its errors into findings. */
async function find(context: CheckContext, check: Check): Promise<Finding> {
  try {
    return await check.find(context)
  } catch (fault) {
    if (fault instanceof NoDatabase || isUnreachable(fault)) return { outcome: 'not_checked' }
    if (fault instanceof NoSecretKey) return { outcome: 'no_secret_key' }
    // Tables or columns that another version has not created yet.
    if (['42P01', '42703', '3F000'].includes(codeOf(fault))) return { outcome: 'not_migrated' }
    return { outcome: 'failed', values: { reason: reasonOf(fault) } }
  }
}

/** The first line of an error, to be shown. Errors of failed connections to several addresses have a code only. */
export const reasonOf = (fault: unknown) => {
  const words = fault instanceof Error ? fault.message.trim() || codeOf(fault) || fault.name : String(fault)
  return sanitizeExternalText(words.split('\n', 1)[0] ?? words)
}

const numbers = new Intl.NumberFormat('en')

const fill = (text: string, values: Values) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    if (typeof value === 'number') return numbers.format(value)
    return name.endsWith('_at') ? `${value.slice(0, 16).replace('T', ' ')} UTC` : value
  })
