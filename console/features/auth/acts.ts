import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { answered, api, queryClient } from '../../api'
import { type Language, languageOf, localeFor, setLanguage } from '../../i18n'
import { useTell } from '../../ui/useTell'
import { rememberIn } from './enter'
import { changeMe, meQuery } from './queries'

/** `then`: where signing in goes on, and with which address. */
export function useSignOut(then: { next?: string; email?: string } = {}) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => answered(api.POST('/api/auth/sign-out')),
    onSuccess: async () => {
      rememberIn(false)
      await navigate({ to: '/sign-in', search: then })
      // Only now: what still shows it would ask for it again.
      queryClient.clear()
    },
    onError: useTell(),
  })
}

/** Another language for who is signed in: at once on the screen, and back again when Meydan could not keep it. */
export function useChooseLanguage() {
  const tell = useTell()
  const { queryKey } = meQuery
  const key = ['language']
  return useMutation({
    mutationKey: key,
    scope: { id: 'language' },
    mutationFn: (language: Language) => changeMe({ locale: localeFor(language) }),
    onMutate: async (language) => {
      // An answer that is on its way knows nothing of the choice.
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      if (before) queryClient.setQueryData(queryKey, { ...before, locale: localeFor(language) })
      await setLanguage(language)
      return before
    },
    onSuccess: async (me) => {
      // Of choices that follow each other quickly, the last one counts.
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
