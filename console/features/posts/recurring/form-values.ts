import type { FormErrors } from '@mantine/form'
import type { TFunction } from 'i18next'
import type { RecordForm } from '../../../ui/forms/useRecordForm'
import { moveDay, today } from '../../../ui/text/time-zone'
import type { RecurringPost } from './queries'

/** Weekdays as RFC 5545 writes them. */
export const weekdays: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
/** A day with this name. 1 January 2024 was a Monday. */
export const dateOfWeekday = (weekday: string) => new Date(Date.UTC(2024, 0, 1 + weekdays.indexOf(weekday)))

export const repeats = ['daily', 'weekly', 'monthly_day', 'monthly_weekday', 'custom'] as const
export const ends = ['never', 'on', 'after'] as const
/** Places of a weekday in its month. */
export const places = ['first', 'second', 'third', 'fourth', 'last'] as const
/** The same as RFC 5545 writes them. */
const numbers: Record<string, string> = { first: '1', second: '2', third: '3', fourth: '4', last: '-1' }

/** `YYYY-MM-DD HH:mm:ss`, on the clocks of the zone. */
export type RecurringValues = {
  repeat: (typeof repeats)[number]
  interval: string
  days: string[]
  place: string
  weekday: string
  /** The rule as it is, for `custom`. */
  rule: string
  date: string
  time: string
  timezone: string
  end: (typeof ends)[number]
  until: string
  count: string
  account_ids: string[]
  /** `kept`: what the form does not show of a variant, such as its files. */
  texts: { key: string; content: string; kept: Variant | null }[]
}

export type RecurringFormState = RecordForm<RecurringValues, RecurringPost>

type Variant = RecurringPost['variants'][number]

export const newText = (kept: Variant | null = null) => ({
  key: crypto.randomUUID(),
  content: kept?.content ?? '',
  kept,
})

const weekdayOfDate = (date: string) => weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'MO'

export function newValues(zone: string, account_ids: string[]): RecurringValues {
  const date = moveDay(today(zone), 1)
  return {
    repeat: 'weekly',
    interval: '1',
    days: [weekdayOfDate(date)],
    place: 'first',
    weekday: weekdayOfDate(date),
    rule: '',
    date,
    time: '09:00',
    timezone: zone,
    end: 'never',
    until: '',
    count: '10',
    account_ids,
    texts: [newText()],
  }
}

/** The rule in words that RFC 5545 knows. */
export function ruleOf({ repeat, interval, days, place, weekday, rule, end, until, count }: RecurringValues) {
  if (repeat === 'custom') return rule.trim()
  const every = Number(interval) > 1 ? `;INTERVAL=${Number(interval)}` : ''
  const frequency = {
    daily: `FREQ=DAILY${every}`,
    weekly: `FREQ=WEEKLY${every};BYDAY=${weekdays.filter((day) => days.includes(day)).join(',')}`,
    monthly_day: `FREQ=MONTHLY${every}`,
    monthly_weekday: `FREQ=MONTHLY${every};BYDAY=${numbers[place]}${weekday}`,
  }[repeat]
  if (end === 'on') return `${frequency};UNTIL=${until.slice(0, 10).replaceAll('-', '')}`
  return end === 'after' ? `${frequency};COUNT=${Number(count)}` : frequency
}

export const startOf = ({ date, time }: RecurringValues) => `${date.slice(0, 10)}T${time}`

