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
import { Link, useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, api, queryClient, tagged } from '../../api'
import { SaveProblem } from '../../ui/SaveProblem'
import { Unsaved } from '../../ui/Unsaved'
import { useOnce } from '../../ui/useOnce'
import { useSubmit } from '../../ui/useSubmit'
import { useTell } from '../../ui/useTell'
import { sendKey } from './acts'
import classes from './ai.module.css'
import { KeyField } from './KeyDialog'
import { type AiModel, modelQuery, pathOf, readModelsAnew } from './queries'
import { categories, type Provider, providers } from './search'
import { apiTypes, vendorName, vendors } from './vendors'
import {
  atFields,
  bodyOf,
  changeOf,
  faultsOf,
  isChanged,
  type ModelValues,
  newValues,
  valuesOf,
  writesTokens,
} from './writing'

type Known = { record: AiModel; etag: string }
type Form = UseFormReturnType<ModelValues>

/** Makes a model, or changes the one that is given. `onChanged`: whether something is not saved yet. */
export function ModelForm({ model, onChanged }: { model?: Known; onChanged?: (changed: boolean) => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  // What is read again meanwhile is not what this form was filled with.
  const [base, setBase] = useState(model)
  const before = base ? valuesOf(base.record) : newValues
  const form = useForm<ModelValues>({
    initialValues: before,
    validate: (values) => faultsOf(t, values),
  })
  const once = useOnce()
  const save = useSubmit<ModelValues, Known | AiModel>(form, {
    mutationFn: (values) => {
      if (base)
        return tagged(
          api.PUT('/api/v1/ai-models/{id}', {
            ...pathOf(base.record),
            body: changeOf(values, before),
            headers: { 'if-match': base.etag },
          }),
        ).catch(atFields)
      const body = { ...bodyOf(values), is_active: true }
      return once(body, (headers) => answered(api.POST('/api/v1/ai-models', { body, headers }))).catch(atFields)
    },
    onSuccess: async (saved, { api_key }) => {
      if ('etag' in saved) {
        queryClient.setQueryData(modelQuery(saved.record.id_secure).queryKey, saved)
        setBase(saved)
        form.setInitialValues(valuesOf(saved.record))
        form.setValues(valuesOf(saved.record))
        notifications.show({ message: t('desk.models.saved') })
        return readModelsAnew()
      }
      // The model is there, whatever becomes of its key: that can be set on its page.
      const kept = api_key.trim() === '' || (await sendKey(saved, api_key.trim()).then(() => true, tell))
      if (kept === true) notifications.show({ message: t('desk.models.created', { name: saved.name }) })
      void readModelsAnew()
      return navigate({ to: '/admin/ai-models/$model', params: { model: saved.id_secure }, ignoreBlocker: true })
    },
  })
  const tell = useTell()
  /** What was changed here is put on top of what is there now, to be looked at and saved. */
  const readAgain = useMutation({
    mutationFn: (id: string) => queryClient.fetchQuery({ ...modelQuery(id), staleTime: 0 }),
    onSuccess: (now) => {
      const current = valuesOf(now.record)
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
  // What was changed beside the form, or elsewhere while nothing was written in it, is no conflict.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (!model || !base || model.etag === base.etag) return
    const current = valuesOf(model.record)
    if (isChanged(current, before) && changed) return
    setBase(model)
    form.setInitialValues(current)
    if (!changed) form.setValues(current)
  }, [model?.etag])
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <What form={form} isNew={!base} />
        <How form={form} />
        <SaveProblem
          problem={save.problem}
          conflict={t('desk.models.conflict_detail')}
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
            <Button variant="default" renderRoot={(props) => <Link to="/admin/ai-models" {...props} />}>
              {t('ui.cancel')}
            </Button>
          )}
          <Button type="submit" loading={save.isPending} disabled={base && !changed}>
            {t(base ? 'desk.models.save' : 'desk.models.create')}
          </Button>
        </Group>
      </Stack>
      <Unsaved when={() => changed && !(save.isSuccess && !base)} />
    </form>
  )
}

