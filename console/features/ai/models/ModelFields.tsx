import { Alert, Anchor, Card, Select, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from '../ai.module.css'
import { KeyField } from '../KeyDialog'
import { apiTypes, providerInfo, providerName } from '../provider-info'
import { categories, type Provider, providers } from '../search-params'
import { generatesText, type ModelValues, pricesFor } from './form-values'

type Form = UseFormReturnType<ModelValues>

/** Provider, model and purpose. */
export function IdentityFields({ form, isNew }: { form: Form; isNew: boolean }) {
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

/** Fields with the prices of the provider, from which the cost of agents follows. */
export function PriceFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  return (
    <Card component="section" aria-labelledby="prices">
      <Title order={2} size="h3" id="prices" mb={4}>
        {t('admin.models.prices')}
      </Title>
      <Text c="dimmed" fz="sm" mb="md">
        {t('admin.models.prices_about')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {pricesFor(form.values).map((field) => (
          <TextInput
            key={field}
            label={t(`admin.models.${field}`)}
            leftSection="$"
            inputMode="decimal"
            autoComplete="off"
            maxLength={11}
            {...form.getInputProps(field)}
          />
        ))}
      </SimpleGrid>
    </Card>
  )
}

/** Parameters that each request carries. */
export function RequestFields({ form }: { form: Form }) {
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
