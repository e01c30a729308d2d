import { Button, Group, Loader, Stack, Text, Textarea } from '@mantine/core'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../api'
import { inEnglish } from '../../i18n'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { Problem } from '../../ui/screens'
import { useTest } from './acts'
import classes from './ai.module.css'
import type { AiModel, AiModelTest } from './queries'
import { vendorName } from './vendors'

/** Asks the model something, and shows what it answered. */
export function TestModel({ model, opened, onClose }: { model: AiModel; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('desk.models.test_of', { name: model.name })}>
      <Asking model={model} />
    </Dialog>
  )
}

export function Asking({ model }: { model: AiModel }) {
  const { t } = useTranslation()
  const test = useTest()
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
          {t(`desk.models.test_about.${kind}`)}
        </Text>
        {category !== 'video' && (
          <Textarea
            label={t('desk.models.prompt')}
            placeholder={t(`desk.models.prompt_example.${category}`)}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            value={prompt}
            onChange={({ currentTarget }) => setPrompt(currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={test.isPending}>
            {t(test.data || test.error ? 'desk.models.test_again' : 'desk.models.test_now')}
          </Button>
        </Group>
        <div role="status" className={classes.said}>
          {test.isPending && (
            <Group gap="xs">
              <Loader size={18} /> {t('desk.models.testing')}
            </Group>
          )}
          {!test.isPending && test.data && <Outcome of={test.data} model={model} />}
        </div>
        {!test.isPending && test.error && (
          <div>
            <Problem error={test.error} />
            {isCode(test.error, 'model_key_missing') && (
              <Text fz="sm">{t('desk.models.key_missing_about', { vendor: vendorName(t, provider) })}</Text>
            )}
          </div>
        )}
      </Stack>
    </form>
  )
}

function Outcome({ of, model }: { of: AiModelTest; model: AiModel }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { ok, text, latency_ms, usage, key_source, key_last4, error_code, detail, retry_after_s } = of
  const Icon = ok ? CircleCheck : CircleX
  const vendor = vendorName(t, model.provider)
  const facts = [
    t('desk.models.took', { ms: format.number(latency_ms) }),
    usage &&
      t('desk.models.tokens', { read: format.number(usage.input_tokens), written: format.number(usage.output_tokens) }),
    t(`desk.models.key_used.${key_source}`, { vendor }) + (key_last4 ? ` (···${key_last4})` : ''),
  ].filter(Boolean)
  return (
    <Stack gap="sm">
      <div className={classes.outcome} data-ok={ok}>
        <Icon size={22} aria-hidden="true" />
        <div>
          <Text fw={600}>
            {ok
              ? t(model.category === 'video' ? 'desk.models.taken' : 'desk.models.answered', { vendor })
              : t(`desk.models.error.${error_code ?? 'vendor_error'}`, { vendor })}
          </Text>
          {!ok && detail && (
            <Text fz="sm" lang={inEnglish()} className="text">
              {detail}
            </Text>
          )}
          {retry_after_s !== null && (
            <Text fz="sm">{t('desk.models.retry_after', { seconds: format.number(retry_after_s) })}</Text>
          )}
          <Text fz="sm" className="tabular">
            {facts.join(' · ')}
          </Text>
        </div>
      </div>
      {text && (
        <section className={`text ${classes.answer}`} aria-label={t('desk.models.answer')}>
          {text}
        </section>
      )}
    </Stack>
  )
}
