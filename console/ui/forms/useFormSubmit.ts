import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldOfCode, splitProblem } from '../feedback/problem'

/** The part of a form that `useFormSubmit` uses. Forms of @mantine/form have it, and `useTextFields` too. */
type SentForm<Values> = {
  values: Values
  errors: Record<string, ReactNode>
  setErrors: (errors: Record<string, string>) => void
  setFieldError: (name: string, text: string) => void
  getInputNode: (name: string) => Element | null
  onSubmit: (send: (values: Values) => void) => (event?: FormEvent<HTMLFormElement>) => void
}

/**
 * Sends a form. Errors are shown at their fields, and the first wrong field gets the focus; `problem` holds the other
 * errors. `fields`: the fields shown, if not all. `at`: the field that an error code concerns.
 */
export function useFormSubmit<Values extends Record<string, unknown>, Data>(
  form: SentForm<Values>,
  {
    fields,
    at,
    onError,
    ...options
  }: UseMutationOptions<Data, Error, Values> & {
    fields?: (keyof Values & string)[]
    at?: FieldOfCode<keyof Values & string>
  },
) {
  const { t } = useTranslation()
  const split = (error: Error | null) => splitProblem(t, error, fields ?? Object.keys(form.values), at)
  const sentFrom = useRef<Element>(null)
  const sending = useMutation<Data, Error, Values>({
    ...options,
    onError: (error, ...rest) => {
      form.setErrors(split(error).fields)
      return onError?.(error, ...rest)
    },
  })
  const { error } = sending

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (!error) return
    const isFocused = focusFirst(Object.keys(split(error).fields).map((name) => form.getInputNode(name)))
    // The button lost the focus, because it was disabled while sending.
    if (!isFocused && document.activeElement === document.body) focusIn(sentFrom.current)
  }, [error])
  // biome-ignore lint/correctness/useExhaustiveDependencies: translates shown errors when the language changes
  useEffect(() => {
    for (const [name, text] of Object.entries(split(error).fields))
      if (form.errors[name]) form.setFieldError(name, text)
  }, [t])

  return {
    onSubmit: form.onSubmit((values) => {
      sentFrom.current = document.activeElement
      sending.mutate(values)
    }),
    isPending: sending.isPending,
    isSuccess: sending.isSuccess,
    problem: split(error).rest,
    reset: sending.reset,
  }
}

/** Focuses the first of some fields on the page. Returns whether there is one. */
export function focusFirst(nodes: (Element | null)[]) {
  const [first] = nodes
    .filter((node) => node !== null)
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1))
  focusIn(first ?? null)
  return first !== undefined
}

/** Focuses the first part of a composite field. */
function focusIn(node: Element | null) {
  const field = node?.matches('div') ? node.querySelector('input') : node
  if (field instanceof HTMLElement) field.focus()
}
