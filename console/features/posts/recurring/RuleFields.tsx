import { Alert, Checkbox, Group, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Weekday, weekdays } from '../../../../shared/recurrence/draft'
import { dayName } from '../../../../shared/recurrence/names'
import { currentLanguage } from '../../../i18n'
import { FormSection } from '../../../ui/forms/FormSection'
import { useFormat } from '../../../ui/text/format'
import { ZoneField } from '../../workspaces/fields'
import { useWorkspace } from '../../workspaces/queries'
import type { RecurringFormState } from './form-values'
import { ends, places, repeats, ruleOf, startOf, validate } from './form-values'
import { previewQuery } from './queries'
import { RuleTextField } from './RuleTextField'

/** A day with this name. 1 January 2024 was a Monday. */
const dateOfWeekday = (weekday: Weekday) => new Date(Date.UTC(2024, 0, 1 + weekdays.indexOf(weekday)))

type Props = Pick<RecurringFormState, 'form'>

/** When the post occurs, with its next times. */
export function RuleFields({ form }: Props) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const { repeat, end, date, month_day } = form.values
  const short = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' })
  return (
    <FormSection title={t('recurring.when')}>
      <RuleTextField form={form} />
      <Group align="flex-start">
        <Select
          label={t('recurring.repeat')}
          w={240}
          allowDeselect={false}
          data={repeats.map((value) => ({ value, label: t(`recurring.repeats.${value}`) }))}
          {...form.getInputProps('repeat')}
        />
        {repeat !== 'custom' && (
          <TextInput
            label={t(`recurring.every.${repeat}`)}
            inputMode="numeric"
            autoComplete="off"
            w={170}
            required
            {...form.getInputProps('interval')}
          />
        )}
      </Group>
      {repeat === 'weekly' && (
        <Checkbox.Group label={t('recurring.days')} {...form.getInputProps('days')}>
          <Group gap="md" mt={6}>
            {weekdays.map((day) => (
              <Checkbox key={day} value={day} label={short.format(dateOfWeekday(day))} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      {repeat === 'monthly_day' && (
        <Select
          label={t('recurring.month_day')}
          {...(Number(month_day) > 28 && { description: t('recurring.month_day_short') })}
          w={260}
          allowDeselect={false}
          data={[
            ...Array.from({ length: 31 }, (_, index) => String(index + 1)),
            { value: '-1', label: t('recurring.last_day') },
          ]}
          {...form.getInputProps('month_day')}
        />
      )}
      {repeat === 'yearly' && date && (
        <Text fz="sm">{t('recurring.on_date', { date: dayAndMonth.format(new Date(`${date}T00:00:00Z`)) })}</Text>
      )}
      {repeat === 'monthly_weekday' && (
        <Group>
          <Select
            label={t('recurring.place')}
            w={160}
            allowDeselect={false}
            data={places.map((value) => ({ value, label: t(`recurring.places.${value}`) }))}
            {...form.getInputProps('place')}
          />
          <Select
            label={t('recurring.weekday')}
            w={200}
            allowDeselect={false}
            data={weekdays.map((value) => ({ value, label: dayName(value, currentLanguage()) }))}
            {...form.getInputProps('weekday')}
          />
        </Group>
      )}
      {repeat === 'custom' && (
        <TextInput
          label={t('recurring.rule')}
          description={t('recurring.rule_about')}
          placeholder="FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"
          autoComplete="off"
          spellCheck={false}
          maxLength={300}
          required
          {...form.getInputProps('rule')}
        />
      )}
      <Group align="flex-start">
        <TextInput type="date" label={t('recurring.date')} w={190} required {...form.getInputProps('date')} />
        <TextInput type="time" label={t('recurring.time')} w={150} required {...form.getInputProps('time')} />
      </Group>
      <ZoneField {...form.getInputProps('timezone')} description={t('recurring.zone_about')} />
      {repeat !== 'custom' && (
        <>
          <SegmentedControl
            aria-label={t('recurring.end')}
            style={{ alignSelf: 'flex-start' }}
            data={ends.map((value) => ({ value, label: t(`recurring.ends.${value}`) }))}
            value={end}
            onChange={(value) => form.setFieldValue('end', ends.find((known) => known === value) ?? 'never')}
          />
          {end === 'on' && (
            <TextInput type="date" label={t('recurring.until')} w={190} required {...form.getInputProps('until')} />
          )}
          {end === 'after' && (
            <TextInput
              label={t('recurring.count')}
              inputMode="numeric"
              autoComplete="off"
              w={190}
              required
              {...form.getInputProps('count')}
            />
          )}
        </>
      )}
      <NextTimes form={form} />
    </FormSection>
  )
}

/** The next times of the rule, as the server computes them. */
function NextTimes({ form }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { values } = form
  const format = useFormat(values.timezone)
  const variants = Math.max(1, values.texts.length)
  const body = { rule: ruleOf(values), starts_at: startOf(values), timezone: values.timezone, variants }
  const [asked] = useDebouncedValue(JSON.stringify(body), 300)
  const { account_ids: _, ...faults } = validate(t, values)
  const isComplete = body.rule !== '' && !Object.keys(faults).some((path) => !path.startsWith('texts'))
  const preview = useQuery({
    ...previewQuery(slug, JSON.parse(asked) as typeof body),
    enabled: isComplete,
    placeholderData: keepPreviousData,
  })
  const times = isComplete ? (preview.data?.occurrences ?? []) : []
  return (
    <div aria-live="polite">
      <Text fw={600} fz="sm">
        {t('recurring.next')}
      </Text>
      {isComplete && preview.error && (
        <Text fz="sm" c="var(--mantine-color-error)">
          {preview.error.message}
        </Text>
      )}
      <ol style={{ margin: 0, paddingInlineStart: '1.4rem' }}>
        {!preview.error &&
          times.map((time) => (
            <li key={time}>
              <time dateTime={time} className="tabular">
                {format.full(time)}
              </time>
            </li>
          ))}
      </ol>
      {isComplete && !preview.error && preview.data && (
        <Text fz="sm" c="dimmed" mt={4}>
          {preview.data.last_occurs_at
            ? t('recurring.ends_on', { date: format.day(preview.data.last_occurs_at) })
            : t('recurring.no_end')}
        </Text>
      )}
      {isComplete && !preview.error && preview.data?.repeats_text && (
        <Alert color="yellow" icon={<Copy size={20} />} mt="sm">
          {t('recurring.repeats_text')}
        </Alert>
      )}
    </div>
  )
}
