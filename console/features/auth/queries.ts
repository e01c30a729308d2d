import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { answered, api, type Me } from '../../api'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => answered(api.GET('/api/v1/me')),
  staleTime: 60_000,
})

export const MeContext = createContext<Me | undefined>(undefined)

/** Who is signed in. Only inside the shell, which asks once for all that stands in it. */
export function useMe(): Me {
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
