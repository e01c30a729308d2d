import {
  Alert,
  Anchor,
  Button,
  Card,
  Group,
  Select,
  SimpleGrid,
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
import { TriangleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, queryClient, unwrap, unwrapWithEtag } from '../../api'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { SaveProblemAlert } from '../../ui/forms/SaveProblemAlert'
import { UnsavedChangesGuard } from '../../ui/forms/UnsavedChangesGuard'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import classes from './ai.module.css'
import {
  changedFields,
  generatesText,
  isChanged,
  type ModelValues,
  newValues,
  throwAtFields,
  toBody,
  toFormValues,
  validateModel,
} from './form-values'
import { KeyField } from './KeyDialog'
import { setApiKey } from './mutations'
import { apiTypes, providerInfo, providerName } from './provider-info'
import { type AiModel, invalidateModels, modelQuery, pathParams } from './queries'
import { categories, type Provider, providers } from './search-params'

type LoadedModel = { record: AiModel; etag: string }
type Form = UseFormReturnType<ModelValues>

/** Creates a model, or changes `model`. `onChanged` reports whether there are unsaved changes. */
export function ModelForm({ model, onChanged }: { model?: LoadedModel; onChanged?: (changed: boolean) => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  // A refetch changes `model`, but not the values this form started with.
  const [base, setBase] = useState(model)
  const before = base ? toFormValues(base.record) : newValues
  const form = useForm<ModelValues>({
    initialValues: before,
    validate: (values) => validateModel(t, values),
  })
  const once = useIdempotencyKey()
  const save = useFormSubmit<ModelValues, LoadedModel | AiModel>(form, {
    mutationFn: (values) => {
      if (base)
        return unwrapWithEtag(
          api.PUT('/api/v1/ai-models/{id}', {
            ...pathParams(base.record),
            body: changedFields(values, before),
            headers: { 'if-match': base.etag },
          }),
        ).catch(throwAtFields)
      const body = { ...toBody(values), is_active: true }
      return once(body, (headers) => unwrap(api.POST('/api/v1/ai-models', { body, headers }))).catch(throwAtFields)
    },
    onSuccess: async (saved, { api_key }) => {
      if ('etag' in saved) {
        queryClient.setQueryData(modelQuery(saved.record.id_secure).queryKey, saved)
        setBase(saved)
        form.setInitialValues(toFormValues(saved.record))
        form.setValues(toFormValues(saved.record))
        notifications.show({ message: t('admin.models.saved') })
        return invalidateModels()
      }
      // The model exists even if saving its key fails: the key can be set on its page.
      const kept = api_key.trim() === '' || (await setApiKey(saved, api_key.trim()).then(() => true, tell))
      if (kept === true) notifications.show({ message: t('admin.models.created', { name: saved.name }) })
      void invalidateModels()
      return navigate({ to: '/admin/ai-models/$model', params: { model: saved.id_secure }, ignoreBlocker: true })
    },
  })
  const tell = useErrorNotification()
  /** Applies the user's changes to the current version, for review before saving. */
  const readAgain = useMutation({
    mutationFn: (id: string) => queryClient.fetchQuery({ ...modelQuery(id), staleTime: 0 }),
    onSuccess: (now) => {
      const current = toFormValues(now.record)
      const mine = Object.entries(form.values).filter(([key, value]) => value !== before[key as keyof ModelValues])
      setBase(now)
      form.setInitialValues(current)
      form.setValues({ ...current, ...Object.fromEntries(mine) })
      save.reset()
    },
    onError: tell,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { errors, hasErrors } = form.validate()
    if (!hasErrors) return save.onSubmit(event)
    event.preventDefault()
    const wrong = Object.keys(form.values).find((name) => errors[name])
    form.getInputNode(wrong ?? '')?.focus()
  }
  const changed = isChanged(form.values, before)
  useEffect(() => onChanged?.(changed), [onChanged, changed])
  // Changes made outside the form, or elsewhere while the form is untouched, are no conflict.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (!model || !base || model.etag === base.etag) return
    const current = toFormValues(model.record)
    if (isChanged(current, before) && changed) return
    setBase(model)
    form.setInitialValues(current)
    if (!changed) form.setValues(current)
  }, [model?.etag])
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <IdentityFields form={form} isNew={!base} />
        <RequestFields form={form} />
        <SaveProblemAlert
          problem={save.problem}
          conflict={t('admin.models.conflict_detail')}
          onLoad={base && (() => readAgain.mutate(base.record.id_secure))}
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
            <ButtonLink to="/admin/ai-models" variant="default">
              {t('ui.cancel')}
            </ButtonLink>
          )}
          <Button type="submit" loading={save.isPending} disabled={base && !changed}>
            {t(base ? 'admin.models.save' : 'admin.models.create')}
          </Button>
        </Group>
      </Stack>
      <UnsavedChangesGuard when={() => changed && !(save.isSuccess && !base)} />
    </form>
  )
}

