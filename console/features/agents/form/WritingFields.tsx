import { Checkbox, Group, Select, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/forms/FormSection'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { AccountChip } from '../../posts/form/fields/AccountChip'
import type { PostDestination } from '../../posts/form/form-values'
import { useWorkspace } from '../../workspaces/queries'
import { categories } from '../queries'
import type { AgentFormState } from './form-values'

export function NameFields({ form }: Pick<AgentFormState, 'form'>) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('agents.basics')}>
      <TextInput label={t('agents.name')} maxLength={80} autoComplete="off" required {...form.getInputProps('name')} />
      <Textarea
        label={t('agents.description')}
        maxLength={2000}
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
      <Select
        label={t('agents.category')}
        data={categories.map((value) => ({ value, label: t(`agents.categories.${value}`) }))}
        allowDeselect={false}
        maw={300}
        {...form.getInputProps('category')}
      />
      <TagsInput label={t('agents.tags')} maxTags={10} maxLength={40} {...form.getInputProps('tags')} />
    </FormSection>
  )
}

/** Languages that models write well. An agent can have another by the API. */
const languageCodes =
  'ar az bg bs cs da de el en es et fa fi fr he hi hr hu id it ja ka kk ko ku lt lv mk ms nb nl pl pt pt-BR ro ru sk sl sq sr sv th tr uk ur uz vi zh'.split(
    ' ',
  )

function LanguageSelect({ form }: Pick<AgentFormState, 'form'>) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const { value, onChange, ...props } = form.getInputProps('language')
  const data = [...new Set([...languageCodes, ...(value ? [value] : [])])]
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale))
  return (
    <Select
      label={t('agents.language')}
      description={t('agents.language_about')}
      data={data}
      value={value || null}
      onChange={(code) => onChange(code ?? '')}
      searchable
      clearable
      nothingFoundMessage={t('ui.nothing_found')}
      maw={300}
      {...props}
    />
  )
}

/** The instructions for the model. */
export function WritingFields({ form }: Pick<AgentFormState, 'form'>) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('agents.writing')} about={t('agents.writing_about')}>
      <Textarea
        label={t('agents.instructions')}
        description={t('agents.instructions_about')}
        maxLength={8000}
        autosize
        minRows={6}
        maxRows={24}
        {...form.getInputProps('system_prompt')}
      />
      <TextInput
        label={t('agents.role')}
        placeholder={t('agents.role_example')}
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('role')}
      />
      <Textarea
        label={t('agents.persona')}
        description={t('agents.persona_about')}
        maxLength={2000}
        autosize
        minRows={2}
        {...form.getInputProps('persona')}
      />
      <Textarea
        label={t('agents.voice')}
        placeholder={t('agents.voice_example')}
        maxLength={2000}
        autosize
        minRows={2}
        {...form.getInputProps('voice')}
      />
      <LanguageSelect form={form} />
    </FormSection>
  )
}

type Props = Pick<AgentFormState, 'form'> & { accounts: PostDestination[] }

export function AccountFields({ form, accounts }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return (
    <FormSection title={t('agents.accounts')}>
      {accounts.length === 0 ? (
        <Text>
          {t('agents.no_accounts_yet')}{' '}
          <AnchorLink to="/w/$workspace/accounts" params={{ workspace: slug }}>
            {t('agents.connect')}
          </AnchorLink>
        </Text>
      ) : (
        <Checkbox.Group aria-label={t('agents.accounts')} {...form.getInputProps('account_ids')}>
          <Group gap="xs">
            {accounts.map((account) => (
              <AccountChip key={account.id} account={account} checked={form.values.account_ids.includes(account.id)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </FormSection>
  )
}