/** Which model it is, and what it is for. */
function What({ form, isNew }: { form: Form; isNew: boolean }) {
  const { t } = useTranslation()
  const { provider, category, api_type } = form.values
  const vendor = vendors[provider]
  const making = category === 'text' && api_type === 'embedding' ? 'embedding' : category
  const cannot = !(making in vendor.makes) || (category === 'text' && api_type === 'completion' && !vendor.completion)
  return (
    <Card component="section" aria-labelledby="what">
      <Title order={2} size="h3" id="what" mb="md">
        {t('desk.models.what')}
      </Title>
      <Stack>
        <Select
          label={t('desk.models.vendor')}
          allowDeselect={false}
          data={providers.map((value) => ({ value, label: vendorName(t, value) }))}
          {...form.getInputProps('provider')}
        />
        <VendorHint provider={provider} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t('desk.models.name')}
            description={t('desk.models.name_about')}
            maxLength={80}
            autoComplete="off"
            required
            {...form.getInputProps('name')}
          />
          <TextInput
            label={t('desk.models.model_key')}
            description={t('desk.models.model_key_about')}
            placeholder={vendor.makes[making]}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            {...form.getInputProps('model_key')}
          />
          <Select
            label={t('desk.models.makes')}
            description={t('desk.models.makes_about')}
            allowDeselect={false}
            data={categories.map((value) => ({
              value,
              label: t(`desk.models.category.${value}`),
              disabled: !(value in vendor.makes),
            }))}
            {...form.getInputProps('category')}
          />
          {category === 'text' && (
            <Select
              label={t('desk.models.api')}
              description={t('desk.models.api_about')}
              allowDeselect={false}
              data={apiTypes.map((value) => ({ value, label: t(`desk.models.api_type.${value}`) }))}
              {...form.getInputProps('api_type')}
            />
          )}
        </SimpleGrid>
        {cannot && (
          <Alert color="yellow" icon={<TriangleAlert size={20} />} role="status">
            {t('desk.models.cannot', { vendor: vendorName(t, provider) })}
          </Alert>
        )}
        {isNew && (
          <KeyField
            label={t('desk.models.key')}
            description={t(vendor.keyless ? 'desk.models.key_new_keyless' : 'desk.models.key_new', {
              vendor: vendorName(t, provider),
            })}
            {...form.getInputProps('api_key')}
          />
        )}
      </Stack>
    </Card>
  )
}

/** What is to be known of a vendor before a model of it is set up. */
function VendorHint({ provider }: { provider: Provider }) {
  const { t } = useTranslation()
  const { keys, address } = vendors[provider]
  return (
    <div className={classes.hint} role="status">
      {t(`desk.models.hint.${provider}`)}{' '}
      {keys && (
        <Anchor href={keys} target="_blank" rel="noreferrer" inherit>
          {t('desk.models.get_key')}
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

/** How it is called. */
function How({ form }: { form: Form }) {
  const { t } = useTranslation()
  const { provider } = form.values
  const { address } = vendors[provider]
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
        {t('desk.models.how')}
      </Title>
      <Stack>
        {writesTokens(form.values) && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t('desk.models.max_tokens')}
              description={t('desk.models.max_tokens_about')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={7}
              {...form.getInputProps('max_tokens')}
            />
            <TextInput
              label={t('desk.models.temperature')}
              description={t('desk.models.temperature_about')}
              inputMode="decimal"
              autoComplete="off"
              maxLength={8}
              {...form.getInputProps('temperature')}
            />
          </SimpleGrid>
        )}
        <TextInput
          label={t('desk.models.base_url')}
          description={t(provider === 'custom' ? 'desk.models.base_url_custom' : 'desk.models.base_url_about')}
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
          label={t('desk.models.params')}
          description={t('desk.models.params_about')}
          placeholder={'{ "top_p": 0.9 }'}
          {...json}
          {...form.getInputProps('params')}
        />
        <TextInput
          label={t('desk.models.type')}
          description={t('desk.models.type_about')}
          maxLength={60}
          autoComplete="off"
          {...form.getInputProps('type')}
        />
        <Textarea
          label={t('desk.models.meta')}
          description={t('desk.models.meta_about')}
          {...json}
          {...form.getInputProps('meta')}
        />
      </Stack>
    </Card>
  )
}
