import { Alert, Anchor, Card, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { placeholderFor, type Variable, variableDescription } from '../labels'
import { PlainMail } from '../MailDetails'
import { MailFrame, type Scheme } from '../MailFrame'
import classes from '../mail.module.css'
import type { PreviewState } from './useTemplatePreview'

type Device = 'desktop' | 'phone'

const widths: Record<Device, number> = { desktop: 700, phone: 375 }

/** The mail with sample values. */
export function TemplatePreview({
  shown: { preview, faults, error },
  variables,
  samples,
  onSample,
}: {
  shown: PreviewState
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
        {t('admin.templates.preview')}
      </Title>
      <Stack gap="sm">
        <div className={classes.tools}>
          <SegmentedControl<'html' | 'text'>
            size="sm"
            aria-label={t('admin.outbox.view')}
            value={form}
            onChange={setForm}
            data={[
              { value: 'html', label: t('admin.templates.html') },
              { value: 'text', label: t('admin.templates.text') },
            ]}
          />
          {form === 'html' && (
            <>
              <SegmentedControl<Scheme>
                size="sm"
                aria-label={t('admin.templates.scheme')}
                value={scheme}
                onChange={setScheme}
                data={[
                  { value: 'light', label: t('admin.templates.light') },
                  { value: 'dark', label: t('admin.templates.dark') },
                ]}
              />
              <SegmentedControl<Device>
                size="sm"
                aria-label={t('admin.templates.device')}
                value={device}
                onChange={setDevice}
                data={[
                  { value: 'desktop', label: t('admin.templates.desktop') },
                  { value: 'phone', label: t('admin.templates.phone') },
                ]}
              />
            </>
          )}
        </div>
        <div role="status">
          {isOld && (
            <Text fz="sm" c="var(--mantine-color-error)">
              {t(preview ? 'admin.templates.preview_old' : 'admin.templates.preview_wrong')}
            </Text>
          )}
        </div>
        {error && <ProblemAlert error={error} />}
        {preview ? (
          <div className={classes.mailbox} data-old={isOld || undefined}>
            <div className={classes.mailboxHead}>
              <Text span fz="sm" c="dimmed">
                {t('admin.templates.subject')}:{' '}
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
                    title={t('admin.templates.preview_of', { subject: preview.subject })}
                    html={preview.body_html}
                    scheme={scheme}
                    width={widths[device]}
                  />
                </div>
              </div>
            )}
          </div>
        ) : (
          !isOld && !error && <Text c="dimmed">{t('admin.templates.preview_none')}</Text>
        )}
        {missing.length > 0 && (
          <Alert color="yellow" role="status">
            {t('admin.templates.missing', { names: missing.map(placeholderFor).join(', ') })}
          </Alert>
        )}
        {variables.length > 0 && <SampleValues variables={variables} samples={samples} onSample={onSample} />}
      </Stack>
    </Card>
  )
}

/** The user's own values, such as a very long name. */
function SampleValues({
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
        <Icon size={16} aria-hidden="true" /> {t('admin.templates.samples')}
      </Anchor>
      {opened && (
        <div className={classes.values}>
          {variables.map((variable) => (
            <TextInput
              key={variable.name}
              size="sm"
              mt="sm"
              label={variable.name}
              title={variableDescription(t, variable).text}
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
