import { Button, Group, Loader, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText } from '../../i18n'
import { Dialog } from '../../ui/dialog/Dialog'
import { DialogActions } from '../../ui/dialog/DialogActions'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { fieldProblems } from '../../ui/feedback/problem'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useFormat } from '../../ui/text/format'
import { TestPrompt } from '../ai/models/TestModel'
import { allModelsQuery } from '../ai/queries'
import { useMe } from '../auth/queries'
import { optionValueText } from './labels'
import { useTestBilling, useTestMail } from './mutations'
import classes from './options.module.css'
import { optionsQuery, secretOf } from './queries'

type Props = { opened: boolean; onClose: () => void }

/** Sends one mail at once with the current settings. */
export function TestMailDialog({ opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('admin.options.test_mail')}>
      <TestMailForm />
    </Dialog>
  )
}

function TestMailForm() {
  const { t } = useTranslation()
  const format = useFormat()
  const me = useMe()
  const [to, setTo] = useState(me.email)
  const server = secretOf(useQuery(optionsQuery).data?.find(({ key }) => key === 'mail.smtp_url'))
  const test = useTestMail()
  const said = fieldProblems(t, test.error).to
  const Icon = test.data?.ok ? CircleCheck : CircleX
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        test.mutate(to.trim() || me.email)
      }}
      noValidate
    >
      <Stack>
        <TextInput
          label={t('admin.options.test_to')}
          description={t('admin.options.test_mail_about')}
          type="email"
          maxLength={320}
          error={said}
          value={to}
          onChange={({ currentTarget }) => {
            setTo(currentTarget.value)
            if (said) test.reset()
          }}
        />
        <DialogActions>
          <Button type="submit" loading={test.isPending}>
            {t(
              test.data?.ok
                ? 'admin.options.test_mail_again'
                : test.data || test.error
                  ? 'ui.again'
                  : 'admin.options.test_mail_now',
            )}
          </Button>
        </DialogActions>
        <div role="status">
          {test.isPending ? (
            <Group gap="xs">
              <Loader size={18} /> {t('admin.options.test_mail_sending')}
            </Group>
          ) : (
            test.data && (
              <div className={classes.outcome} data-ok={test.data.ok}>
                <Icon size={22} aria-hidden="true" />
                <div>
                  <Text fw={600}>
                    {t(test.data.ok ? 'admin.options.test_mail_ok' : 'admin.options.test_mail_failed')}
                  </Text>
                  {server.set ? (
                    <>
                      <Text fz="sm" lang={langOfEnglishText()} className="text">
                        {test.data.detail}
                      </Text>
                      <Text fz="sm" className="tabular">
                        {t('admin.models.duration', { ms: format.number(test.data.latency_ms) })}
                      </Text>
                    </>
                  ) : (
                    <Text fz="sm">{t('admin.options.test_mail_none')}</Text>
                  )}
                </div>
              </div>
            )
          )}
        </div>
        {!test.isPending && test.error && !said && <ProblemAlert error={test.error} />}
      </Stack>
    </form>
  )
}

/** Calls the chosen payment provider once, without a payment. */
export function TestBillingDialog({ opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('admin.options.test_billing')}>
      <TestBilling />
    </Dialog>
  )
}

function TestBilling() {
  const { t } = useTranslation()
  const options = useQuery(optionsQuery).data
  const test = useTestBilling()
  const provider = options?.find(({ key }) => key === 'billing.provider')
  const Icon = test.data?.ok ? CircleCheck : CircleX
  return (
    <Stack>
      <Text>
        {t('admin.options.test_billing_about', { provider: provider && optionValueText(t, provider, provider.value) })}
      </Text>
      <DialogActions>
        <Button loading={test.isPending} onClick={() => test.mutate()}>
          {t(test.data || test.error ? 'ui.again' : 'admin.options.test_billing_now')}
        </Button>
      </DialogActions>
      <div role="status">
        {!test.isPending && test.data && (
          <div className={classes.outcome} data-ok={test.data.ok}>
            <Icon size={22} aria-hidden="true" />
            <div>
              <Text fw={600}>
                {t(test.data.ok ? 'admin.options.test_billing_ok' : 'admin.options.test_billing_failed')}
              </Text>
              <Text fz="sm" lang={langOfEnglishText()} className="text">
                {test.data.message}
              </Text>
            </div>
          </div>
        )}
      </div>
      {!test.isPending && test.error && <ProblemAlert error={test.error} />}
    </Stack>
  )
}

/** Sends a prompt to a model, the only way to check a vendor's API key. */
export function TestAiDialog({ opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('admin.options.test_ai')}>
      <TestAiForm />
    </Dialog>
  )
}

function TestAiForm() {
  const { t } = useTranslation()
  const models = useQuery(allModelsQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  if (models.error) return <ProblemAlert error={models.error} onRetry={() => models.refetch()} />
  if (!models.data) return <LoadingSkeleton lines={2} />
  if (models.data.length === 0)
    return (
      <Stack>
        <Text>{t('admin.options.test_ai_none')}</Text>
        <DialogActions>
          <ButtonLink to="/admin/ai-models/new">{t('admin.models.add')}</ButtonLink>
        </DialogActions>
      </Stack>
    )
  const model =
    models.data.find(({ id_secure }) => id_secure === chosen) ??
    models.data.find(({ is_active }) => is_active) ??
    models.data[0]
  return (
    <Stack>
      <Select
        label={t('admin.options.test_model')}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('ui.nothing_found')}
        data={models.data.map(({ id_secure, name }) => ({ value: id_secure, label: name }))}
        value={model?.id_secure ?? null}
        onChange={setChosen}
      />
      {model && <TestPrompt key={model.id_secure} model={model} />}
    </Stack>
  )
}
