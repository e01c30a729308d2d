import {
  Alert,
  Anchor,
  Button,
  Card,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, queryClient, unwrap, unwrapWithEtag } from '../../api'
import { fieldProblems } from '../../ui/feedback/problem'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { SaveProblemAlert } from '../../ui/forms/SaveProblemAlert'
import { UnsavedChangesGuard } from '../../ui/forms/UnsavedChangesGuard'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import {
  builtInTexts,
  changedFields,
  isChanged,
  sameTexts,
  type TemplateValues,
  type TextField,
  type Texts,
  textsOf,
  toBody,
  toDraft,
  toFormValues,
  translateProblem,
  validateTemplate,
  variableNamesIn,
} from './form-values'
import { placeholderFor, type Variable, variableDescription } from './labels'
import { MailTypeSelect } from './MailTypeSelect'
import classes from './mail.module.css'
import { invalidateTemplates, pathParams, type Template, type TemplateKey, templateQuery } from './queries'
import { TemplatePreview } from './TemplatePreview'
import { TemplateSource } from './TemplateSource'
import { useTemplatePreview } from './useTemplatePreview'
import { VariableMenu } from './VariableMenu'

export type LoadedTemplate = { record: Template; etag: string }
export type TemplateFormState = UseFormReturnType<TemplateValues>

/** The variables that all mails have. */
const commonOf = (keys: TemplateKey[]) =>
  keys[0]?.variables.filter(({ name }) => keys.every(({ variables }) => variables.some((one) => one.name === name))) ??
  []

/** The variables of a mail. An operator's own mail has the common ones and those it uses. */
function variablesFor(keys: TemplateKey[], values: TemplateValues): { variables: Variable[]; isFree: boolean } {
  const known = keys.find(({ key }) => key === values.key)
  if (known) return { variables: known.variables, isFree: false }
  const common = commonOf(keys)
  const further = variableNamesIn(values).filter((name) => !common.some((one) => one.name === name))
  return {
    variables: [...common, ...further.map((name) => ({ name, description: '', sample: '' }))],
    isFree: true,
  }
}

