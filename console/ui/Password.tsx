import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Mantine's own says by colour alone that a field is wrong; this one says it to screen readers too. */
export function Password(props: PasswordInputProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('ui.show_password') }}
      {...props}
      aria-invalid={Boolean(props.error)}
    />
  )
}
