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
import { Link, useNavigate } from '@tanstack/react-router'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api, queryClient, tagged } from '../../api'
import { fieldProblems } from '../../ui/problem'
import { SaveProblem } from '../../ui/SaveProblem'
import { Unsaved } from '../../ui/Unsaved'
import { useOnce } from '../../ui/useOnce'
import { useSubmit } from '../../ui/useSubmit'
import { useTell } from '../../ui/useTell'
import { BeginFrom } from './BeginFrom'
import classes from './mail.module.css'
import { Preview } from './Preview'
import { usePreview } from './preview'
import { pathOf, readTemplatesAnew, type Template, type TemplateKey, templateQuery } from './queries'
import { VariableMenu } from './VariableMenu'
import { WhichMail } from './WhichMail'
import { aboutVariable, type Variable, variableOf } from './words'
import {
  bodyOf,
  changeOf,
  draftOf,
  faultsOf,
  inWords,
  isChanged,
  namesIn,
  ownTexts,
  sameTexts,
  type TemplateValues,
  type TextField,
  type Texts,
  textsOf,
  valuesOf,
} from './writing'

export type Known = { record: Template; etag: string }
export type Form = UseFormReturnType<TemplateValues>

/** What every mail is written with, whatever its key. */
const commonOf = (keys: TemplateKey[]) =>
  keys[0]?.variables.filter(({ name }) => keys.every(({ variables }) => variables.some((one) => one.name === name))) ??
  []

/** The variables of a mail; of the operator's own those that all have, and what it uses besides. */
function variablesFor(keys: TemplateKey[], values: TemplateValues): { variables: Variable[]; isFree: boolean } {
  const known = keys.find(({ key }) => key === values.key)
  if (known) return { variables: known.variables, isFree: false }
  const common = commonOf(keys)
  const further = namesIn(values).filter((name) => !common.some((one) => one.name === name))
  return {
    variables: [...common, ...further.map((name) => ({ name, description: '', sample: '' }))],
    isFree: true,
  }
}

