import { answered, api, queryClient, shownAs, signedOut } from '../../api'

/** Somebody has come in: nothing is left of who was here before. */
export async function enter<T>(call: Promise<T>): Promise<T> {
  const answer = await call
  queryClient.clear()
  shownAs.clear()
  signedOut.set(false)
  return answer
}

/** Returns whether a code of the second factor comes next; there is no session then. */
export async function signIn(body: { email: string; password: string }) {
  const { two_factor_required = false } = await answered(api.POST('/api/auth/sign-in/email', { body }))
  if (!two_factor_required) await enter(Promise.resolve())
  return two_factor_required
}

const HINT = 'meydan.signed_in'

/** Noted so that the sign-in asks who is there only where somebody may be. A browser that keeps nothing is asked nothing. */
export function rememberIn(yes: boolean) {
  try {
    if (yes) localStorage.setItem(HINT, '1')
    else localStorage.removeItem(HINT)
  } catch {}
}

export function wasIn() {
  try {
    return localStorage.getItem(HINT) !== null
  } catch {
    return false
  }
}
