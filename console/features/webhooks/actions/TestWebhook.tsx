import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText } from '../../../i18n'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { CodeBlock } from '../CodeBlock'
import { useTestWebhook } from '../mutations'
import type { Attempt, Webhook } from '../queries'
import classes from '../webhooks.module.css'

type Props = { webhook: Webhook; opened: boolean; onClose: () => void }

/** Sends a test event on opening and shows the receiver's response. */
export function TestWebhook({ webhook, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('webhooks.test_title')}>
      <TestWebhookForm webhook={webhook} onClose={onClose} />
    </Dialog>
  )
}

function TestWebhookForm({ webhook: { id, url, active }, onClose }: Pick<Props, 'webhook' | 'onClose'>) {
  const { t } = useTranslation()
  const test = useTestWebhook(id)
  const began = useRef(false)
  const { mutate } = test
  useEffect(() => {
    // Sends once, even where React runs effects twice.
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
          test.data && <TestResult attempt={test.data} />
        )}
      </div>
      {test.data?.response && !test.isPending && <CodeBlock text={test.data.response} name={t('webhooks.response')} />}
      {test.error && !test.isPending && <ProblemAlert error={test.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button loading={test.isPending} onClick={() => test.mutate()}>
          {t('webhooks.test_again')}
        </Button>
      </DialogActions>
    </Stack>
  )
}

function TestResult({ attempt: { ok, status, duration_ms, error } }: { attempt: Attempt }) {
  const { t } = useTranslation()
  const format = useFormat()
  const ms = format.number(duration_ms)
  const Icon = ok ? CircleCheck : CircleX
  return (
    <div className={classes.outcome} data-ok={ok}>
      <Icon size={22} aria-hidden="true" />
      <div>
        <Text fw={600}>
          {status === null ? t('webhooks.test_no_response') : t('webhooks.test_responded', { status, ms })}
        </Text>
        {status === null ? (
          <Text fz="sm" lang={langOfEnglishText()}>
            {error}
          </Text>
        ) : (
          <Text fz="sm">{t(ok ? 'webhooks.test_ok' : 'webhooks.test_refused')}</Text>
        )}
      </div>
    </div>
  )
}
