import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** Mantine's own says by colour alone that a field is wrong; this one says it to screen readers too. */
export const Password = (props: PasswordInputProps) => <PasswordInput {...props} aria-invalid={Boolean(props.error)} />
