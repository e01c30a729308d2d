import { type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AccessiblePasswordInput } from '../../ui/fields/AccessiblePasswordInput'

export function NameField(props: TextInputProps) {
  const { t } = useTranslation()
  return <TextInput label={t('person.name')} autoComplete="name" required {...props} />
}

export function EmailField(props: TextInputProps) {
  const { t } = useTranslation()
  return <TextInput label={t('person.email')} type="email" autoComplete="username" required {...props} />
}

export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return <AccessiblePasswordInput label={t('person.password')} autoComplete="current-password" required {...props} />
}

export function NewPasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return <PasswordField description={t('person.password_rule')} autoComplete="new-password" {...props} />
}
