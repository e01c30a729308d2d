import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { api, type Me, unwrap, unwrapWithEtag } from '../../api'
import type { components } from '../../api.gen'

/** The signed-in user, with the ETag for conditional changes. */
export type Self = Me & { etag: string }

type ChangeMe = components['schemas']['ChangeMe']

const self = async (call: Parameters<typeof unwrapWithEtag<Me>>[0]): Promise<Self> => {
  const { record, etag } = await unwrapWithEtag(call)
  return { ...record, etag }
}
export const readMe = () => self(api.GET('/api/v1/me'))
/** `version`: the ETag the change is based on; if set, the change fails for any other version. */
export const changeMe = (body: ChangeMe, version?: string) =>
  self(api.PATCH('/api/v1/me', { body, params: { header: version === undefined ? {} : { 'If-Match': version } } }))

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: readMe,
  staleTime: 60_000,
})

export const MeContext = createContext<Self | undefined>(undefined)

/** The signed-in user. Only inside the shell, which loads it once for all. */
export function useMe(): Self {
  const me = useContext(MeContext)
  if (!me) throw new Error('This belongs behind the sign-in')
  return me
}

/** The facts about this installation that pages need before sign-in. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: () => unwrap(api.GET('/api/v1/instance')),
  staleTime: 0,
})

/** The details of a mailed invitation. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => unwrap(api.GET('/api/v1/invitations/{token}', { params: { path: { token } } })),
  })

/** The email change that waits for its codes; null if there is none. */
export const emailChangeQuery = queryOptions({
  queryKey: ['email-change'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/me/email'))).pending,
})

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ pageParam }) =>
    unwrap(
      api.GET('/api/v1/me/sessions', { params: { query: { limit: 30, ...(pageParam && { cursor: pageParam }) } } }),
    ),
  initialPageParam: '',
  getNextPageParam: ({ next_cursor }) => next_cursor,
})

export const usersQuery = (search?: string) =>
  infiniteQueryOptions({
    queryKey: ['users', { search }],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 30, ...(pageParam && { cursor: pageParam }), ...(search && { search }) }
      return unwrap(api.GET('/api/v1/admin/users', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
