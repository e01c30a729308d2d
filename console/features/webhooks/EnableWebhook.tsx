import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { Problem } from '../../ui/screens'
import { Waiting } from '../../ui/Waiting'
import { useWorkspace } from '../workspaces/queries'
import { useRecover, useSetActive } from './acts'
import { statsQuery, type Webhook } from './queries'

type Props = { webhook: Webhook; opened: boolean; onClose: () => void }

/** Enables a webhook again, and asks whether what it missed is to be sent. */
export function EnableWebhook({ webhook, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('webhooks.enable_ask')}>
      <Enabling webhook={webhook} onClose={onClose} />
    </Dialog>
  )
}

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const KEPT = 30 * DAY
/** Counted no further. */
const MOST = 10_000

function Enabling({ webhook: { id, disabled_at }, onClose }: Pick<Props, 'webhook' | 'onClose'>) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const stats = useQuery({ ...statsQuery(slug, id, '24h'), staleTime: 0 })
  const [choice, setChoice] = useState('none')
  const setActive = useSetActive(id)
  const recover = useRecover(id)
  const since = () => {
    if (choice === 'none') return undefined
    const wanted =
      choice === 'disabled' && disabled_at
        ? new Date(disabled_at).getTime()
        : Date.now() - (choice === 'day' ? DAY : choice === 'week' ? 7 * DAY : KEPT)
    // What is older is not kept, and a call takes its time.
    return new Date(Math.max(wanted, Date.now() - KEPT + MINUTE))
  }
  const enable = useMutation({
    mutationFn: async (from: Date | undefined) => {
      await setActive.mutateAsync(true)
      return from && recover.mutateAsync(from)
    },
    onSuccess: (sent) => {
      notifications.show({
        message:
          sent === undefined
            ? t('webhooks.enabled')
            : t('webhooks.enabled_recovered', { count: sent, number: format.number(sent) }),
      })
      onClose()
    },
  })
  const kept = stats.data && stats.data.held + stats.data.exhausted
  const number = (count: number) => (count < MOST ? format.number(count) : `${format.number(MOST)}+`)
  return (
    <Stack>
      <Text>{t('webhooks.enable_detail')}</Text>
      {stats.isPending && <Waiting lines={1} height={90} />}
      {stats.error && <Problem error={stats.error} onRetry={() => stats.refetch()} />}
      {stats.data &&
        (kept === 0 ? (
          <Text c="dimmed">{t('webhooks.nothing_kept')}</Text>
        ) : (
          <>
            <Text>
              {t('webhooks.held', { count: stats.data.held, number: number(stats.data.held) })}{' '}
              {stats.data.exhausted > 0 &&
                t('webhooks.exhausted', { count: stats.data.exhausted, number: number(stats.data.exhausted) })}
            </Text>
            <Radio.Group label={t('webhooks.recover_label')} value={choice} onChange={setChoice}>
              <Stack gap="xs" mt="xs">
                <Radio value="none" label={t('webhooks.recover_none')} />
                {disabled_at && (
                  <Radio
                    value="disabled"
                    label={t('webhooks.recover_disabled', { time: format.dateTime(disabled_at) })}
                  />
                )}
                <Radio value="day" label={t('webhooks.recover_day')} />
                <Radio value="week" label={t('webhooks.recover_week')} />
                <Radio value="all" label={t('webhooks.recover_all')} />
              </Stack>
            </Radio.Group>
            <Text c="dimmed" fz="sm">
              {t('webhooks.recover_later')}
            </Text>
          </>
        ))}
      {enable.error && <Problem error={enable.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button loading={enable.isPending} onClick={() => enable.mutate(since())}>
          {choice === 'none' ? t('webhooks.enable') : t('webhooks.enable_recover')}
        </Button>
      </Group>
    </Stack>
  )
}
