import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Mantine's input marks an error by colour only; this one also informs screen readers. */
export function AccessiblePasswordInput(props: PasswordInputProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('ui.show_password') }}
      {...props}
      aria-invalid={Boolean(props.error)}
    />
  )
}
