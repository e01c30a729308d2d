import { Alert, Button, Radio, Stack, Text } from '@mantine/core'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { components } from '../../../api.gen'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { DateTimeField } from '../../../ui/fields/DateTimeField'
import { useFormat } from '../../../ui/text/format'
import { fromWall, moveDay, today, toWall, type Wall } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import { useRecoverDeliveries } from '../mutations'
import type { Webhook } from '../queries'
import { beforeFailure, timeRanges, withinRetention } from './time-ranges'

type Recovered = components['schemas']['Recovered']
type Props = { webhook: Webhook; opened: boolean; onClose: () => void }

/** Sends exhausted and held deliveries since a chosen time to an enabled webhook. */
export function RecoverDialog({ webhook, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('deliveries.recover_title')}>
      <RecoverForm webhook={webhook} onClose={onClose} />
    </Dialog>
  )
}

/** Focuses a button once the pressed one is gone. */
const focusButton = (shown: HTMLElement | null) => {
  shown?.querySelector('button')?.focus()
}

function RecoverForm({ webhook: { id, first_failure_at }, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const format = useFormat(timezone)
  // A success resets it while this is open.
  const [began] = useState(first_failure_at)
  const [choice, setChoice] = useState(began ? 'began' : 'day')
  const [wall, setWall] = useState<Wall | null>(() => toWall(timezone, new Date(Date.now() - timeRanges.hour)))
  const [done, setDone] = useState<Recovered>()
  const since = () => {
    const time =
      choice === 'began' && began
        ? beforeFailure(began)
        : choice === 'time' && wall
          ? fromWall(timezone, wall).getTime()
          : Date.now() - timeRanges[choice === 'week' || choice === 'kept' ? choice : 'day']
    return withinRetention(time)
  }
  const send = useRecoverDeliveries(id, setDone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setDone(undefined)
    send.mutate(since())
  }
  if (done && !send.error)
    return (
      <Stack ref={focusButton}>
        <div role="status">
          <Alert
            color={done.queued > 0 ? 'success' : 'gray'}
            icon={done.queued > 0 ? <CircleCheck size={20} /> : <CircleAlert size={20} />}
            title={t('deliveries.recovered', { count: done.queued, number: format.number(done.queued) })}
          >
            {done.remaining > 0
              ? t('deliveries.remaining', { count: done.remaining, number: format.number(done.remaining) })
              : done.queued > 0
                ? t('deliveries.recovered_detail')
                : t('deliveries.recovered_none')}
          </Alert>
        </div>
        <DialogActions>
          <Button onClick={onClose}>{t('ui.close')}</Button>
        </DialogActions>
      </Stack>
    )
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{t('deliveries.recover_about')}</Text>
        {send.error && <ProblemAlert error={send.error} />}
        <Radio.Group label={t('deliveries.since')} value={choice} onChange={setChoice} size="md">
          <Stack gap="xs" mt="xs">
            {began && <Radio value="began" label={t('deliveries.since_failures', { time: format.dateTime(began) })} />}
            <Radio value="day" label={t('deliveries.since_day')} />
            <Radio value="week" label={t('deliveries.since_week')} />
            <Radio value="kept" label={t('deliveries.since_month')} />
            <Radio value="time" label={t('deliveries.since_time')} />
          </Stack>
        </Radio.Group>
        {choice === 'time' && (
          <DateTimeField
            label={t('date_time.label', { zone: timezone })}
            minDate={`${moveDay(today(timezone), -30)} 00:00:00`}
            maxDate={`${today(timezone)} 23:59:59`}
            value={wall}
            onChange={setWall}
          />
        )}
        <Text c="dimmed" fz="sm">
          {t('deliveries.recover_kept')}
        </Text>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={send.isPending} disabled={choice === 'time' && !wall}>
            {t('deliveries.recover_send')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
