import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { answered, api, type Me, queryClient } from '../../api'
import { type Language, languageOf, localeFor, setLanguage } from '../../i18n'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    const me = await answered(api.GET('/api/v1/me'))
    await setLanguage(languageOf(me.locale))
    return me
  },
  staleTime: 60_000,
})

/** Who is signed in. Only for screens behind the sign-in, where it is loaded before they show. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** What a page needs to know of this installation before anybody is signed in. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: () => answered(api.GET('/api/v1/instance')),
  staleTime: 0,
})

export async function chooseLanguage(language: Language) {
  await setLanguage(language)
  if (!queryClient.getQueryData(meQuery.queryKey)) return
  const me = await answered(api.PATCH('/api/v1/me', { body: { locale: localeFor(language) } }))
  queryClient.setQueryData(meQuery.queryKey, me)
}

export async function signOut() {
  await answered(api.POST('/api/auth/sign-out'))
  queryClient.clear()
}
