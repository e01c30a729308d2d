import { Button, Group, Loader, Stack, Text, Textarea } from '@mantine/core'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../../api'
import { langOfEnglishText } from '../../../i18n'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import classes from '../ai.module.css'
import { useTestModel } from '../mutations'
import { providerName } from '../provider-info'
import type { AiModel, AiModelTest } from '../queries'

/** Sends the model a prompt and shows the response. */
export function TestModel({ model, opened, onClose }: { model: AiModel; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('admin.models.test_of', { name: model.name })}>
      <TestPrompt model={model} />
    </Dialog>
  )
}

export function TestPrompt({ model }: { model: AiModel }) {
  const { t } = useTranslation()
  const test = useTestModel()
  const [prompt, setPrompt] = useState('')
  const { category, provider, api_type } = model
  const kind = category === 'text' && api_type === 'embedding' ? 'embedding' : category
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        test.mutate({ model, prompt })
      }}
      noValidate
    >
      <Stack>
        <Text c="dimmed" fz="sm">
          {t(`admin.models.test_about.${kind}`)}
        </Text>
        {category !== 'video' && (
          <Textarea
            label={t('admin.models.prompt')}
            placeholder={t(`admin.models.prompt_example.${category}`)}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            value={prompt}
            onChange={({ currentTarget }) => setPrompt(currentTarget.value)}
          />
        )}
        <DialogActions>
          <Button type="submit" loading={test.isPending}>
            {t(test.data || test.error ? 'admin.models.test_again' : 'admin.models.test_now')}
          </Button>
        </DialogActions>
        <div role="status" className={classes.message}>
          {test.isPending && (
            <Group gap="xs">
              <Loader size={18} /> {t('admin.models.testing')}
            </Group>
          )}
          {!test.isPending && test.data && <TestResult of={test.data} model={model} />}
        </div>
        {!test.isPending && test.error && (
          <div>
            <ProblemAlert error={test.error} />
            {isCode(test.error, 'model_key_missing') && (
              <Text fz="sm">{t('admin.models.key_missing_about', { vendor: providerName(t, provider) })}</Text>
            )}
          </div>
        )}
      </Stack>
    </form>
  )
}

function TestResult({ of, model }: { of: AiModelTest; model: AiModel }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { ok, text, latency_ms, usage, key_source, key_last4, error_code, detail, retry_after_s } = of
  const Icon = ok ? CircleCheck : CircleX
  const vendor = providerName(t, model.provider)
  const facts = [
    t('admin.models.duration', { ms: format.number(latency_ms) }),
    usage &&
      t('admin.models.tokens', {
        read: format.number(usage.input_tokens),
        written: format.number(usage.output_tokens),
      }),
    t(`admin.models.key_used.${key_source}`, { vendor }) + (key_last4 ? ` (···${key_last4})` : ''),
  ].filter(Boolean)
  return (
    <Stack gap="sm">
      <div className={classes.outcome} data-ok={ok}>
        <Icon size={22} aria-hidden="true" />
        <div>
          <Text fw={600}>
            {ok
              ? t(model.category === 'video' ? 'admin.models.taken' : 'admin.models.responded', { vendor })
              : t(`admin.models.error.${error_code ?? 'vendor_error'}`, { vendor })}
          </Text>
          {!ok && detail && (
            <Text fz="sm" lang={langOfEnglishText()} className="text">
              {detail}
            </Text>
          )}
          {retry_after_s !== null && (
            <Text fz="sm">{t('admin.models.retry_after', { seconds: format.number(retry_after_s) })}</Text>
          )}
          <Text fz="sm" className="tabular">
            {facts.join(' · ')}
          </Text>
        </div>
      </div>
      {text && (
        <section className={`text ${classes.response}`} aria-label={t('admin.models.response')}>
          {text}
        </section>
      )}
    </Stack>
  )
}
