import type { Static } from 'typebox'
import { type RuleTextProblem, readRuleText } from '../../../../shared/recurrence/read.ts'
import { DAY } from '../../../../shared/time.ts'
import { invalid, notFound } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { checkTimeZone } from '../../auth/locale.ts'
import { checkRecurrence, firstOccurrences, lastOccurrence, type Recurrence, ruleText, shownAt } from './occurrences.ts'
import { PREVIEWED_OCCURRENCES, type PreviewRecurrence } from './recurrence.schema.ts'
import { normalizedRule } from './rule.ts'

/** Time within which the same text is taken for a repetition. */
const REPEATED_WITHIN_MS = 3 * DAY

/** The time of day of a text that says none. */
const MORNING = '09:00'

const reasons: Record<RuleTextProblem['code'], (part: string) => { en: string; tr: string }> = {
  not_understood: (part) => ({ en: `“${part}” was not understood.`, tr: `“${part}” anlaşılamadı.` }),
  said_twice: (part) => ({ en: `“${part}” says something again.`, tr: `“${part}” bir şeyi ikinci kez söylüyor.` }),
  ambiguous: (part) => ({ en: `“${part}” can mean two things.`, tr: `“${part}” iki anlama gelebilir.` }),
  missing: () => ({ en: 'The text lacks something.', tr: 'Metinde bir şey eksik.' }),
  contradiction: () => ({
    en: 'The parts do not fit together. Say one kind of days and one end.',
    tr: 'Bölümler birbirine uymuyor. Tek tür gün ve tek bitiş yazın.',
  }),
  no_date: (part) => ({ en: `“${part}” is not a possible date.`, tr: `“${part}” olabilecek bir tarih değil.` }),
  number: (part) => ({ en: `The number in “${part}” is not possible.`, tr: `“${part}” içindeki sayı olamaz.` }),
}

function refused({ code, part, suggestions }: RuleTextProblem) {
  const { en, tr } = reasons[code](part)
  const list = suggestions.map((one) => `“${one}”`)
  if (list.length === 0) return invalid('/text', { en, tr })
  return invalid('/text', { en: `${en} Write ${list.join(' or ')}.`, tr: `${tr} Şunu yazın: ${list.join(' ya da ')}.` })
}

type Input = Static<typeof PreviewRecurrence>

/** The rule and the start of a text. What it does not say is taken from `starts_at`, or is today at nine. */
function fromText(text: string, starts_at: string | undefined, timezone: string, now: Date) {
  const today = shownAt(now.getTime(), timezone).toISOString().slice(0, 10)
  const read = readRuleText(text, 'en', today)
  if (!('rule' in read)) throw refused(read)
  const [date = today, time = MORNING] = starts_at?.split('T') ?? []
  return { rule: read.rule, starts_at: `${read.starts_on ?? date}T${read.time ?? time}` }
}

function recurrenceOf({ rule, text, starts_at, timezone }: Input & { timezone: string }, now: Date): Recurrence {
  if (text !== undefined && rule === undefined) return { ...fromText(text, starts_at, timezone, now), timezone }
  if (rule === undefined || text !== undefined)
    throw invalid('/rule', { en: 'Send either `rule` or `text`.', tr: '`rule` ya da `text` gönderin.' })
  if (starts_at === undefined)
    throw invalid('/starts_at', { en: 'Send `starts_at` with a rule.', tr: 'Kuralla birlikte `starts_at` gönderin.' })
  return { rule: normalizedRule(rule), starts_at, timezone }
}

/** The times of a rule or of a text. Stores nothing. */
export async function previewRecurrence({ db, clock }: Deps, { workspace_id }: Member, input: Input) {
  const now = clock.now()
  const workspace = await db
    .selectFrom('workspace')
    .select('timezone')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow(notFound)
  const { timezone = workspace.timezone } = input
  checkTimeZone(timezone)
  const { variants = 1, ...rest } = input
  const recurrence = recurrenceOf({ ...rest, timezone }, now)
  checkRecurrence(recurrence, now)
  const next = firstOccurrences(recurrence, now, PREVIEWED_OCCURRENCES + variants)
  return {
    ...recurrence,
    rule_text: ruleText(recurrence),
    last_occurs_at: lastOccurrence(recurrence),
    occurrences: next.slice(0, PREVIEWED_OCCURRENCES),
    repeats_text: next.some((time, index) => {
      const again = next[index + variants]
      return again !== undefined && again.getTime() - time.getTime() <= REPEATED_WITHIN_MS
    }),
  }
}
