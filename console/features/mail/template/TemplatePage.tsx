import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Copy, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import type { Loaded } from '../../../ui/forms/useRecordForm'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { DEFAULT, languageName, mailName } from '../labels'
import classes from '../mail.module.css'
import { type Template, type TemplateKey, templateKeysQuery, templateQuery, templatesQuery } from '../queries'
import { builtInTexts, textsOf } from './form-values'
import { DeleteTemplate, SendTestMail } from './TemplateActions'
import { TemplateForm } from './TemplateForm'

const newRoute = getRouteApi('/signed-in/shell/admin/email-templates/new')
const route = getRouteApi('/signed-in/shell/admin/email-templates/$template')

type TemplateContext = { keys: TemplateKey[]; templates: Template[] }

/** Data on the other templates that both pages need; `around` is undefined while it loads. */
function useTemplateContext(): { around?: TemplateContext; error: Error | null; retry: () => void } {
  const keys = useQuery(templateKeysQuery)
  const templates = useQuery(templatesQuery)
  const retry = () => {
    void keys.refetch()
    void templates.refetch()
  }
  if (keys.data && templates.data) return { around: { keys: keys.data, templates: templates.data }, error: null, retry }
  return { error: keys.error ?? templates.error, retry }
}

export function NewTemplatePage() {
  const { t } = useTranslation()
  useDocumentTitle(t('admin.templates.new'))
  const search = newRoute.useSearch()
  const { around, error, retry } = useTemplateContext()
  return (
    <>
      <BackToTemplates />
      <PageHeader title={t('admin.templates.new')} about={t('admin.templates.new_about')} />
      {error && <ProblemAlert error={error} onRetry={retry} />}
      {!around && !error && <LoadingSkeleton lines={3} height={160} />}
      {around && <NewTemplate key={JSON.stringify(search)} around={around} wanted={search} />}
    </>
  )
}

function NewTemplate({
  around: { keys, templates },
  wanted: { key: mail = '', locale = DEFAULT, from },
}: {
  around: TemplateContext
  wanted: { key?: string; locale?: string; from?: string | undefined }
}) {
  const [samples, setSamples] = useState<Record<string, string>>({})
  const copied = templates.find(({ id }) => id === from)
  const texts = copied
    ? textsOf(copied)
    : builtInTexts(
        keys.find(({ key }) => key === mail),
        locale,
      )
  return (
    <TemplateForm
      start={{ values: { key: mail, locale, description: '', ...texts } }}
      keys={keys}
      templates={templates}
      samples={samples}
      onSample={(sample, value) => setSamples((given) => ({ ...given, [sample]: value }))}
    />
  )
}

/** One template: its form, its preview and a test mail. */
export function TemplatePage() {
  const { t } = useTranslation()
  const { template: id } = route.useParams()
  // Fills the form with the current record, not with a cached one.
  const template = useQuery({ ...templateQuery(id), staleTime: 0 })
  const { around, error, retry } = useTemplateContext()
  useDocumentTitle(template.data ? mailName(t, template.data.record.key) : t('pages.email_templates'))
  if (isStatus(template.error, 404) || isStatus(template.error, 400)) return <NotFoundPage />
  if (template.error && !template.data)
    return <ProblemAlert error={template.error} onRetry={() => template.refetch()} />
  if (error) return <ProblemAlert error={error} onRetry={retry} />
  if (!template.data || !template.isFetchedAfterMount || !around) return <LoadingSkeleton lines={3} height={160} />
  return <TemplateDetails key={id} template={template.data} around={around} />
}

function TemplateDetails({
  template,
  around: { keys, templates },
}: {
  template: Loaded<Template>
  around: TemplateContext
}) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const navigate = useNavigate()
  const [changed, setChanged] = useState(false)
  const [doing, setDoing] = useState<'test' | 'delete'>()
  const [samples, setSamples] = useState<Record<string, string>>({})
  const { record } = template
  const { id, key, locale, updated_at } = record
  const close = () => setDoing(undefined)
  const name = mailName(t, key)
  return (
    <>
      <BackToTemplates />
      <PageHeader
        title={name}
        about={
          <>
            {languageName(t, locale) ?? locale}
            {locale !== DEFAULT && <span className={classes.key}> {locale}</span>}
            {name !== key && <span className={classes.key}> · {key}</span>}
          </>
        }
      >
        <Button variant="default" leftSection={<Send size={16} />} onClick={() => setDoing('test')}>
          {t('admin.templates.test')}
        </Button>
        <ButtonLink
          to="/admin/email-templates/new"
          search={{ key, from: id }}
          variant="default"
          leftSection={<Copy size={16} />}
        >
          {t('admin.templates.copy')}
        </ButtonLink>
        <Button
          variant="subtle"
          color="coral"
          c="var(--mantine-color-error)"
          leftSection={<Trash2 size={16} />}
          onClick={() => setDoing('delete')}
        >
          {t('ui.delete')}
        </Button>
      </PageHeader>
      <TemplateForm
        start={template}
        keys={keys}
        templates={templates}
        samples={samples}
        onSample={(sample, value) => setSamples((given) => ({ ...given, [sample]: value }))}
        onChanged={setChanged}
      />
      <Text c="dimmed" fz="sm" mt="md">
        {t('admin.templates.since', { date: format.exact(updated_at) })}
      </Text>
      <SendTestMail template={record} samples={samples} changed={changed} opened={doing === 'test'} onClose={close} />
      <DeleteTemplate
        template={record}
        keys={keys}
        templates={templates}
        opened={doing === 'delete'}
        onClose={close}
        onDeleted={() => navigate({ to: '/admin/email-templates', search: {}, ignoreBlocker: true })}
      />
    </>
  )
}

function BackToTemplates() {
  const { t } = useTranslation()
  return (
    <BackLink to="/admin/email-templates" search={{}}>
      {t('admin.templates.back')}
    </BackLink>
  )
}
