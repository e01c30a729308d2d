import { useMutation } from '@tanstack/react-query'
import { answered, api, queryClient } from '../../api'
import { useOnce } from '../../ui/useOnce'
import { type Option, optionsQuery, readOptionsAnew } from './queries'

const pathOf = ({ key }: Option) => ({ params: { path: { key } } })

export function useSet(option: Option, onSuccess: (saved: Option) => void) {
  return useMutation({
    mutationFn: (value: string | number | boolean) =>
      answered(api.PUT('/api/v1/options/{key}', { ...pathOf(option), body: { value } })),
    onSuccess: (saved) => {
      queryClient.setQueryData(optionsQuery.queryKey, (all) =>
        all?.map((known) => (known.key === saved.key ? saved : known)),
      )
      onSuccess(saved)
      void readOptionsAnew()
    },
  })
}

export function useReset(option: Option, onSuccess: () => void) {
  return useMutation({
    mutationFn: () => answered(api.DELETE('/api/v1/options/{key}', pathOf(option))),
    onSuccess,
    onSettled: readOptionsAnew,
  })
}

export function useTestMail() {
  const once = useOnce()
  return useMutation({
    mutationFn: (to: string) => {
      const body = { to }
      return once(body, (headers) => answered(api.POST('/api/v1/options/test/mail', { body, headers })))
    },
  })
}
