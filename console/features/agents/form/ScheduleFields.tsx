import { Checkbox, Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/forms/FormSection'
import { useFormat } from '../../../ui/text/format'
import { ZoneField } from '../../workspaces/fields'
import { useScheduleText } from '../schedule-text'
import type { AgentFormState } from './form-values'
import { cronOf, dateOfWeekday, weekdays } from './form-values'

const modes = ['days', 'cron', 'manual'] as const

/** The times at which the agent runs, with the schedule in words. */
export function ScheduleFields({ form }: Pick<AgentFormState, 'form'>) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const scheduleText = useScheduleText()
  const names = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  const { mode, timezone, days, time } = form.values
  const isComplete = mode !== 'days' || (days.length > 0 && time !== '')
  return (
    <FormSection title={t('agents.schedule')}>
      <SegmentedControl
        aria-label={t('agents.schedule')}
        value={mode}
        onChange={(value) => form.setFieldValue('mode', modes.find((known) => known === value) ?? 'days')}
        data={modes.map((value) => ({ value, label: t(`agents.modes.${value}`) }))}
      />
      {mode === 'days' && (
        <>
          <Checkbox.Group label={t('agents.days')} {...form.getInputProps('days')}>
            <Group gap="md" mt={6}>
              {weekdays.map((day) => (
                <Checkbox key={day} value={day} label={names.format(dateOfWeekday(day))} />
              ))}
            </Group>
          </Checkbox.Group>
          <TextInput type="time" label={t('agents.time')} w={150} required {...form.getInputProps('time')} />
        </>
      )}
      {mode === 'cron' && (
        <TextInput
          label={t('agents.cron')}
          description={t('agents.cron_about')}
          placeholder="30 10 * * 1-6"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          required
          {...form.getInputProps('schedule_cron')}
        />
      )}
      {mode !== 'manual' && <ZoneField {...form.getInputProps('timezone')} description={t('agents.zone_about')} />}
      <Text fz="sm" role="status">
        {isComplete && scheduleText(cronOf(form.values))}
        {isComplete && mode !== 'manual' && ` (${timezone})`}
      </Text>
      <Group align="flex-start">
        <TextInput
          label={t('agents.posts_per_run')}
          inputMode="numeric"
          autoComplete="off"
          required
          w={190}
          {...form.getInputProps('posts_per_run')}
        />
        <TextInput
          label={t('agents.daily_limit')}
          inputMode="numeric"
          autoComplete="off"
          required
          w={190}
          {...form.getInputProps('daily_limit')}
        />
      </Group>
    </FormSection>
  )
}
