import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { allPages, answered, api, queryClient, tagged } from '../../api'
import type { components } from '../../api.gen'
import type { OutboxFilters } from './search'

export type Mail = components['schemas']['Mail']
export type Template = components['schemas']['EmailTemplate']
export type TemplateKey = components['schemas']['EmailTemplateKey']
export type Draft = components['schemas']['EmailTemplateDraft']

export const outboxQuery = ({ search, state }: OutboxFilters) =>
  infiniteQueryOptions({
    queryKey: ['outbox', { search, state }],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 30,
        ...(pageParam && { cursor: pageParam }),
        ...(search && { search }),
        ...(state && { state }),
      }
      return answered(api.GET('/api/v1/admin/outbox', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })

/** One mail; looked at again soon while it is on its way. */
export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ['mail', id],
    queryFn: () => answered(api.GET('/api/v1/admin/outbox/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => (data?.state === 'queued' ? 2000 : false),
  })

/** Every stored template: there are a few of each mail. */
export const templatesQuery = queryOptions({
  queryKey: ['email-templates'],
  queryFn: () =>
    allPages((cursor) =>
      answered(api.GET('/api/v1/email-templates', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })),
    ),
})

/** The mails that Meydan writes by itself, with its own texts: the same as long as it runs. */
export const templateKeysQuery = queryOptions({
  queryKey: ['email-template-keys'],
  queryFn: async () => (await answered(api.GET('/api/v1/email-templates/keys'))).data,
  staleTime: 300_000,
})

/** One of them, with the version that a change of it is meant for. */
export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['email-template', id],
    queryFn: () => tagged(api.GET('/api/v1/email-templates/{id}', { params: { path: { id } } })),
  })

/** What a draft looks like. What is wrong with it is no failure of the page. */
export const previewQuery = (draft: Draft) =>
  queryOptions({
    queryKey: ['email-template-preview', draft],
    queryFn: ({ signal }) => answered(api.POST('/api/v1/email-templates/preview', { body: draft, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  })

export const pathOf = ({ id }: Pick<Template, 'id'>) => ({ params: { path: { id } } })

export const readTemplatesAnew = () =>
  Promise.all(
    [templatesQuery.queryKey, ['email-template']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
