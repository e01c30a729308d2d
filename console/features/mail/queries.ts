import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { allPages, api, queryClient, unwrap, unwrapWithEtag } from '../../api'
import type { components } from '../../api.gen'
import type { OutboxFilters } from './search-params'

export type Mail = components['schemas']['Mail']
export type Template = components['schemas']['EmailTemplate']
export type TemplateKey = components['schemas']['EmailTemplateKey']
export type TemplateDraft = components['schemas']['EmailTemplateDraft']

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
      return unwrap(api.GET('/api/v1/admin/outbox', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })

/** One mail, refetched every 2 s while it is queued. */
export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ['mail', id],
    queryFn: () => unwrap(api.GET('/api/v1/admin/outbox/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => (data?.state === 'queued' ? 2000 : false),
  })

/** Every stored template; each mail has only a few. */
export const templatesQuery = queryOptions({
  queryKey: ['email-templates'],
  queryFn: () =>
    allPages((cursor) =>
      unwrap(api.GET('/api/v1/email-templates', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })),
    ),
})

/** The mails that Meydan writes, with its own texts. They are fixed while it runs. */
export const templateKeysQuery = queryOptions({
  queryKey: ['email-template-keys'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/email-templates/keys'))).data,
  staleTime: 300_000,
})

/** One template, with the ETag that a change sends back. */
export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['email-template', id],
    queryFn: () => unwrapWithEtag(api.GET('/api/v1/email-templates/{id}', { params: { path: { id } } })),
  })

/** The preview of a draft. A faulty draft is no failure of the page. */
export const previewQuery = (draft: TemplateDraft) =>
  queryOptions({
    queryKey: ['email-template-preview', draft],
    queryFn: ({ signal }) => unwrap(api.POST('/api/v1/email-templates/preview', { body: draft, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    retry: false,
  })

export const pathParams = ({ id }: Pick<Template, 'id'>) => ({ params: { path: { id } } })

export const invalidateTemplates = () =>
  Promise.all(
    [templatesQuery.queryKey, ['email-template']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
