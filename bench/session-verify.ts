import { atLeast, type Claim } from './harness.ts'
import { signIn } from './meydan.ts'
import { compareWithOpenRoute, startProtectedRoute } from './protected-route.ts'

/** Measures the cost of checking a session and the user's role in the workspace that the request names. */
export const claim: Claim = {
  name: 'session-verify',
  target: atLeast(0.75),
  measure: async (bench) => {
    const { url, workspace_id } = await startProtectedRoute()
    const cookie = await signIn(url)
    return compareWithOpenRoute(bench, url, '/api/v1/protected', { cookie, 'x-workspace-id': workspace_id })
  },
}
