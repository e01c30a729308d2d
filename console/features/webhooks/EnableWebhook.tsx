import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { Problem } from '../../ui/screens'
import { Waiting } from '../../ui/Waiting'
import { fromWall, toWall } from '../../ui/zone'
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

const KEPT_MS = 30 * 86_400_000
/** Counted no further. */
const MOST = 10_000

function Enabling({ webhook: { id, disabled_at }, onClose }: Pick<Props, 'webhook' | 'onClose'>) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const stats = useQuery({ ...statsQuery(slug, id, '24h'), staleTime: 0 })
  const [choice, setChoice] = useState('none')
  // A minute less than is kept, so that it is still kept when Meydan reads it.
  const [oldest] = useState(() => new Date(Date.now() - KEPT_MS + 60_000))
  const disabled = disabled_at && new Date(disabled_at) > oldest ? new Date(disabled_at) : oldest
  const [wall, setWall] = useState(() => toWall(timezone, disabled).slice(0, 16))
  const setActive = useSetActive(id)
  const recover = useRecover(id)
  const since = () => {
    if (choice === 'none') return undefined
    const wanted = choice === 'all' ? oldest : choice === 'disabled' ? disabled : fromWall(timezone, `${wall}:00`)
    return wanted < oldest ? oldest : wanted
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
                <Radio value="all" label={t('webhooks.recover_all')} />
                <Radio value="time" label={t('webhooks.recover_time')} />
              </Stack>
            </Radio.Group>
            {choice === 'time' && (
              <TextInput
                type="datetime-local"
                label={t('webhooks.recover_since', { zone: timezone })}
                min={toWall(timezone, oldest).slice(0, 16).replace(' ', 'T')}
                max={toWall(timezone, new Date()).slice(0, 16).replace(' ', 'T')}
                value={wall.replace(' ', 'T')}
                onChange={({ currentTarget }) => currentTarget.value && setWall(currentTarget.value.replace('T', ' '))}
              />
            )}
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
