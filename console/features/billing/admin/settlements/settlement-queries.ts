import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../../api'
import type { components } from '../../../../api.gen'

export type Difference = components['schemas']['SettlementDifferences']['data'][number]
export type Movement = components['schemas']['SettlementLine']
export type Remedy = components['schemas']['SettlementRemedy']
export type Report = components['schemas']['SettlementReport']
type FiledProvider = components['schemas']['UploadSettlementReport']['provider']

/** Providers whose movements come as files. */
export const filedProviders = ['iyzico', 'paytr'] as const satisfies readonly FiledProvider[]
export const movementKinds = ['payment', 'refund', 'dispute', 'fee', 'payout', 'other'] as const
export const targetAccounts = ['bank', 'provider_fees', 'provider_differences'] as const

const key = (name: string) => ['billing-admin', 'settlements', name] as const
const paging = {
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor,
}
const page = (cursor: string) => ({ limit: 25, ...(cursor && { cursor }) })

export const differencesQuery = queryOptions({
  queryKey: key('differences'),
  queryFn: () => unwrap(api.GET('/api/v1/admin/ledger/differences')),
})

export const movementsQuery = (kind: Movement['kind'] | undefined) =>
  infiniteQueryOptions({
    queryKey: [...key('movements'), kind],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/v1/admin/ledger/settlements', {
          params: { query: { ...page(pageParam), ...(kind && { kind }) } },
        }),
      ),
    ...paging,
  })

export const remediesQuery = infiniteQueryOptions({
  queryKey: key('remedies'),
  queryFn: ({ pageParam }) => unwrap(api.GET('/api/v1/admin/ledger/remedies', { params: { query: page(pageParam) } })),
  ...paging,
})

function formOf(provider: FiledProvider, file: File) {
  const form = new FormData()
  form.append('provider', provider)
  form.append('file', file)
  // The form is sent in place of the body, which only its type needs.
  return { body: { provider, file: '' }, bodySerializer: () => form }
}

export const previewReport = (provider: FiledProvider, file: File) =>
  unwrap(api.POST('/api/v1/admin/ledger/settlements/preview', formOf(provider, file)))

export const importReport = (provider: FiledProvider, file: File) =>
  unwrap(api.POST('/api/v1/admin/ledger/settlements', formOf(provider, file)))
