import type { UseFormReturnType } from '@mantine/form'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { splitProblem } from './problem'

/**
 * Sends a form. What is wrong with its fields is said at them; `problem` is what is left over. `fields`: those that are
 * shown, when that is not all of them.
 */
export function useSubmit<Values extends Record<string, unknown>, Data>(
  form: UseFormReturnType<Values>,
  { fields, onError, ...options }: UseMutationOptions<Data, Error, Values> & { fields?: (keyof Values & string)[] },
) {
  const { t } = useTranslation()
  const split = (error: Error | null) => splitProblem(t, error, fields ?? Object.keys(form.values))
  const sending = useMutation<Data, Error, Values>({
    ...options,
    onError: (error, ...rest) => {
      form.setErrors(split(error).fields)
      return onError?.(error, ...rest)
    },
  })
  return {
    onSubmit: form.onSubmit((values) => sending.mutate(values)),
    isPending: sending.isPending,
    isSuccess: sending.isSuccess,
    problem: split(sending.error).rest,
  }
}
