import { Anchor, Autocomplete, Card, Select, SimpleGrid, Text, TextInput, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../auth/queries'
import type { Template, TemplateKey } from './queries'
import type { Form } from './TemplateForm'
import { aboutMail, DEFAULT, languageName, mailName } from './words'
import { canonical } from './writing'

const OWN = '#own'

/** Which mail a new template is the text of, and for whom. */
export function WhichMail({
  form,
  keys,
  templates,
  onChoose,
}: {
  form: Form
  keys: TemplateKey[]
  templates: Template[]
  onChoose: (chosen: { key?: string; locale?: string }) => void
}) {
  const { t } = useTranslation()
  const { key } = form.values
  const known = keys.find((one) => one.key === key)
  const ownKeys = [...new Set(templates.map((one) => one.key))].filter((one) => !keys.some((each) => each.key === one))
  const [isNamed, setNamed] = useState(key !== '' && !known && !ownKeys.includes(key))
  const about = known && aboutMail(t, known)
  return (
    <Card component="section" aria-labelledby="which">
      <Title order={2} size="h3" id="which" mb="md">
        {t('desk.templates.which')}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('desk.templates.mail_label')}
          placeholder={t('desk.templates.mail_choose')}
          allowDeselect={false}
          searchable
          required
          nothingFoundMessage={t('ui.nothing_found')}
          maxDropdownHeight={360}
          data={[
            {
              group: t('desk.templates.standard'),
              items: keys.map((one) => ({ value: one.key, label: mailName(t, one.key) })),
            },
            {
              group: t('desk.templates.own'),
              items: [...ownKeys, { value: OWN, label: t('desk.templates.own_new') }],
            },
          ]}
          {...(isNamed ? {} : form.getInputProps('key'))}
          value={isNamed ? OWN : key || null}
          onChange={(value) => {
            setNamed(value === OWN)
            onChoose({ key: value === OWN ? '' : (value ?? '') })
          }}
        />
        <Language form={form} templates={templates} onChoose={onChoose} />
      </SimpleGrid>
      {about && (
        <Text fz="sm" c="dimmed" mt="sm" lang={about.lang}>
          {about.text}
        </Text>
      )}
      {isNamed && (
        <TextInput
          mt="md"
          label={t('desk.templates.key')}
          description={t('desk.templates.key_about')}
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
          {t('desk.templates.own_about')}
        </Text>
      )}
    </Card>
  )
}

/** Any language tag; the usual ones are offered by name. */
function Language({
  form,
  templates,
  onChoose,
}: {
  form: Form
  templates: Template[]
  onChoose: (chosen: { locale: string }) => void
}) {
  const { t } = useTranslation()
  const me = useMe()
  const { key, locale } = form.values
  const tag = canonical(locale)
  const taken = templates.find((one) => one.key === key && one.locale === tag)
  const offered = [...new Set([DEFAULT, 'en', 'tr', me.locale, 'de', 'fr', 'es', 'ar', 'ru'])]
  const { error } = form.getInputProps('locale')
  return (
    <Autocomplete
      size="md"
      label={t('desk.templates.language')}
      description={tag === DEFAULT ? t('desk.templates.default_about') : ((tag && languageName(t, tag)) ?? ' ')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={offered}
      // All of them, whatever stands in the field.
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
            {t('desk.templates.taken')}{' '}
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link to="/admin/email-templates/$template" params={{ template: taken.id }} {...props} />
              )}
            >
              {t('desk.templates.taken_open')}
            </Anchor>
          </>
        ) : (
          error
        )
      }
      onChange={(value) => onChoose({ locale: value })}
    />
  )
}
