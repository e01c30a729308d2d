import { Button, Card, Group, NumberInput, Stack, Switch, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../api'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useMe } from '../auth/queries'
import { invalidateOptions, type Option, optionsQuery } from '../options/queries'
import { ZoneField } from '../workspaces/fields'

/** The daily backup: whether and when it is made, and how many are kept. */
export function BackupSchedule() {
  const options = useQuery(optionsQuery).data
  const schedule = options?.find(({ key }) => key === 'backup.schedule')
  const keep = options?.find(({ key }) => key === 'backup.keep')
  if (!schedule || !keep) return null
  // Begins anew with values that another admin saved.
  return <ScheduleForm key={`${schedule.value} ${keep.value}`} schedule={schedule} keep={keep} />
}

function ScheduleForm({ schedule, keep }: { schedule: Option; keep: Option }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const me = useMe()
  const [savedTime = '', savedZone] = String(schedule.value).split(' ')
  const [isOn, setOn] = useState(savedTime !== '')
  const [time, setTime] = useState(savedTime || '03:30')
  const [zone, setZone] = useState(savedZone ?? me.timezone ?? 'UTC')
  const [count, setCount] = useState<number | string>(Number(keep.value))
  const set = (key: string, value: string | number) =>
    unwrap(api.PUT('/api/v1/options/{key}', { params: { path: { key } }, body: { value } }))
  const save = useMutation({
    mutationFn: async () => {
      await set(keep.key, Number(count))
      if (isOn) await set(schedule.key, `${time} ${zone}`)
      else await unwrap(api.DELETE('/api/v1/options/{key}', { params: { path: { key: schedule.key } } }))
    },
    onSuccess: () => notifications.show({ message: t('admin.backups.saved') }),
    onSettled: () => Promise.all([invalidateOptions(), queryClient.invalidateQueries({ queryKey: ['backups'] })]),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Card component="section" aria-labelledby="backup-schedule">
      <Title order={2} size="h3" id="backup-schedule" mb="sm">
        {t('admin.backups.schedule')}
      </Title>
      {save.error && <ProblemAlert error={save.error} />}
      <form onSubmit={submit}>
        <Stack gap="md" align="flex-start">
          <Switch
            label={t('admin.backups.daily')}
            checked={isOn}
            onChange={({ currentTarget }) => setOn(currentTarget.checked)}
          />
          <Group gap="md" align="flex-start">
            <TextInput
              type="time"
              label={t('admin.backups.time')}
              required
              disabled={!isOn}
              value={time}
              onChange={({ currentTarget }) => setTime(currentTarget.value.slice(0, 5))}
            />
            <ZoneField
              description={undefined}
              disabled={!isOn}
              value={zone}
              onChange={(value) => value && setZone(value)}
            />
            <NumberInput
              size="md"
              label={t('admin.backups.keep')}
              required
              min={1}
              max={1000}
              allowDecimal={false}
              value={count}
              onChange={setCount}
            />
          </Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('admin.backups.save')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
