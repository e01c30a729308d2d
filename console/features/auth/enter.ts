import { answered, api, queryClient, signedOut } from '../../api'

/** Somebody has come in: nothing is left of who was here before. */
export async function enter<T>(call: Promise<T>): Promise<T> {
  const answer = await call
  queryClient.clear()
  signedOut.set(false)
  return answer
}

/** Returns whether a code of the second factor comes next; there is no session then. */
export async function signIn(body: { email: string; password: string }) {
  const { two_factor_required = false } = await answered(api.POST('/api/auth/sign-in/email', { body }))
  if (!two_factor_required) await enter(Promise.resolve())
  return two_factor_required
}
