import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { answered, api, isStatus, type Me, tagged } from '../../api'
import type { components } from '../../api.gen'

/** Who is signed in, with the ETag that a change may name. */
export type Self = Me & { etag: string }

type ChangeMe = components['schemas']['ChangeMe']

const self = async (call: Parameters<typeof tagged<Me>>[0]): Promise<Self> => {
  const { record, etag } = await tagged(call)
  return { ...record, etag }
}
export const readMe = () => self(api.GET('/api/v1/me'))
/** `version`: the ETag of what the change was made from; with one, it is made to that or not at all. */
export const changeMe = (body: ChangeMe, version?: string) =>
  self(api.PATCH('/api/v1/me', { body, params: { header: version === undefined ? {} : { 'If-Match': version } } }))

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: readMe,
  staleTime: 60_000,
})

export const MeContext = createContext<Self | undefined>(undefined)

/** Who is signed in. Only inside the shell, which asks once for all that stands in it. */
export function useMe(): Self {
  const me = useContext(MeContext)
  if (!me) throw new Error('This belongs behind the sign-in')
  return me
}

/** What a page needs to know of this installation before anybody is signed in. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: () => answered(api.GET('/api/v1/instance')),
  staleTime: 0,
})

/** What a mailed invitation says. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => answered(api.GET('/api/v1/invitations/{token}', { params: { path: { token } } })),
  })

/** The change of address that waits for its codes; null: there is none. */
export const emailChangeQuery = queryOptions({
  queryKey: ['email-change'],
  queryFn: () =>
    answered(api.GET('/api/v1/me/email')).catch((error: unknown) => {
      if (isStatus(error, 404)) return null
      throw error
    }),
})

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ pageParam }) =>
    answered(
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
      return answered(api.GET('/api/v1/admin/users', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
