import { useMutation } from '@tanstack/react-query'
import { api, queryClient, unwrap } from '../../api'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { invalidateOptions, type Option, optionsQuery } from './queries'

const pathParams = ({ key }: Option) => ({ params: { path: { key } } })

export function useSetOption(option: Option, onSuccess: (saved: Option) => void) {
  return useMutation({
    mutationFn: (value: string | number | boolean) =>
      unwrap(api.PUT('/api/v1/options/{key}', { ...pathParams(option), body: { value } })),
    onSuccess: (saved) => {
      queryClient.setQueryData(optionsQuery.queryKey, (all) =>
        all?.map((known) => (known.key === saved.key ? saved : known)),
      )
      onSuccess(saved)
      void invalidateOptions()
    },
  })
}

export function useResetOption(option: Option, onSuccess: () => void) {
  return useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/v1/options/{key}', pathParams(option))),
    onSuccess,
    onSettled: invalidateOptions,
  })
}

export function useTestBilling() {
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: () => once({}, (headers) => unwrap(api.POST('/api/v1/options/test/billing', { headers }))),
  })
}

export function useTestMail() {
  const once = useIdempotencyKey()
  return useMutation({
    mutationFn: (to: string) => {
      const body = { to }
      return once(body, (headers) => unwrap(api.POST('/api/v1/options/test/mail', { body, headers })))
    },
  })
}