/** Makes a template, or changes the one that is given. `onChanged`: whether something is not saved yet. */
export function TemplateForm({
  template,
  begin,
  keys,
  templates,
  samples,
  onSample,
  onChanged,
}: {
  template?: Known
  /** What a new one begins with. */
  begin?: TemplateValues
  keys: TemplateKey[]
  templates: Template[]
  samples: Record<string, string>
  onSample: (name: string, value: string) => void
  onChanged?: (changed: boolean) => void
}) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  // What is read again meanwhile is not what this form was filled with.
  const [base, setBase] = useState(template)
  const [blank] = useState(begin)
  const before = base ? valuesOf(base.record) : blank
  /** The texts that were put here and not written: others may take their place. */
  const [put, setPut] = useState<Texts | undefined>(before && textsOf(before))
  const [shownBody, setShownBody] = useState<'body_html' | 'body_text'>('body_html')
  const form = useForm<TemplateValues>({
    ...(before && { initialValues: before }),
    validate: (values) => faultsOf(t, values),
  })
  const { values } = form
  const isWritten = put === undefined || !sameTexts(textsOf(values), put)
  const changed = base
    ? isChanged(values, valuesOf(base.record))
    : isWritten || values.description.trim() !== (before?.description ?? '')
  const { variables, isFree } = variablesFor(keys, values)
  const shown = usePreview(draftOf(values, samples))
  const once = useOnce()
  const tell = useTell()
  const refuse = (error: unknown): never => {
    throw inWords(t, error)
  }
  const save = useSubmit<TemplateValues, Known | Template>(form, {
    at: { email_template_taken: 'locale' },
    mutationFn: (sent) => {
      if (base)
        return tagged(
          api.PUT('/api/v1/email-templates/{id}', {
            ...pathOf(base.record),
            body: changeOf(sent, valuesOf(base.record)),
            headers: { 'if-match': base.etag },
          }),
        ).catch(refuse)
      const body = bodyOf(sent)
      return once(body, (headers) => answered(api.POST('/api/v1/email-templates', { body, headers }))).catch(refuse)
    },
    onError: (error) => {
      // What is wrong is shown first, so that keys can go on there.
      const wrong = fieldProblems(t, error)
      if (wrong.body_html) setShownBody('body_html')
      else if (wrong.body_text) setShownBody('body_text')
    },
    onSuccess: (saved) => {
      if ('etag' in saved) {
        queryClient.setQueryData(templateQuery(saved.record.id).queryKey, saved)
        setBase(saved)
        setPut(textsOf(saved.record))
        form.setInitialValues(valuesOf(saved.record))
        form.setValues(valuesOf(saved.record))
        notifications.show({ message: t('desk.templates.saved') })
        return readTemplatesAnew()
      }
      notifications.show({ message: t('desk.templates.created') })
      void readTemplatesAnew()
      return navigate({ to: '/admin/email-templates/$template', params: { template: saved.id }, ignoreBlocker: true })
    },
  })
  /** What was changed here is put on top of what is there now, to be looked at and saved. */
  const readAgain = useMutation({
    mutationFn: (id: string) => queryClient.fetchQuery({ ...templateQuery(id), staleTime: 0 }),
    onSuccess: (now) => {
      const current = valuesOf(now.record)
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
  /** Another mail or language brings Meydan's own text of it, as long as nothing was written. */
  const choose = (chosen: { key?: string; locale?: string }) => {
    const key = chosen.key ?? values.key
    const locale = chosen.locale ?? values.locale
    const known = keys.find((one) => one.key === key)
    form.setValues(chosen)
    for (const field of Object.keys(chosen)) form.clearFieldError(field)
    if (isWritten || (!known && chosen.key === undefined)) return
    const texts = ownTexts(known, locale)
    fill(texts, chosen)
    setPut(texts)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { errors, hasErrors } = form.validate()
    if (errors.body_html) setShownBody('body_html')
    if (!hasErrors) return save.onSubmit(event)
    event.preventDefault()
    const wrong = Object.keys(values).find((name) => errors[name])
    // What is hidden is shown first.
    setTimeout(() => form.getInputNode(wrong ?? '')?.focus())
  }
  useEffect(() => onChanged?.(changed), [onChanged, changed])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (!template || !base || template.etag === base.etag) return
    const current = valuesOf(template.record)
    if (changed && isChanged(current, valuesOf(base.record))) return
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
      used={namesIn(values)}
      isFree={isFree}
      node={() => form.getInputNode(field)}
    />
  )
  const bodyLabel = t(shownBody === 'body_html' ? 'desk.templates.html_of' : 'desk.templates.text_of')
  const hiddenWrong = shownBody === 'body_html' ? 'body_text' : 'body_html'
  /** It is another text than the HTML by now, which is easily overlooked. */
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
          {!base && <WhichMail form={form} keys={keys} templates={templates} onChoose={choose} />}
          <Card component="section" aria-labelledby="says">
            <Group justify="space-between" mb="md" gap="sm">
              <Title order={2} size="h3" id="says">
                {t('desk.templates.says')}
              </Title>
              <BeginFrom
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
                    {t('desk.templates.subject')}
                  </Text>
                  {picker('subject', t('desk.templates.subject'))}
                </div>
                <TextInput
                  id="template-subject"
                  maxLength={300}
                  classNames={{ wrapper: classes.line, error: classes.fault }}
                  {...props('subject', t('desk.templates.subject'))}
                />
              </div>
              <div>
                <div className={classes.head}>
                  <SegmentedControl<'body_html' | 'body_text'>
                    size="sm"
                    aria-label={t('desk.templates.part')}
                    value={shownBody}
                    onChange={setShownBody}
                    data={[
                      { value: 'body_html', label: t('desk.templates.html') },
                      { value: 'body_text', label: t('desk.templates.text') },
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
                    {t(hiddenWrong === 'body_text' ? 'desk.templates.text_wrong' : 'desk.templates.html_wrong')}
                  </Anchor>
                )}
                <div hidden={shownBody !== 'body_html'}>
                  <Textarea
                    rows={22}
                    resize="vertical"
                    maxLength={200_000}
                    spellCheck={false}
                    classNames={{ wrapper: classes.code, error: classes.fault }}
                    {...props('body_html', t('desk.templates.html_of'))}
                  />
                </div>
                <div hidden={shownBody !== 'body_text'}>
                  <Textarea
                    rows={22}
                    resize="vertical"
                    maxLength={100_000}
                    description={t('desk.templates.text_about')}
                    classNames={{ wrapper: classes.code, error: classes.fault }}
                    {...props('body_text', t('desk.templates.text_of'))}
                  />
                </div>
              </div>
              <div role="status" className={classes.hint}>
                {isTextLeft && (
                  <Text fz="sm">
                    {t('desk.templates.text_left')}{' '}
                    <Anchor
                      component="button"
                      type="button"
                      inherit
                      onClick={() => form.setFieldValue('body_text', '')}
                    >
                      {t('desk.templates.text_anew')}
                    </Anchor>
                  </Text>
                )}
              </div>
              {unused.length > 0 && <Unused names={unused} variables={variables} />}
              <TextInput
                label={t('desk.templates.note')}
                description={t('desk.templates.note_about')}
                maxLength={500}
                autoComplete="off"
                {...form.getInputProps('description')}
              />
            </Stack>
          </Card>
          <SaveProblem
            problem={save.problem}
            conflict={t('desk.templates.conflict_detail')}
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
              <Button
                variant="default"
                renderRoot={(link) => <Link to="/admin/email-templates" search={{}} {...link} />}
              >
                {t('ui.cancel')}
              </Button>
            )}
            <Button type="submit" loading={save.isPending} disabled={base && !changed}>
              {t(base ? 'desk.templates.save' : 'desk.templates.create')}
            </Button>
          </Group>
        </Stack>
        <Unsaved when={() => changed && !(save.isSuccess && !base)} />
      </form>
      <Preview shown={shown} variables={variables} samples={samples} onSample={onSample} />
    </div>
  )
}

/** Maybe the code or the link was forgotten. */
function Unused({ names, variables }: { names: string[]; variables: Variable[] }) {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('desk.templates.unused')} role="status">
      {names.map((name) => {
        const variable = variables.find((one) => one.name === name)
        const about = variable && aboutVariable(t, variable)
        return (
          <Text key={name} fz="sm">
            <span className={classes.variable}>{variableOf(name)}</span>
            {about && <span lang={about.lang}> · {about.text}</span>}
          </Text>
        )
      })}
    </Alert>
  )
}