/** Provider, model and purpose. */
function IdentityFields({ form, isNew }: { form: Form; isNew: boolean }) {
  const { t } = useTranslation()
  const { provider, category, api_type } = form.values
  const info = providerInfo[provider]
  const making = category === 'text' && api_type === 'embedding' ? 'embedding' : category
  const cannot = !(making in info.makes) || (category === 'text' && api_type === 'completion' && !info.completion)
  return (
    <Card component="section" aria-labelledby="what">
      <Title order={2} size="h3" id="what" mb="md">
        {t('admin.models.general')}
      </Title>
      <Stack>
        <Select
          label={t('admin.models.vendor')}
          allowDeselect={false}
          data={providers.map((value) => ({ value, label: providerName(t, value) }))}
          {...form.getInputProps('provider')}
        />
        <ProviderHint provider={provider} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t('admin.models.name')}
            description={t('admin.models.name_about')}
            maxLength={80}
            autoComplete="off"
            required
            {...form.getInputProps('name')}
          />
          <TextInput
            label={t('admin.models.model_key')}
            description={t('admin.models.model_key_about')}
            placeholder={info.makes[making]}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            {...form.getInputProps('model_key')}
          />
          <Select
            label={t('admin.models.output')}
            description={t('admin.models.output_about')}
            allowDeselect={false}
            data={categories.map((value) => ({
              value,
              label: t(`admin.models.category.${value}`),
              disabled: !(value in info.makes),
            }))}
            {...form.getInputProps('category')}
          />
          {category === 'text' && (
            <Select
              label={t('admin.models.api')}
              description={t('admin.models.api_about')}
              allowDeselect={false}
              data={apiTypes.map((value) => ({ value, label: t(`admin.models.api_type.${value}`) }))}
              {...form.getInputProps('api_type')}
            />
          )}
        </SimpleGrid>
        {cannot && (
          <Alert color="yellow" icon={<TriangleAlert size={20} />} role="status">
            {t('admin.models.cannot', { vendor: providerName(t, provider) })}
          </Alert>
        )}
        {isNew && (
          <KeyField
            label={t('admin.models.key')}
            description={t(info.keyless ? 'admin.models.key_new_keyless' : 'admin.models.key_new', {
              vendor: providerName(t, provider),
            })}
            {...form.getInputProps('api_key')}
          />
        )}
      </Stack>
    </Card>
  )
}

/** Explains what a provider needs before one of its models is set up. */
function ProviderHint({ provider }: { provider: Provider }) {
  const { t } = useTranslation()
  const { keys, address } = providerInfo[provider]
  return (
    <div className={classes.hint} role="status">
      {t(`admin.models.hint.${provider}`)}{' '}
      {keys && (
        <Anchor href={keys} target="_blank" rel="noreferrer" inherit>
          {t('admin.models.get_key')}
        </Anchor>
      )}
      {address && provider === 'ollama' && (
        <Text component="div" className={classes.modelKey} mt={4}>
          {address}
        </Text>
      )}
    </div>
  )
}

/** Parameters that each request carries. */
function RequestFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  const { provider } = form.values
  const { address } = providerInfo[provider]
  const json = {
    autosize: true,
    minRows: 3,
    maxRows: 14,
    autoCapitalize: 'none',
    spellCheck: false,
    classNames: { wrapper: classes.code },
  }
  return (
    <Card component="section" aria-labelledby="how">
      <Title order={2} size="h3" id="how" mb="md">
        {t('admin.models.api_settings')}
      </Title>
      <Stack>
        {generatesText(form.values) && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t('admin.models.max_tokens')}
              description={t('admin.models.max_tokens_about')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={7}
              {...form.getInputProps('max_tokens')}
            />
            <TextInput
              label={t('admin.models.temperature')}
              description={t('admin.models.temperature_about')}
              inputMode="decimal"
              autoComplete="off"
              maxLength={8}
              {...form.getInputProps('temperature')}
            />
          </SimpleGrid>
        )}
        <TextInput
          label={t('admin.models.base_url')}
          description={t(provider === 'custom' ? 'admin.models.base_url_custom' : 'admin.models.base_url_about')}
          placeholder={address ?? 'https://api.example.com/v1'}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={500}
          required={provider === 'custom'}
          {...form.getInputProps('base_url')}
        />
        <Textarea
          label={t('admin.models.params')}
          description={t('admin.models.params_about')}
          placeholder={'{ "top_p": 0.9 }'}
          {...json}
          {...form.getInputProps('params')}
        />
        <TextInput
          label={t('admin.models.type')}
          description={t('admin.models.type_about')}
          maxLength={60}
          autoComplete="off"
          {...form.getInputProps('type')}
        />
        <Textarea
          label={t('admin.models.meta')}
          description={t('admin.models.meta_about')}
          {...json}
          {...form.getInputProps('meta')}
        />
      </Stack>
    </Card>
  )
}
