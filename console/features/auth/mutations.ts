import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, queryClient, unwrap } from '../../api'
import { type Language, languageOf, localeFor, setLanguage } from '../../i18n'
import { useErrorNotification } from '../../ui/feedback/useErrorNotification'
import { changeMe, meQuery } from './queries'
import { rememberSignedIn } from './sign-in'

/** `then`: the search of the sign-in page, with the address to open next and the email. */
export function useSignOut(then: { next?: string; email?: string } = {}) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => unwrap(api.POST('/api/auth/sign-out')),
    onSuccess: async () => {
      rememberSignedIn(false)
      await navigate({ to: '/sign-in', search: then })
      // Cleared after leaving, because pages still shown would refetch.
      queryClient.clear()
    },
    onError: useErrorNotification(),
  })
}

/** Changes the user's language: on the screen at once, and back if saving fails. */
export function useChooseLanguage() {
  const tell = useErrorNotification()
  const { queryKey } = meQuery
  const key = ['language']
  return useMutation({
    mutationKey: key,
    scope: { id: 'language' },
    mutationFn: (language: Language) => changeMe({ locale: localeFor(language) }),
    onMutate: async (language) => {
      // A response under way has the former language.
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      if (before) queryClient.setQueryData(queryKey, { ...before, locale: localeFor(language) })
      await setLanguage(language)
      return before
    },
    onSuccess: async (me) => {
      // After several quick choices, the last one counts.
      if (queryClient.isMutating({ mutationKey: key }) > 1) return
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, me)
    },
    onError: async (error, _, before) => {
      tell(error)
      if (!before) return
      queryClient.setQueryData(queryKey, before)
      await setLanguage(languageOf(before.locale))
    },
  })
}
