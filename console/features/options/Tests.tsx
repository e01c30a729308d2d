import { Button, Group, Loader, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inEnglish } from '../../i18n'
import { Dialog } from '../../ui/Dialog'
import { useFormat } from '../../ui/format'
import { fieldProblems } from '../../ui/problem'
import { Problem } from '../../ui/screens'
import { Waiting } from '../../ui/Waiting'
import { allModelsQuery } from '../ai/queries'
import { Asking } from '../ai/TestModel'
import { useMe } from '../auth/queries'
import { useTestMail } from './acts'
import classes from './options.module.css'
import { optionsQuery, secretOf } from './queries'

type Props = { opened: boolean; onClose: () => void }

/** Sends one mail at once, by the settings that count now. */
export function TestMail({ opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t('desk.options.test_mail')}>
      <SendingMail />
    </Dialog>
  )
}

function SendingMail() {
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
          label={t('desk.options.test_to')}
          description={t('desk.options.test_mail_about')}
          type="email"
          maxLength={320}
          error={said}
          value={to}
          onChange={({ currentTarget }) => {
            setTo(currentTarget.value)
            if (said) test.reset()
          }}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={test.isPending}>
            {t(
              test.data?.ok
                ? 'desk.options.test_mail_again'
                : test.data || test.error
                  ? 'ui.again'
                  : 'desk.options.test_mail_now',
            )}
          </Button>
        </Group>
        <div role="status">
          {test.isPending ? (
            <Group gap="xs">
              <Loader size={18} /> {t('desk.options.test_mail_sending')}
            </Group>
          ) : (
            test.data && (
              <div className={classes.outcome} data-ok={test.data.ok}>
                <Icon size={22} aria-hidden="true" />
                <div>
                  <Text fw={600}>
                    {t(test.data.ok ? 'desk.options.test_mail_ok' : 'desk.options.test_mail_failed')}
                  </Text>
                  {server.set ? (
                    <>
                      <Text fz="sm" lang={inEnglish()} className="text">
                        {test.data.detail}
                      </Text>
                      <Text fz="sm" className="tabular">
                        {t('desk.models.took', { ms: format.number(test.data.latency_ms) })}
                      </Text>
                    </>
                  ) : (
                    <Text fz="sm">{t('desk.options.test_mail_none')}</Text>
                  )}
                </div>
              </div>
            )
          )}
        </div>
        {!test.isPending && test.error && !said && <Problem error={test.error} />}
      </Stack>
    </form>
  )
}

/** Asks one of the models something: the keys of vendors show only there whether they work. */
export function TestAi({ opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t('desk.options.test_ai')}>
      <ChoosingModel />
    </Dialog>
  )
}

function ChoosingModel() {
  const { t } = useTranslation()
  const models = useQuery(allModelsQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  if (models.error) return <Problem error={models.error} onRetry={() => models.refetch()} />
  if (!models.data) return <Waiting lines={2} />
  if (models.data.length === 0)
    return (
      <Stack>
        <Text>{t('desk.options.test_ai_none')}</Text>
        <Group justify="flex-end">
          <Button renderRoot={(props) => <Link to="/admin/ai-models/new" {...props} />}>{t('desk.models.add')}</Button>
        </Group>
      </Stack>
    )
  const model =
    models.data.find(({ id_secure }) => id_secure === chosen) ??
    models.data.find(({ is_active }) => is_active) ??
    models.data[0]
  return (
    <Stack>
      <Select
        label={t('desk.options.test_model')}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('ui.nothing_found')}
        data={models.data.map(({ id_secure, name }) => ({ value: id_secure, label: name }))}
        value={model?.id_secure ?? null}
        onChange={setChosen}
      />
      {model && <Asking key={model.id_secure} model={model} />}
    </Stack>
  )
}
