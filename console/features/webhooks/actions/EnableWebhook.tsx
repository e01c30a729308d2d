import { Button, Radio, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { useRecoverDeliveries, useSetWebhookActive } from '../mutations'
import { formatCount, statsQuery, type Webhook } from '../queries'
import { beforeFailure, timeRanges, withinRetention } from './time-ranges'

type Props = { webhook: Webhook; opened: boolean; onClose: () => void }

/** Enables a webhook again and asks whether to send missed deliveries. */
export function EnableWebhook({ webhook, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('webhooks.enable_ask')}>
      <EnableForm webhook={webhook} onClose={onClose} />
    </Dialog>
  )
}

const choices = ['began', 'disabled', 'day', 'week', 'kept', 'none'] as const

function EnableForm({ webhook, onClose }: Pick<Props, 'webhook' | 'onClose'>) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const stats = useQuery({ ...statsQuery(slug, webhook.id, '24h'), staleTime: 0 })
  // Enabling resets these.
  const [{ disabled_reason, disabled_at, first_failure_at }] = useState(webhook)
  const times = {
    began: disabled_reason === 'manual' ? null : first_failure_at,
    disabled: disabled_reason === 'manual' ? disabled_at : null,
  }
  const offered = choices.filter((name) => (name === 'began' || name === 'disabled' ? times[name] : true))
  const [choice, setChoice] = useState(offered[0] ?? 'none')
  const setActive = useSetWebhookActive(webhook.id)
  const recover = useRecoverDeliveries(webhook.id)
  const kept = stats.data ? stats.data.held + stats.data.exhausted : 0
  const sends = kept > 0 && choice !== 'none'
  const since = () => {
    if (kept === 0 || choice === 'none') return undefined
    if (choice === 'began') return times.began ? withinRetention(beforeFailure(times.began)) : undefined
    if (choice === 'disabled') return times.disabled ? withinRetention(new Date(times.disabled).getTime()) : undefined
    return withinRetention(Date.now() - timeRanges[choice])
  }
  const enable = useMutation({
    mutationFn: async (from: Date | undefined) => {
      await setActive.mutateAsync(true)
      return from && recover.mutateAsync(from)
    },
    onSuccess: (sent) => {
      if (sent === 0)
        notifications.show({
          color: 'yellow',
          message: t('webhooks.enabled_none', { count: kept, number: formatCount(format, kept) }),
        })
      else
        notifications.show({
          message: sent
            ? t('webhooks.enabled_recovered', { count: sent, number: format.number(sent) })
            : t('webhooks.enabled'),
        })
      onClose()
    },
  })
  return (
    <Stack>
      <Text>{t('webhooks.enable_detail')}</Text>
      {stats.isPending && <LoadingSkeleton lines={1} height={90} />}
      {stats.error && <ProblemAlert error={stats.error} onRetry={() => stats.refetch()} />}
      {stats.data &&
        (kept === 0 ? (
          <Text c="dimmed">{t('webhooks.nothing_kept')}</Text>
        ) : (
          <>
            <Text>
              {t('webhooks.held', { count: stats.data.held, number: formatCount(format, stats.data.held) })}{' '}
              {stats.data.exhausted > 0 &&
                t('webhooks.exhausted', {
                  count: stats.data.exhausted,
                  number: formatCount(format, stats.data.exhausted),
                })}
            </Text>
            <Radio.Group
              label={t('webhooks.recover_label')}
              value={choice}
              onChange={(name) => setChoice(offered.find((known) => known === name) ?? 'none')}
            >
              <Stack gap="xs" mt="xs">
                {offered.map((name) => {
                  const time = name === 'began' || name === 'disabled' ? times[name] : null
                  return (
                    <Radio
                      key={name}
                      value={name}
                      label={t(`webhooks.recover_${name}`, { time: time ? format.dateTime(time) : '' })}
                    />
                  )
                })}
              </Stack>
            </Radio.Group>
            <Text c="dimmed" fz="sm">
              {t('webhooks.recover_later')}
            </Text>
          </>
        ))}
      {enable.error && <ProblemAlert error={enable.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button loading={enable.isPending} disabled={stats.isPending} onClick={() => enable.mutate(since())}>
          {sends ? t('webhooks.enable_recover') : t('webhooks.enable')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