/** The simple choice that a rule is, or `custom`. */
function choiceOf(rule: string): Partial<RecurringValues> {
  const parts = new Map(rule.split(';').map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']))
  const { FREQ, INTERVAL = '1', BYDAY, UNTIL, COUNT, ...others } = Object.fromEntries(parts)
  if (Object.keys(others).length > 0) return { repeat: 'custom' }
  const whole = UNTIL && /^(\d{4})(\d\d)(\d\d)$/.exec(UNTIL)
  if (UNTIL && !whole) return { repeat: 'custom' }
  const rest: Partial<RecurringValues> = {
    interval: INTERVAL,
    ...(whole && { end: 'on', until: whole.slice(1).join('-') }),
    ...(COUNT && { end: 'after', count: COUNT }),
  }
  const nth = BYDAY && /^(-1|[1-4])(\w\w)$/.exec(BYDAY)
  if (FREQ === 'DAILY' && !BYDAY) return { ...rest, repeat: 'daily' }
  if (FREQ === 'WEEKLY' && BYDAY) return { ...rest, repeat: 'weekly', days: BYDAY.split(',') }
  if (FREQ === 'MONTHLY' && !BYDAY) return { ...rest, repeat: 'monthly_day' }
  if (FREQ === 'MONTHLY' && nth)
    return {
      ...rest,
      repeat: 'monthly_weekday',
      place: places.find((name) => numbers[name] === nth[1]) ?? 'first',
      weekday: nth[2] ?? 'MO',
    }
  return { repeat: 'custom' }
}

/** `accounts`: those that can be chosen. Removed ones are left out. */
export function toFormValues(
  { rule, starts_at, timezone, variants }: RecurringPost,
  accounts: readonly { id: string }[],
): RecurringValues {
  const [date = '', time = ''] = starts_at.split('T')
  const used = new Set(variants.flatMap(({ targets }) => targets.map(({ account_id }) => account_id)))
  return {
    ...newValues(
      timezone,
      accounts.map(({ id }) => id).filter((id) => used.has(id)),
    ),
    days: [weekdayOfDate(date)],
    weekday: weekdayOfDate(date),
    rule,
    ...choiceOf(rule),
    date,
    time,
    texts: variants.map(newText),
  }
}

/**
 * Where a variant is published: on its own accounts, without those that were unchecked, and on those that were checked.
 * A new one, or one whose accounts were all unchecked, is published on all.
 */
function targetsOf(kept: Variant | null, account_ids: string[], before: string[]) {
  const own = kept?.targets.filter(({ account_id }) => account_ids.includes(account_id)) ?? []
  const added = account_ids.filter((id) => !before.includes(id)).map((account_id) => ({ account_id }))
  const targets = [...own, ...added.filter(({ account_id }) => !own.some((one) => one.account_id === account_id))]
  return kept && targets.length > 0 ? targets : account_ids.map((account_id) => ({ account_id }))
}

/** The variants with these texts and accounts. What the form does not show stays. `before`: the accounts it began with. */
const variantsOf = ({ texts, account_ids }: RecurringValues, before: string[]) =>
  texts.map(({ content, kept }) => ({ ...kept, content, targets: targetsOf(kept, account_ids, before) }))

export const toBody = (values: RecurringValues, before: string[] = []) => ({
  rule: ruleOf(values),
  starts_at: startOf(values),
  timezone: values.timezone,
  variants: variantsOf(values, before),
})

const timesOf = (values: RecurringValues) => [ruleOf(values), startOf(values), values.timezone].join()
const contentsOf = ({ texts, account_ids }: RecurringValues) =>
  JSON.stringify([texts.map(({ content }) => content), account_ids.toSorted()])

export const isChanged = (a: RecurringValues, b: RecurringValues) =>
  timesOf(a) !== timesOf(b) || contentsOf(a) !== contentsOf(b)

/** Only what was changed, so that the variants keep what the form does not show. */
export function toPatch(values: RecurringValues, before: RecurringValues) {
  const { variants, ...times } = toBody(values, before.account_ids)
  return {
    ...(timesOf(values) !== timesOf(before) && times),
    ...(contentsOf(values) !== contentsOf(before) && { variants }),
  }
}

const isWhole = (text: string, most: number) => /^[1-9]\d*$/.test(text) && Number(text) <= most

export function validate(t: TFunction, values: RecurringValues): FormErrors {
  const { repeat, interval, days, date, time, end, until, count, account_ids, texts } = values
  const isSimple = repeat !== 'custom'
  return {
    ...(isSimple && !isWhole(interval, 400) && { interval: t('recurring.wrong_number', { most: 400 }) }),
    ...(repeat === 'weekly' && days.length === 0 && { days: t('recurring.choose_day') }),
    ...(!date && { date: t('recurring.choose_date') }),
    ...(!time && { time: t('recurring.choose_time') }),
    ...(isSimple && end === 'on' && !until && { until: t('recurring.choose_date') }),
    ...(isSimple && end === 'after' && !isWhole(count, 1000) && { count: t('recurring.wrong_number', { most: 1000 }) }),
    ...(account_ids.length === 0 && { account_ids: t('recurring.choose_account') }),
    ...Object.fromEntries(
      texts.flatMap(({ content, kept }, index) =>
        content.trim() || kept?.media_ids.length ? [] : [[`texts.${index}.content`, t('recurring.write_text')]],
      ),
    ),
  }
}
