import type { TFunction } from 'i18next'
import type { components } from '../../../api.gen'
import { dollarsToText, hasThousands, textToDollars } from '../../../ui/forms/dollars'
import type { RecordForm } from '../../../ui/forms/useRecordForm'
import type { Agent } from '../queries'

type NewAgent = components['schemas']['NewAgent']

/** Kinds of schedules: by hand only, on days of the week at a time, or in the fields of cron. */
type ScheduleMode = 'manual' | 'days' | 'cron'

/** The form's values; numbers are texts while they are typed. `days`: days of the week, from 0 for Sunday. */
export type AgentValues = {
  name: string
  description: string
  category: Agent['category']
  tags: string[]
  role: string
  persona: string
  system_prompt: string
  voice: string
  language: string
  image_style: string
  generate_image: boolean
  design: boolean
  video: boolean
  account_ids: string[]
  mode: ScheduleMode
  days: string[]
  time: string
  /** Typed; `cronOf` returns the one to save. */
  schedule_cron: string
  timezone: string
  posts_per_run: string
  daily_limit: string
  /** Empty for no budget. */
  monthly_credits: string
  /** In dollars. Empty for no limit. */
  monthly_spend_limit_usd: string
  autonomy_level: Agent['autonomy_level']
  quiet_from: string
  quiet_until: string
  link_domains: string[]
  forbidden_words: string[]
  model_id: string | null
}

export type AgentFormState = RecordForm<AgentValues, Agent>

/** 1 January 2023 was a Sunday. */
export const dateOfWeekday = (weekday: string) => new Date(Date.UTC(2023, 0, 1 + Number(weekday)))

/** Days of the week in the order of a calendar. */
export const weekdays = ['1', '2', '3', '4', '5', '6', '0']

export const newValues = (timezone: string, account_ids: string[]): AgentValues => ({
  ...{ name: '', description: '', category: 'other', tags: [], role: '', persona: '', system_prompt: '', voice: '' },
  ...{
    language: '',
    account_ids,
    mode: 'days',
    days: ['1', '3', '5'],
    time: '09:00',
    schedule_cron: '0 9 * * 1,3,5',
    timezone,
  },
  ...{
    posts_per_run: '1',
    daily_limit: '3',
    monthly_credits: '',
    monthly_spend_limit_usd: '',
    autonomy_level: 'approve',
    quiet_from: '',
    quiet_until: '',
  },
  ...{ link_domains: [], forbidden_words: [], model_id: null },
  ...{ image_style: '', generate_image: false, design: false, video: false },
})

