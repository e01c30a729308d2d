import { Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, unwrap, unwrapWithEtag } from '../../../api'
import { RecordFormActions } from '../../../ui/forms/RecordFormActions'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import { type Loaded, useRecordForm } from '../../../ui/forms/useRecordForm'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import classes from '../mail.module.css'
import { invalidateTemplates, pathParams, type Template, type TemplateKey, templateQuery } from '../queries'
import {
  builtInTexts,
  changedFields,
  isChanged,
  sameTexts,
  type TemplateValues,
  textsOf,
  toBody,
  toDraft,
  toFormValues,
  translateProblem,
  validateTemplate,
  variablesFor,
} from './form-values'
import { MailTypeSelect } from './MailTypeSelect'
import type { BodyField } from './TemplateBody'
import { TemplateFields } from './TemplateFields'
import { TemplatePreview } from './TemplatePreview'
import { useTemplatePreview } from './useTemplatePreview'

type Props = {
  /** The template to change, or the first values of a new one. */
  start: Loaded<Template> | { values: TemplateValues }
  keys: TemplateKey[]
  templates: Template[]
  samples: Record<string, string>
  onSample: (name: string, value: string) => void
  /** Reports whether there are unsaved changes. */
  onChanged?: (changed: boolean) => void
}

/** Creates a template or changes the given one. */
export function TemplateForm({ start, keys, templates, samples, onSample, onChanged }: Props) {
  const { t } = useTranslation()
  const [shownBody, setShownBody] = useState<BodyField>('body_html')
  const { state, filled, setFilled } = useTemplateForm(start, setShownBody)
  const { form, base, changed } = state
  const { values } = form
  const isWritten = !sameTexts(textsOf(values), filled)
  const { variables, isFree } = variablesFor(keys, values)
  const preview = useTemplatePreview(toDraft(values, samples))
  /** Replaces the texts. */
  const fill = (texts: typeof filled, more: Partial<TemplateValues> = {}) => {
    form.setValues({ ...more, ...texts })
    for (const field of ['subject', 'body_html', 'body_text']) form.clearFieldError(field)
    setFilled(texts)
  }
  /** Selects a mail or language and fills in Meydan's text, unless the user has typed one. */
  const choose = (chosen: { key?: string; locale?: string }) => {
    const key = chosen.key ?? values.key
    const known = keys.find((one) => one.key === key)
    form.setValues(chosen)
    for (const field of Object.keys(chosen)) form.clearFieldError(field)
    if (isWritten || (!known && chosen.key === undefined)) return
    fill(builtInTexts(known, chosen.locale ?? values.locale), chosen)
  }
  useEffect(() => onChanged?.(changed), [onChanged, changed])
  return (
    <div className={classes.page}>
      <form onSubmit={state.onSubmit} noValidate onKeyDown={submitOnSave(changed && !state.isSaving)}>
        <Stack gap="lg">
          {!base && <MailTypeSelect form={form} keys={keys} templates={templates} onChoose={choose} />}
          <TemplateFields
            form={form}
            filled={filled}
            source={{ except: base?.record.id, keys, templates, isWritten: isWritten || base !== undefined }}
            onFill={fill}
            shownBody={shownBody}
            onShowBody={setShownBody}
            variables={variables}
            isFree={isFree}
            preview={preview}
          />
          <RecordFormActions
            state={state}
            save={t(base ? 'admin.templates.save' : 'admin.templates.create')}
            conflict={{ detail: t('admin.templates.conflict_detail') }}
            cancel={
              !base && (
                <ButtonLink variant="default" to="/admin/email-templates" search={{}}>
                  {t('ui.cancel')}
                </ButtonLink>
              )
            }
          />
        </Stack>
      </form>
      <TemplatePreview shown={preview} variables={variables} samples={samples} onSample={onSample} />
    </div>
  )
}

/**
 * The form with `filled`: the texts that the user did not type. A new template gets them from Meydan or another
 * template, so they may be replaced; a stored one has its own.
 */
function useTemplateForm(start: Props['start'], showBody: (field: BodyField) => void) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  const [filledNew, setFilled] = useState(() => textsOf('etag' in start ? start.record : start.values))
  const refuse = (error: unknown): never => {
    throw translateProblem(t, error)
  }
  const isNewChanged = (values: TemplateValues, before: TemplateValues) =>
    !sameTexts(textsOf(values), filledNew) || values.description.trim() !== before.description
  const state = useRecordForm({
    start,
    query: ({ id }: Template) => templateQuery(id),
    toValues: toFormValues,
    toPatch: changedFields,
    isChanged: 'etag' in start ? isChanged : isNewChanged,
    validate: (values) => validateTemplate(t, values),
    at: { email_template_taken: 'locale' },
    onFieldErrors: (errors) => {
      if (errors.body_html) showBody('body_html')
      else if (errors.body_text) showBody('body_text')
    },
    update: (body, { record, etag }) =>
      unwrapWithEtag(
        api.PUT('/api/v1/email-templates/{id}', { ...pathParams(record), body, headers: { 'if-match': etag } }),
      ).catch(refuse),
    onUpdated: () => {
      notifications.show({ message: t('admin.templates.saved') })
      return invalidateTemplates()
    },
    create: (values) => {
      const body = toBody(values)
      return once(body, (headers) => unwrap(api.POST('/api/v1/email-templates', { body, headers }))).catch(refuse)
    },
    onCreated: ({ id }) => {
      notifications.show({ message: t('admin.templates.created') })
      void invalidateTemplates()
      return navigate({ to: '/admin/email-templates/$template', params: { template: id }, ignoreBlocker: true })
    },
  })
  return { state, filled: state.base ? textsOf(state.before) : filledNew, setFilled }
}

/** Ctrl+S and ⌘S submit the form. */
const submitOnSave = (maySubmit: boolean) => (event: KeyboardEvent<HTMLFormElement>) => {
  if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
  event.preventDefault()
  if (maySubmit) event.currentTarget.requestSubmit()
}
