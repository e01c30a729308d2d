import { api, isSignedOut, queryClient, unwrap, workspaceBySlug } from '../../api'

/** Completes a sign-in: clears all data of the previous user. */
export async function completeSignIn<T>(call: Promise<T>): Promise<T> {
  const response = await call
  queryClient.clear()
  workspaceBySlug.clear()
  isSignedOut.set(false)
  return response
}

/** Returns whether a second factor is required; there is no session until then. */
export async function signIn(body: { email: string; password: string }) {
  const { two_factor_required = false } = await unwrap(api.POST('/api/auth/sign-in/email', { body }))
  if (!two_factor_required) await completeSignIn(Promise.resolve())
  return two_factor_required
}

const SIGNED_IN_KEY = 'meydan.signed_in'

/** Lets the sign-in page request the user only if there may be one. Without localStorage it never does. */
export function rememberSignedIn(yes: boolean) {
  try {
    if (yes) localStorage.setItem(SIGNED_IN_KEY, '1')
    else localStorage.removeItem(SIGNED_IN_KEY)
  } catch {}
}

export function wasSignedIn() {
  try {
    return localStorage.getItem(SIGNED_IN_KEY) !== null
  } catch {
    return false
  }
}
