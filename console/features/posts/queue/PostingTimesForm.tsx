import { ActionIcon, Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrapWithEtag, workspaceApi } from '../../../api'
import { FormSection } from '../../../ui/forms/FormSection'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { type Loaded, useRecordForm } from '../../../ui/forms/useRecordForm'
import { useFormat } from '../../../ui/text/format'
import { ZoneField } from '../../workspaces/fields'
import { useWorkspace } from '../../workspaces/queries'
import { keys } from '../queries'
import { BestTimes } from './BestTimes'
import { type PostingTimes, postingTimesQuery } from './queries'
import classes from './queue.module.css'

const MAX_TIMES = 100
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
type Weekday = (typeof weekdays)[number]

/** 1 January 2024 was a Monday. */
const dateOf = (weekday: Weekday) => new Date(Date.UTC(2024, 0, 1 + weekdays.indexOf(weekday)))

type Values = { timezone: string; times: PostingTimes['times'] }

const placeOf = ({ weekday, time }: PostingTimes['times'][number]) => `${weekdays.indexOf(weekday)} ${time}`
const inOrder = (times: PostingTimes['times']) => times.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)))
const textOf = (times: PostingTimes['times']) => inOrder(times).map(placeOf).join()

/** The posting times of an account by day; a new one is added to several days at once. */
export function PostingTimesForm({ account, opened }: { account: string; opened: Loaded<PostingTimes> }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { locale, timeOfDay } = useFormat()
  const params = { path: { id: account } }
  const state = useRecordForm({
    start: opened,
    query: () => postingTimesQuery(slug, account),
    toValues: ({ timezone, times }: PostingTimes): Values => ({ timezone, times }),
    toPatch: (values: Values) => values,
    isChanged: (a, b) => a.timezone !== b.timezone || textOf(a.times) !== textOf(b.times),
    update: (body, { etag }) =>
      unwrapWithEtag(
        workspaceApi(slug).PUT('/api/v1/accounts/{id}/posting-times', { params, body, headers: { 'if-match': etag } }),
      ),
    onUpdated: () => {
      notifications.show({ message: t('queue.saved') })
      return queryClient.invalidateQueries({ queryKey: keys.list(slug) })
    },
  })
  const { form } = state
  const { times } = form.values
  const write = (weekday: 'long' | 'short') => new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
  const setTimes = (changed: PostingTimes['times']) => form.setFieldValue('times', inOrder(changed))
  return (
    <form onSubmit={state.onSubmit} noValidate>
      <FormSection title={t('queue.times')} about={t('queue.times_about')}>
        <ul className={classes.week}>
          {weekdays.map((weekday) => {
            const ofDay = times.filter((one) => one.weekday === weekday)
            const day = write('long').format(dateOf(weekday))
            return (
              <li key={weekday}>
                <span className={classes.weekday}>{day}</span>
                {ofDay.length === 0 && (
                  <Text span c="dimmed" fz="sm">
                    {t('queue.no_time')}
                  </Text>
                )}
                {ofDay.map((one) => (
                  <span key={one.time} className={`tabular ${classes.pill}`}>
                    {timeOfDay(one.time)}
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={24}
                      aria-label={t('queue.remove', { day, time: timeOfDay(one.time) })}
                      onClick={() => setTimes(times.filter((other) => other !== one))}
                    >
                      <X size={14} />
                    </ActionIcon>
                  </span>
                ))}
              </li>
            )
          })}
        </ul>
        <AddTime account={account} timezone={form.values.timezone} times={times} onAdd={setTimes} />
        <ZoneField {...form.getInputProps('timezone')} description={t('queue.zone_about')} />
        <RecordFormActions
          state={state}
          save={t('queue.save')}
          conflict={{ title: t('queue.changed_title'), detail: t('queue.changed_detail') }}
        />
      </FormSection>
    </form>
  )
}

type AddTimeProps = {
  account: string
  timezone: string
  times: PostingTimes['times']
  onAdd: (times: PostingTimes['times']) => void
}

function AddTime({ account, timezone, times, onAdd }: AddTimeProps) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const [time, setTime] = useState('09:00')
  const [days, setDays] = useState<string[]>(weekdays.slice(0, 5))
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const short = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const add = () => {
    const added = weekdays
      .filter((weekday) => days.includes(weekday))
      .filter((weekday) => !times.some((one) => one.weekday === weekday && one.time === time))
      .map((weekday) => ({ weekday, time }))
    if (!time || days.length === 0) return setProblem(t('queue.choose'))
    if (times.length + added.length > MAX_TIMES) return setProblem(t('queue.full'))
    setProblem(undefined)
    onAdd([...times, ...added])
  }
  return (
    <>
      <fieldset className={classes.add}>
        <Text component="legend" fw={600}>
          {t('queue.add')}
        </Text>
        <Checkbox.Group label={t('queue.days')} value={days} onChange={setDays}>
          <Group gap="sm" mt={6}>
            {weekdays.map((day) => (
              <Checkbox key={day} value={day} label={short.format(dateOf(day))} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group align="flex-end" mt="sm" gap="sm">
          <TextInput
            ref={field}
            type="time"
            label={t('queue.time')}
            w={130}
            value={time}
            onChange={({ currentTarget }) => setTime(currentTarget.value.slice(0, 5))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              add()
            }}
          />
          <Button variant="light" onClick={add}>
            {t('queue.add_button')}
          </Button>
        </Group>
        <Text fz="sm" c="var(--mantine-color-error)" mt={6} role="alert">
          {problem}
        </Text>
      </fieldset>
      <BestTimes
        account={account}
        timezone={timezone}
        onUse={(better, kind) => {
          setTime(better)
          setDays(kind === 'weekday' ? weekdays.slice(0, 5) : weekdays.slice(5))
          field.current?.focus()
        }}
      />
    </>
  )
}
