import { Autocomplete, Card, Select, SimpleGrid, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useMe } from '../../auth/queries'
import { DEFAULT, languageName, mailDescription, mailName } from '../labels'
import type { Template, TemplateKey } from '../queries'
import type { TemplateFormState } from './form-values'
import { canonicalLocale } from './form-values'

const CUSTOM_KEY = '#own'

/** Selects the mail and the language of a new template. */
export function MailTypeSelect({
  form,
  keys,
  templates,
  onChoose,
}: {
  form: TemplateFormState
  keys: TemplateKey[]
  templates: Template[]
  onChoose: (chosen: { key?: string; locale?: string }) => void
}) {
  const { t } = useTranslation()
  const { key } = form.values
  const known = keys.find((one) => one.key === key)
  const ownKeys = [...new Set(templates.map((one) => one.key))].filter((one) => !keys.some((each) => each.key === one))
  const [isNamed, setNamed] = useState(key !== '' && !known && !ownKeys.includes(key))
  const about = known && mailDescription(t, known)
  return (
    <Card component="section" aria-labelledby="which">
      <Title order={2} size="h3" id="which" mb="md">
        {t('admin.templates.email_and_language')}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('admin.templates.mail_label')}
          placeholder={t('admin.templates.mail_choose')}
          allowDeselect={false}
          searchable
          required
          nothingFoundMessage={t('ui.nothing_found')}
          maxDropdownHeight={360}
          data={[
            {
              group: t('admin.templates.standard'),
              items: keys.map((one) => ({ value: one.key, label: mailName(t, one.key) })),
            },
            {
              group: t('admin.templates.own'),
              items: [...ownKeys, { value: CUSTOM_KEY, label: t('admin.templates.own_new') }],
            },
          ]}
          {...(isNamed ? {} : form.getInputProps('key'))}
          value={isNamed ? CUSTOM_KEY : key || null}
          onChange={(value) => {
            setNamed(value === CUSTOM_KEY)
            onChoose({ key: value === CUSTOM_KEY ? '' : (value ?? '') })
          }}
        />
        <LanguageSelect form={form} templates={templates} onChoose={onChoose} />
      </SimpleGrid>
      {about && (
        <Text fz="sm" c="dimmed" mt="sm" lang={about.lang}>
          {about.text}
        </Text>
      )}
      {isNamed && (
        <TextInput
          mt="md"
          label={t('admin.templates.key')}
          description={t('admin.templates.key_about')}
          placeholder="weekly-news"
          maxLength={60}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          required
          {...form.getInputProps('key')}
        />
      )}
      {isNamed && (
        <Text fz="sm" c="dimmed" mt="sm">
          {t('admin.templates.own_about')}
        </Text>
      )}
    </Card>
  )
}

/** Accepts any language tag. Suggests common ones by name. */
function LanguageSelect({
  form,
  templates,
  onChoose,
}: {
  form: TemplateFormState
  templates: Template[]
  onChoose: (chosen: { locale: string }) => void
}) {
  const { t } = useTranslation()
  const me = useMe()
  const { key, locale } = form.values
  const tag = canonicalLocale(locale)
  const taken = templates.find((one) => one.key === key && one.locale === tag)
  const offered = [...new Set([DEFAULT, 'en', 'tr', me.locale, 'de', 'fr', 'es', 'ar', 'ru'])]
  const { error } = form.getInputProps('locale')
  return (
    <Autocomplete
      size="md"
      label={t('admin.templates.language')}
      description={tag === DEFAULT ? t('admin.templates.default_about') : ((tag && languageName(t, tag)) ?? ' ')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={offered}
      // Shows all, whatever the field holds.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          {languageName(t, option.value)}{' '}
          <Text span fz="sm" c="dimmed">
            {option.value}
          </Text>
        </span>
      )}
      maxLength={35}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      required
      {...form.getInputProps('locale')}
      error={
        taken ? (
          <>
            {t('admin.templates.taken')}{' '}
            <AnchorLink to="/admin/email-templates/$template" params={{ template: taken.id }} inherit>
              {t('admin.templates.taken_open')}
            </AnchorLink>
          </>
        ) : (
          error
        )
      }
      onChange={(value) => onChoose({ locale: value })}
    />
  )
}