/** Creates a template or changes the given one. `onChanged`: reports whether there are unsaved changes. */
export function TemplateForm({
  template,
  begin,
  keys,
  templates,
  samples,
  onSample,
  onChanged,
}: {
  template?: LoadedTemplate
  /** Initial values of a new one. */
  begin?: TemplateValues
  keys: TemplateKey[]
  templates: Template[]
  samples: Record<string, string>
  onSample: (name: string, value: string) => void
  onChanged?: (changed: boolean) => void
}) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  // The version that filled the form, unlike later refetches.
  const [base, setBase] = useState(template)
  const [blank] = useState(begin)
  const before = base ? toFormValues(base.record) : blank
  /** The texts filled in and not typed by the user: they may be replaced. */
  const [put, setPut] = useState<Texts | undefined>(before && textsOf(before))
  const [shownBody, setShownBody] = useState<'body_html' | 'body_text'>('body_html')
  const form = useForm<TemplateValues>({
    ...(before && { initialValues: before }),
    validate: (values) => validateTemplate(t, values),
  })
  const { values } = form
  const isWritten = put === undefined || !sameTexts(textsOf(values), put)
  const changed = base
    ? isChanged(values, toFormValues(base.record))
    : isWritten || values.description.trim() !== (before?.description ?? '')
  const { variables, isFree } = variablesFor(keys, values)
  const shown = useTemplatePreview(toDraft(values, samples))
  const once = useIdempotencyKey()
  const tell = useErrorNotification()
  const refuse = (error: unknown): never => {
    throw translateProblem(t, error)
  }
  const save = useFormSubmit<TemplateValues, LoadedTemplate | Template>(form, {
    at: { email_template_taken: 'locale' },
    mutationFn: (sent) => {
      if (base)
        return unwrapWithEtag(
          api.PUT('/api/v1/email-templates/{id}', {
            ...pathParams(base.record),
            body: changedFields(sent, toFormValues(base.record)),
            headers: { 'if-match': base.etag },
          }),
        ).catch(refuse)
      const body = toBody(sent)
      return once(body, (headers) => unwrap(api.POST('/api/v1/email-templates', { body, headers }))).catch(refuse)
    },
    onError: (error) => {
      // Shows the wrong field first, so that it can be focused.
      const wrong = fieldProblems(t, error)
      if (wrong.body_html) setShownBody('body_html')
      else if (wrong.body_text) setShownBody('body_text')
    },
    onSuccess: (saved) => {
      if ('etag' in saved) {
        queryClient.setQueryData(templateQuery(saved.record.id).queryKey, saved)
        setBase(saved)
        setPut(textsOf(saved.record))
        form.setInitialValues(toFormValues(saved.record))
        form.setValues(toFormValues(saved.record))
        notifications.show({ message: t('admin.templates.saved') })
        return invalidateTemplates()
      }
      notifications.show({ message: t('admin.templates.created') })
      void invalidateTemplates()
      return navigate({ to: '/admin/email-templates/$template', params: { template: saved.id }, ignoreBlocker: true })
    },
  })
  /** Reloads the record and applies the user's changes on top, to review and save. */
  const readAgain = useMutation({
    mutationFn: (id: string) => queryClient.fetchQuery({ ...templateQuery(id), staleTime: 0 }),
    onSuccess: (now) => {
      const current = toFormValues(now.record)
      const mine = before
        ? Object.entries(form.values).filter(([name, value]) => value !== before[name as TextField])
        : []
      setBase(now)
      setPut(textsOf(now.record))
      form.setInitialValues(current)
      form.setValues({ ...current, ...Object.fromEntries(mine) })
      save.reset()
    },
    onError: tell,
  })
  const fill = (texts: Texts, more: Partial<TemplateValues> = {}) => {
    form.setValues({ ...more, ...texts })
    for (const field of ['subject', 'body_html', 'body_text']) form.clearFieldError(field)
  }
  /** Selects a mail or language and fills in Meydan's text, unless the user has typed one. */
  const choose = (chosen: { key?: string; locale?: string }) => {
    const key = chosen.key ?? values.key
    const locale = chosen.locale ?? values.locale
    const known = keys.find((one) => one.key === key)
    form.setValues(chosen)
    for (const field of Object.keys(chosen)) form.clearFieldError(field)
    if (isWritten || (!known && chosen.key === undefined)) return
    const texts = builtInTexts(known, locale)
    fill(texts, chosen)
    setPut(texts)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { errors, hasErrors } = form.validate()
    if (errors.body_html) setShownBody('body_html')
    if (!hasErrors) return save.onSubmit(event)
    event.preventDefault()
    const wrong = Object.keys(values).find((name) => errors[name])
    // A hidden field is shown first.
    setTimeout(() => form.getInputNode(wrong ?? '')?.focus())
  }
  useEffect(() => onChanged?.(changed), [onChanged, changed])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (!template || !base || template.etag === base.etag) return
    const current = toFormValues(template.record)
    if (changed && isChanged(current, toFormValues(base.record))) return
    setBase(template)
    form.setInitialValues(current)
    if (!changed) form.setValues(current)
  }, [template?.etag])
  const wrongOf = (field: TextField): ReactNode => form.errors[field] ?? shown.faults[field]
  const props = (field: TextField, label: string) => ({
    ...form.getInputProps(field),
    error: wrongOf(field),
    'aria-label': label,
    autoCapitalize: 'none',
    autoComplete: 'off',
  })
  const picker = (field: TextField, label: string) => (
    <VariableMenu
      field={label}
      variables={variables}
      used={variableNamesIn(values)}
      isFree={isFree}
      node={() => form.getInputNode(field)}
    />
  )
  const bodyLabel = t(shownBody === 'body_html' ? 'admin.templates.html_of' : 'admin.templates.text_of')
  const hiddenWrong = shownBody === 'body_html' ? 'body_text' : 'body_html'
  /** The text no longer matches the HTML, which is easily overlooked. */
  const isTextLeft =
    put !== undefined &&
    values.body_html !== put.body_html &&
    values.body_text !== '' &&
    values.body_text === put.body_text
  const unused = shown.preview?.warnings ?? []
  return (
    <div className={classes.page}>
      <form
        onSubmit={submit}
        noValidate
        onKeyDown={(event) => {
          if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
          event.preventDefault()
          if (changed && !save.isPending) event.currentTarget.requestSubmit()
        }}
      >
        <Stack gap="lg">
          {!base && <MailTypeSelect form={form} keys={keys} templates={templates} onChoose={choose} />}
          <Card component="section" aria-labelledby="says">
            <Group justify="space-between" mb="md" gap="sm">
              <Title order={2} size="h3" id="says">
                {t('admin.templates.content')}
              </Title>
              <TemplateSource
                mail={values.key}
                except={base?.record.id}
                keys={keys}
                templates={templates}
                isWritten={isWritten || base !== undefined}
                onChoose={(texts) => {
                  fill(texts)
                  if (!base) setPut(texts)
                }}
              />
            </Group>
            <Stack>
              <div>
                <div className={classes.head}>
                  <Text component="label" htmlFor="template-subject" fw={500}>
                    {t('admin.templates.subject')}
                  </Text>
                  {picker('subject', t('admin.templates.subject'))}
                </div>
                <TextInput
                  id="template-subject"
                  maxLength={300}
                  classNames={{ wrapper: classes.line, error: classes.invalid }}
                  {...props('subject', t('admin.templates.subject'))}
                />
              </div>
              <div>
                <div className={classes.head}>
                  <SegmentedControl<'body_html' | 'body_text'>
                    size="sm"
                    aria-label={t('admin.templates.part')}
                    value={shownBody}
                    onChange={setShownBody}
                    data={[
                      { value: 'body_html', label: t('admin.templates.html') },
                      { value: 'body_text', label: t('admin.templates.text') },
                    ]}
                  />
                  {picker(shownBody, bodyLabel)}
                </div>
                {wrongOf(hiddenWrong) && (
                  <Anchor
                    component="button"
                    type="button"
                    fz="sm"
                    mb={6}
                    c="var(--mantine-color-error)"
                    onClick={() => setShownBody(hiddenWrong)}
                  >
                    <CircleAlert size={14} aria-hidden="true" />{' '}
                    {t(hiddenWrong === 'body_text' ? 'admin.templates.text_wrong' : 'admin.templates.html_wrong')}
                  </Anchor>
                )}
                <div hidden={shownBody !== 'body_html'}>
                  <Textarea
                    rows={22}
                    resize="vertical"
                    maxLength={200_000}
                    spellCheck={false}
                    classNames={{ wrapper: classes.code, error: classes.invalid }}
                    {...props('body_html', t('admin.templates.html_of'))}
                  />
                </div>
                <div hidden={shownBody !== 'body_text'}>
                  <Textarea
                    rows={22}
                    resize="vertical"
                    maxLength={100_000}
                    description={t('admin.templates.text_about')}
                    classNames={{ wrapper: classes.code, error: classes.invalid }}
                    {...props('body_text', t('admin.templates.text_of'))}
                  />
                </div>
              </div>
              <div role="status" className={classes.hint}>
                {isTextLeft && (
                  <Text fz="sm">
                    {t('admin.templates.text_left')}{' '}
                    <Anchor
                      component="button"
                      type="button"
                      inherit
                      onClick={() => form.setFieldValue('body_text', '')}
                    >
                      {t('admin.templates.text_from_html')}
                    </Anchor>
                  </Text>
                )}
              </div>
              {unused.length > 0 && <UnusedVariables names={unused} variables={variables} />}
              <TextInput
                label={t('admin.templates.note')}
                description={t('admin.templates.note_about')}
                maxLength={500}
                autoComplete="off"
                {...form.getInputProps('description')}
              />
            </Stack>
          </Card>
          <SaveProblemAlert
            problem={save.problem}
            conflict={t('admin.templates.conflict_detail')}
            onLoad={base && (() => readAgain.mutate(base.record.id))}
            loading={readAgain.isPending}
          />
          <Group justify="flex-end">
            {base ? (
              changed && (
                <Button variant="default" onClick={form.reset}>
                  {t('settings.undo')}
                </Button>
              )
            ) : (
              <ButtonLink to="/admin/email-templates" search={{}} variant="default">
                {t('ui.cancel')}
              </ButtonLink>
            )}
            <Button type="submit" loading={save.isPending} disabled={base && !changed}>
              {t(base ? 'admin.templates.save' : 'admin.templates.create')}
            </Button>
          </Group>
        </Stack>
        <UnsavedChangesGuard when={() => changed && !(save.isSuccess && !base)} />
      </form>
      <TemplatePreview shown={shown} variables={variables} samples={samples} onSample={onSample} />
    </div>
  )
}

/** Warns of, for example, a forgotten link. */
function UnusedVariables({ names, variables }: { names: string[]; variables: Variable[] }) {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('admin.templates.unused')} role="status">
      {names.map((name) => {
        const variable = variables.find((one) => one.name === name)
        const about = variable && variableDescription(t, variable)
        return (
          <Text key={name} fz="sm">
            <span className={classes.variable}>{placeholderFor(name)}</span>
            {about && <span lang={about.lang}> · {about.text}</span>}
          </Text>
        )
      })}
    </Alert>
  )
}
