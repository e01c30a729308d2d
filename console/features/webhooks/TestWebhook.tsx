import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { inEnglish } from '../../i18n'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { Problem } from '../../ui/screens'
import { useTest } from './acts'
import type { Attempt, Webhook } from './queries'
import { Raw } from './Raw'
import classes from './webhooks.module.css'

type Props = { webhook: Webhook; opened: boolean; onClose: () => void }

/** Sends a test event as it opens, and shows what the receiver answered. */
export function TestWebhook({ webhook, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('webhooks.test_title')}>
      <Trying webhook={webhook} onClose={onClose} />
    </Dialog>
  )
}

function Trying({ webhook: { id, url, active }, onClose }: Pick<Props, 'webhook' | 'onClose'>) {
  const { t } = useTranslation()
  const test = useTest(id)
  const began = useRef(false)
  const { mutate } = test
  useEffect(() => {
    // Once, also where effects are run twice to try them.
    if (began.current) return
    began.current = true
    mutate()
  }, [mutate])
  return (
    <Stack>
      <Text c="dimmed" fz="sm">
        {t('webhooks.test_about')} {!active && t('webhooks.test_disabled')}
      </Text>
      <Text className={classes.url}>{url}</Text>
      <div role="status">
        {test.isPending ? (
          <Group gap="xs">
            <Loader size={18} /> {t('webhooks.testing')}
          </Group>
        ) : (
          test.data && <Outcome attempt={test.data} />
        )}
      </div>
      {test.data?.response && !test.isPending && <Raw text={test.data.response} name={t('webhooks.answer')} />}
      {test.error && !test.isPending && <Problem error={test.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button loading={test.isPending} onClick={() => test.mutate()}>
          {t('webhooks.test_again')}
        </Button>
      </Group>
    </Stack>
  )
}

function Outcome({ attempt: { ok, status, duration_ms, error } }: { attempt: Attempt }) {
  const { t } = useTranslation()
  const format = useFormat()
  const ms = format.number(duration_ms)
  const Icon = ok ? CircleCheck : CircleX
  return (
    <div className={classes.outcome} data-ok={ok}>
      <Icon size={22} aria-hidden="true" />
      <div>
        <Text fw={600}>
          {status === null ? t('webhooks.test_unanswered') : t('webhooks.test_answered', { status, ms })}
        </Text>
        {status === null ? (
          <Text fz="sm" lang={inEnglish()}>
            {error}
          </Text>
        ) : (
          <Text fz="sm">{t(ok ? 'webhooks.test_ok' : 'webhooks.test_refused')}</Text>
        )}
      </div>
    </div>
  )
}
