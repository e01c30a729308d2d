import { Alert, Anchor, Card, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../ui/screens'
import { MailFrame, type Scheme } from './MailFrame'
import classes from './mail.module.css'
import { PlainMail } from './OneMail'
import type { Shown } from './preview'
import { aboutVariable, type Variable, variableOf } from './words'

type Device = 'desktop' | 'phone'

const widths: Record<Device, number> = { desktop: 700, phone: 375 }

/** What readers get, with sample values. */
export function Preview({
  shown: { preview, faults, error },
  variables,
  samples,
  onSample,
}: {
  shown: Shown
  variables: Variable[]
  samples: Record<string, string>
  onSample: (name: string, value: string) => void
}) {
  const { t } = useTranslation()
  const [form, setForm] = useState<'html' | 'text'>('html')
  const [scheme, setScheme] = useState<Scheme>('light')
  const [device, setDevice] = useState<Device>(() => (matchMedia('(max-width: 48em)').matches ? 'phone' : 'desktop'))
  const isOld = Object.keys(faults).length > 0
  const missing = preview?.missing ?? []
  return (
    <Card component="section" aria-labelledby="preview" className={classes.preview}>
      <Title order={2} size="h3" id="preview" mb="sm">
        {t('desk.templates.preview')}
      </Title>
      <Stack gap="sm">
        <div className={classes.tools}>
          <SegmentedControl<'html' | 'text'>
            size="sm"
            aria-label={t('desk.outbox.shown_as')}
            value={form}
            onChange={setForm}
            data={[
              { value: 'html', label: t('desk.templates.html') },
              { value: 'text', label: t('desk.templates.text') },
            ]}
          />
          {form === 'html' && (
            <>
              <SegmentedControl<Scheme>
                size="sm"
                aria-label={t('desk.templates.scheme')}
                value={scheme}
                onChange={setScheme}
                data={[
                  { value: 'light', label: t('desk.templates.light') },
                  { value: 'dark', label: t('desk.templates.dark') },
                ]}
              />
              <SegmentedControl<Device>
                size="sm"
                aria-label={t('desk.templates.device')}
                value={device}
                onChange={setDevice}
                data={[
                  { value: 'desktop', label: t('desk.templates.desktop') },
                  { value: 'phone', label: t('desk.templates.phone') },
                ]}
              />
            </>
          )}
        </div>
        <div role="status">
          {isOld && (
            <Text fz="sm" c="var(--mantine-color-error)">
              {t(preview ? 'desk.templates.preview_old' : 'desk.templates.preview_wrong')}
            </Text>
          )}
        </div>
        {error && <Problem error={error} />}
        {preview ? (
          <div className={classes.mailbox} data-old={isOld || undefined}>
            <div className={classes.mailboxHead}>
              <Text span fz="sm" c="dimmed">
                {t('desk.templates.subject')}:{' '}
              </Text>
              <Text span fw={600}>
                {preview.subject}
              </Text>
            </div>
            {form === 'text' ? (
              <PlainMail text={preview.body_text} />
            ) : (
              <div className={classes.mailboxBody} data-scheme={scheme} data-device={device}>
                <div className={classes.device}>
                  <MailFrame
                    title={t('desk.templates.preview_of', { subject: preview.subject })}
                    html={preview.body_html}
                    scheme={scheme}
                    width={widths[device]}
                  />
                </div>
              </div>
            )}
          </div>
        ) : (
          !isOld && !error && <Text c="dimmed">{t('desk.templates.preview_none')}</Text>
        )}
        {missing.length > 0 && (
          <Alert color="yellow" role="status">
            {t('desk.templates.missing', { names: missing.map(variableOf).join(', ') })}
          </Alert>
        )}
        {variables.length > 0 && <Samples variables={variables} samples={samples} onSample={onSample} />}
      </Stack>
    </Card>
  )
}

/** Values of one's own, such as a very long name. */
function Samples({
  variables,
  samples,
  onSample,
}: {
  variables: Variable[]
  samples: Record<string, string>
  onSample: (name: string, value: string) => void
}) {
  const { t } = useTranslation()
  const [opened, { toggle }] = useDisclosure(false)
  const Icon = opened ? ChevronDown : ChevronRight
  return (
    <div>
      <Anchor
        component="button"
        type="button"
        underline="hover"
        fz="sm"
        aria-expanded={opened}
        onClick={toggle}
        style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}
      >
        <Icon size={16} aria-hidden="true" /> {t('desk.templates.samples')}
      </Anchor>
      {opened && (
        <div className={classes.values}>
          {variables.map((variable) => (
            <TextInput
              key={variable.name}
              size="sm"
              mt="sm"
              label={variable.name}
              title={aboutVariable(t, variable).text}
              placeholder={variable.sample}
              maxLength={2000}
              autoComplete="off"
              value={samples[variable.name] ?? ''}
              onChange={({ currentTarget }) => onSample(variable.name, currentTarget.value)}
            />
          ))}
        </div>
      )}
    </div>
  )
}
