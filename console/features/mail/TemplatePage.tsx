import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Copy, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../api'
import { useFormat } from '../../ui/format'
import { NotFoundScreen, PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { useMe } from '../auth/queries'
import classes from './mail.module.css'
import { type Template, type TemplateKey, templateKeysQuery, templateQuery, templatesQuery } from './queries'
import { DeleteTemplate, SendTest } from './TemplateActs'
import { type Known, TemplateForm } from './TemplateForm'
import { DEFAULT, languageName, mailName } from './words'
import { ownTexts, textsOf } from './writing'

const newRoute = getRouteApi('/inside/shell/admin/email-templates/new')
const route = getRouteApi('/inside/shell/admin/email-templates/$template')

type Around = { keys: TemplateKey[]; templates: Template[] }

/** What both pages need to know of the other templates; undefined as long as it is on its way. */
function useAround(): { around?: Around; error: Error | null; retry: () => void } {
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
  useTitle(t('desk.templates.new'))
  const search = newRoute.useSearch()
  const { around, error, retry } = useAround()
  return (
    <>
      <Back />
      <PageHead title={t('desk.templates.new')} about={t('desk.templates.new_about')} />
      {error && <Problem error={error} onRetry={retry} />}
      {!around && !error && <Waiting lines={3} height={160} />}
      {around && <NewTemplate key={JSON.stringify(search)} around={around} wanted={search} />}
    </>
  )
}

function NewTemplate({
  around: { keys, templates },
  wanted: { key: mail = '', locale = DEFAULT, from },
}: {
  around: Around
  wanted: { key?: string; locale?: string; from?: string | undefined }
}) {
  const [samples, setSamples] = useState<Record<string, string>>({})
  const copied = templates.find(({ id }) => id === from)
  const texts = copied
    ? textsOf(copied)
    : ownTexts(
        keys.find(({ key }) => key === mail),
        locale,
      )
  return (
    <TemplateForm
      begin={{ key: mail, locale, description: '', ...texts }}
      keys={keys}
      templates={templates}
      samples={samples}
      onSample={(sample, value) => setSamples((given) => ({ ...given, [sample]: value }))}
    />
  )
}

/** One template: what it says, what that looks like, and a test of it. */
export function TemplatePage() {
  const { t } = useTranslation()
  const { template: id } = route.useParams()
  // A form is filled with what is there now, not with what was read a while ago.
  const template = useQuery({ ...templateQuery(id), staleTime: 0 })
  const { around, error, retry } = useAround()
  useTitle(template.data ? mailName(t, template.data.record.key) : t('rooms.email_templates'))
  if (isStatus(template.error, 404) || isStatus(template.error, 400)) return <NotFoundScreen />
  if (template.error && !template.data) return <Problem error={template.error} onRetry={() => template.refetch()} />
  if (error) return <Problem error={error} onRetry={retry} />
  if (!template.data || !template.isFetchedAfterMount || !around) return <Waiting lines={3} height={160} />
  return <OneTemplate key={id} template={template.data} around={around} />
}

function OneTemplate({ template, around: { keys, templates } }: { template: Known; around: Around }) {
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
      <Back />
      <PageHead
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
          {t('desk.templates.test')}
        </Button>
        <Button
          variant="default"
          leftSection={<Copy size={16} />}
          renderRoot={(props) => <Link to="/admin/email-templates/new" search={{ key, from: id }} {...props} />}
        >
          {t('desk.templates.copy')}
        </Button>
        <Button
          variant="subtle"
          color="coral"
          c="var(--mantine-color-error)"
          leftSection={<Trash2 size={16} />}
          onClick={() => setDoing('delete')}
        >
          {t('ui.delete')}
        </Button>
      </PageHead>
      <TemplateForm
        template={template}
        keys={keys}
        templates={templates}
        samples={samples}
        onSample={(sample, value) => setSamples((given) => ({ ...given, [sample]: value }))}
        onChanged={setChanged}
      />
      <Text c="dimmed" fz="sm" mt="md">
        {t('desk.templates.since', { date: format.exact(updated_at) })}
      </Text>
      <SendTest template={record} samples={samples} changed={changed} opened={doing === 'test'} onClose={close} />
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

function Back() {
  const { t } = useTranslation()
  return (
    <Anchor
      fz="sm"
      mb={6}
      display="inline-block"
      renderRoot={(props) => <Link to="/admin/email-templates" search={{}} {...props} />}
    >
      ‹ {t('desk.templates.back')}
    </Anchor>
  )
}
