import { queryOptions } from '@tanstack/react-query'
import { answered, api, queryClient } from '../../api'
import type { components } from '../../api.gen'
import { instanceQuery } from '../auth/queries'

export type Option = components['schemas']['Option']

export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: async () => (await answered(api.GET('/api/v1/options'))).data,
})

/** Whatever shows what an option says is read anew: of models, whose key is used; of the doors, who may sign up. */
export const readOptionsAnew = () =>
  Promise.all(
    [optionsQuery.queryKey, instanceQuery.queryKey, ['ai-models'], ['ai-model']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

/** What is known of a secret. */
export type Secret = { set: boolean; last4: string | null }

export const secretOf = (option: Option | undefined): Secret => {
  const value = option?.value
  return typeof value === 'object' && value !== null ? value : { set: false, last4: null }
}
