import type { FormErrors } from '@mantine/form'
import type { TFunction } from 'i18next'
import { type Weekday, weekdays } from '../../../../shared/recurrence/draft'
import type { ReadRule } from '../../../../shared/recurrence/read'
import type { RecordForm } from '../../../ui/forms/useRecordForm'
import { moveDay, today } from '../../../ui/text/time-zone'
import type { RecurringPost } from './queries'

export const repeats = ['daily', 'weekly', 'monthly_day', 'monthly_weekday', 'yearly', 'custom'] as const
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
  /** The day of a month, -1 for the last. */
  month_day: string
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
  variant_order: RecurringPost['variant_order']
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

const weekdayOfDate = (date: string): Weekday => weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'MO'

export function newValues(zone: string, account_ids: string[]): RecurringValues {
  const date = moveDay(today(zone), 1)
  return {
    repeat: 'weekly',
    interval: '1',
    days: [weekdayOfDate(date)],
    month_day: String(Number(date.slice(8))),
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
    variant_order: 'in_order',
    texts: [newText()],
  }
}

/** The rule in words that RFC 5545 knows. */
export function ruleOf(values: RecurringValues) {
  const { repeat, interval, days, month_day, place, weekday, rule, date, end, until, count } = values
  if (repeat === 'custom') return rule.trim()
  const every = Number(interval) > 1 ? `;INTERVAL=${Number(interval)}` : ''
  const frequency = {
    daily: `FREQ=DAILY${every}`,
    weekly: `FREQ=WEEKLY${every};BYDAY=${weekdays.filter((day) => days.includes(day)).join(',')}`,
    monthly_day: `FREQ=MONTHLY${every};BYMONTHDAY=${month_day}`,
    monthly_weekday: `FREQ=MONTHLY${every};BYDAY=${numbers[place]}${weekday}`,
    yearly: `FREQ=YEARLY${every};BYMONTH=${Number(date.slice(5, 7))};BYMONTHDAY=${Number(date.slice(8, 10))}`,
  }[repeat]
  if (end === 'on') return `${frequency};UNTIL=${until.slice(0, 10).replaceAll('-', '')}`
  return end === 'after' ? `${frequency};COUNT=${Number(count)}` : frequency
}

export const startOf = ({ date, time }: RecurringValues) => `${date.slice(0, 10)}T${time}`

/** The simple choice that a rule is, or `custom`. `date`: its first date, which gives what the rule leaves open. */
function choiceOf(rule: string, date: string): Partial<RecurringValues> {
  const parts = new Map(rule.split(';').map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']))
  const { FREQ, INTERVAL = '1', BYDAY, BYMONTH, BYMONTHDAY, UNTIL, COUNT, ...others } = Object.fromEntries(parts)
  if (Object.keys(others).length > 0) return { repeat: 'custom' }
  const whole = UNTIL && /^(\d{4})(\d\d)(\d\d)$/.exec(UNTIL)
  if (UNTIL && !whole) return { repeat: 'custom' }
  const rest: Partial<RecurringValues> = {
    interval: INTERVAL,
    ...(whole && { end: 'on', until: whole.slice(1).join('-') }),
    ...(COUNT && { end: 'after', count: COUNT }),
  }
  const nth = BYDAY && /^(-1|[1-4])(\w\w)$/.exec(BYDAY)
  const [month, day] = [date.slice(5, 7), date.slice(8, 10)].map((part) => String(Number(part)))
  const isOnDate = (BYMONTH ?? month) === month && (BYMONTHDAY ?? day) === day && !BYMONTH === !BYMONTHDAY
  if (FREQ === 'YEARLY' && !BYDAY && isOnDate) return { ...rest, repeat: 'yearly' }
  const month_day = BYMONTHDAY ?? day ?? '1'
  const isOneDay = FREQ === 'MONTHLY' && !BYDAY && /^(?:-1|\d+)$/.test(month_day)
  if (BYMONTH || (BYMONTHDAY && !isOneDay)) return { repeat: 'custom' }
  if (FREQ === 'DAILY' && !BYDAY) return { ...rest, repeat: 'daily' }
  if (FREQ === 'WEEKLY' && BYDAY) return { ...rest, repeat: 'weekly', days: BYDAY.split(',') }
  if (isOneDay) return { ...rest, repeat: 'monthly_day', month_day }
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
  { rule, starts_at, timezone, variants, variant_order }: RecurringPost,
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
    month_day: String(Number(date.slice(8))),
    weekday: weekdayOfDate(date),
    rule,
    ...choiceOf(rule, date),
    date,
    time,
    variant_order,
    texts: variants.map(newText),
  }
}

/** The values with what a text says. */
export function withText(values: RecurringValues, { rule, time, starts_on }: ReadRule): Partial<RecurringValues> {
  const date = starts_on ?? values.date
  return { interval: '1', end: 'never', rule, ...choiceOf(rule, date), date, time: time ?? values.time }
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
  variant_order: values.variant_order,
})

const timesOf = (values: RecurringValues) => [ruleOf(values), startOf(values), values.timezone].join()
const contentsOf = ({ texts, account_ids }: RecurringValues) =>
  JSON.stringify([texts.map(({ content }) => content), account_ids.toSorted()])

export const isChanged = (a: RecurringValues, b: RecurringValues) =>
  timesOf(a) !== timesOf(b) || contentsOf(a) !== contentsOf(b) || a.variant_order !== b.variant_order

/** Only what was changed, so that the variants keep what the form does not show. */
export function toPatch(values: RecurringValues, before: RecurringValues) {
  const { variants, variant_order, ...times } = toBody(values, before.account_ids)
  return {
    ...(timesOf(values) !== timesOf(before) && times),
    ...(contentsOf(values) !== contentsOf(before) && { variants }),
    ...(variant_order !== before.variant_order && { variant_order }),
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
