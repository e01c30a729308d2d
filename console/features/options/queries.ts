import { queryOptions } from '@tanstack/react-query'
import { api, queryClient, unwrap } from '../../api'
import type { components } from '../../api.gen'
import { instanceQuery } from '../auth/queries'

export type Option = components['schemas']['Option']

export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/options'))).data,
})

/** Refetches all users of options: models show the key's source, signed-out pages whether sign-up is open. */
export const invalidateOptions = () =>
  Promise.all(
    [optionsQuery.queryKey, instanceQuery.queryKey, ['ai-models'], ['ai-model']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

/** The visible part of a secret. */
type Secret = { set: boolean; last4: string | null }

export const secretOf = (option: Option | undefined): Secret => {
  const value = option?.value
  return typeof value === 'object' && value !== null ? value : { set: false, last4: null }
}