/** Reads days and time from a pattern such as `30 9 * * 1-5`; undefined for patterns that say more. */
export function daysOf(cron: string): Pick<AgentValues, 'days' | 'time'> | undefined {
  const [, minute = '', hour = '', list = ''] = /^(\d{1,2}) (\d{1,2}) \* \* ([\d,*-]+)$/.exec(cron) ?? []
  if (list === '') return undefined
  const days = list === '*' ? weekdays : list.split(',').flatMap(rangeOf)
  return {
    days: weekdays.filter((day) => days.includes(day)),
    time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`,
  }
}

/** The days of a range such as `1-5`, or of one day such as `1`. Both 0 and 7 are Sunday. */
function rangeOf(part: string) {
  const [from = 0, to = from] = part.split('-').map(Number)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => String((from + offset) % 7))
}

export function cronOf({ mode, days, time, schedule_cron }: AgentValues): string | null {
  if (mode === 'manual') return null
  if (mode === 'cron') return schedule_cron.trim()
  const [hour = '0', minute = '0'] = time.split(':')
  const list = days.length === weekdays.length ? '*' : days.toSorted().join(',')
  return `${Number(minute)} ${Number(hour)} * * ${list}`
}

export function toFormValues(agent: Agent): AgentValues {
  const { schedule_cron, language, quiet_from, quiet_until, posts_per_run, daily_limit, ...others } = agent
  const { monthly_credits, monthly_spend_limit_usd, ...rest } = others
  const simple = schedule_cron === null ? undefined : daysOf(schedule_cron)
  const { days, time, schedule_cron: example } = newValues('', [])
  return {
    ...rest,
    mode: schedule_cron === null ? 'manual' : simple ? 'days' : 'cron',
    ...(simple ?? { days, time }),
    schedule_cron: schedule_cron ?? example,
    language: language ?? '',
    quiet_from: quiet_from ?? '',
    quiet_until: quiet_until ?? '',
    posts_per_run: String(posts_per_run),
    daily_limit: String(daily_limit),
    monthly_credits: String(monthly_credits ?? ''),
    monthly_spend_limit_usd: dollarsToText(monthly_spend_limit_usd),
  }
}

/** Null for an empty field. */
export const textToCredits = (text: string) => (text.trim() ? Number(text) : null)

export const toBody = (values: AgentValues) =>
  ({
    name: values.name.trim(),
    description: values.description.trim(),
    category: values.category,
    tags: values.tags,
    role: values.role.trim(),
    persona: values.persona.trim(),
    system_prompt: values.system_prompt.trim(),
    voice: values.voice.trim(),
    language: values.language || null,
    image_style: values.image_style.trim(),
    generate_image: values.generate_image,
    design: values.design,
    video: values.video,
    account_ids: values.account_ids,
    schedule_cron: cronOf(values),
    timezone: values.timezone,
    posts_per_run: Number(values.posts_per_run),
    daily_limit: Number(values.daily_limit),
    monthly_credits: textToCredits(values.monthly_credits),
    monthly_spend_limit_usd: textToDollars(values.monthly_spend_limit_usd),
    autonomy_level: values.autonomy_level,
    quiet_from: values.quiet_from || null,
    quiet_until: values.quiet_until || null,
    link_domains: values.link_domains,
    forbidden_words: values.forbidden_words,
    model_id: values.model_id,
  }) satisfies NewAgent

/** Only the fields changed here, so that simultaneous changes by others survive. */
export function changedFields(values: AgentValues, before: AgentValues): Partial<ReturnType<typeof toBody>> {
  const old: Record<string, unknown> = toBody(before)
  return Object.fromEntries(
    Object.entries(toBody(values)).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(old[field])),
  )
}

export const isChanged = (values: AgentValues, before: AgentValues) =>
  Object.keys(changedFields(values, before)).length > 0

const isBetween = (text: string, low: number, high: number) =>
  /^\d{1,7}$/.test(text.trim()) && Number(text) >= low && Number(text) <= high

/** Maximum of a budget, as in the API. */
const MAX_CREDITS = 1_000_000

/** The fault of a budget in credits, if there is one. */
export const creditsFault = (t: TFunction, text: string) =>
  text.trim() && !isBetween(text, 1, MAX_CREDITS) ? t('agents.between', { low: 1, high: MAX_CREDITS }) : null

/** Bounds of a limit of money, as in the API. */
const [MIN_LIMIT, MAX_LIMIT] = [0.001, 1_000_000]

/** Faults found without a request. */
export function validateAgent(t: TFunction, values: AgentValues) {
  const faults: Record<string, string> = {}
  if (!values.name.trim()) faults.name = t('field.required')
  if (values.mode === 'days' && values.days.length === 0) faults.days = t('agents.choose_day')
  if (values.mode === 'days' && !values.time) faults.time = t('field.required')
  if (values.mode === 'cron' && !values.schedule_cron.trim()) faults.schedule_cron = t('field.required')
  if (!isBetween(values.posts_per_run, 1, 10)) faults.posts_per_run = t('agents.between', { low: 1, high: 10 })
  if (!isBetween(values.daily_limit, 1, 50)) faults.daily_limit = t('agents.between', { low: 1, high: 50 })
  const fault = creditsFault(t, values.monthly_credits)
  if (fault) faults.monthly_credits = fault
  const usd = textToDollars(values.monthly_spend_limit_usd)
  if (usd !== null && !(usd >= MIN_LIMIT && usd <= MAX_LIMIT))
    faults.monthly_spend_limit_usd = t(
      hasThousands(values.monthly_spend_limit_usd) ? 'ui.no_thousands' : 'agents.limit_wrong',
    )
  if (!values.quiet_from !== !values.quiet_until)
    faults[values.quiet_from ? 'quiet_until' : 'quiet_from'] = t('agents.quiet_both')
  return faults
}
