import { SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/forms/FormSection'
import type { PlanFormState } from './form-values'
import { codeFromName } from './form-values'

/** The plan's name, code and description, and where it is shown. */
export function GeneralFields({ form, isNew }: { form: PlanFormState; isNew: boolean }) {
  const { t } = useTranslation()
  // Until the user enters a code, it follows the name.
  const [ownCode, setOwnCode] = useState(!isNew)
  return (
    <FormSection title={t('admin.plans.part_general')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t('admin.plans.name')}
          description={t('admin.plans.name_about')}
          maxLength={80}
          autoComplete="off"
          required
          {...form.getInputProps('name')}
          onChange={({ currentTarget: { value: name } }) => {
            form.setFieldValue('name', name)
            if (!ownCode) form.setFieldValue('code', codeFromName(name))
          }}
        />
        <TextInput
          label={t('admin.plans.code')}
          description={t(isNew ? 'admin.plans.code_about' : 'admin.plans.code_fixed')}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required={isNew}
          readOnly={!isNew}
          {...form.getInputProps('code')}
          onChange={({ currentTarget: { value: code } }) => {
            setOwnCode(code !== '')
            form.setFieldValue('code', code)
          }}
        />
      </SimpleGrid>
      <Textarea
        label={t('admin.plans.description')}
        description={t('admin.plans.description_about')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        {...form.getInputProps('description')}
      />
      <Switch
        label={t('admin.plans.is_public')}
        description={t('admin.plans.is_public_about')}
        {...form.getInputProps('is_public', { type: 'checkbox' })}
      />
      <Switch
        label={t('admin.plans.is_featured')}
        description={t('admin.plans.is_featured_about')}
        {...form.getInputProps('is_featured', { type: 'checkbox' })}
      />
    </FormSection>
  )
}
