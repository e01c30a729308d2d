import { type ChangeEvent, type FormEvent, useState } from 'react'

/**
 * A form of text fields, which `useFormSubmit` sends. For the sign-in page, which everybody loads first: the library of
 * the other forms would be a fortieth of it.
 */
export function useTextFields<Name extends string>(initialValues: Record<Name, string>) {
  const [values, setValues] = useState(initialValues)
  const [errors, setErrors] = useState<Record<string, string>>({})
  return {
    values,
    errors,
    setErrors,
    setFieldError: (name: string, text: string) => setErrors((former) => ({ ...former, [name]: text })),
    getInputNode: (name: string) => document.querySelector(`[data-path="${name}"]`),
    getInputProps: (name: Name) => ({
      value: values[name],
      error: errors[name],
      'data-path': name,
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
        setValues((former) => ({ ...former, [name]: value }))
        setErrors(({ [name]: _, ...others }) => others)
      },
    }),
    onSubmit: (send: (values: Record<Name, string>) => void) => (event?: FormEvent<HTMLFormElement>) => {
      event?.preventDefault()
      setErrors({})
      send(values)
    },
  }
}
