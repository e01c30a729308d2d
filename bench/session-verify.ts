import { atLeast, type Claim } from './harness.ts'
import { signIn } from './meydan.ts'
import { compareWithOpenRoute, startProtectedRoute } from './protected-route.ts'

/** Measures the cost of checking a session and the user's role in the workspace that the request names. */
export const claim: Claim = {
  name: 'session-verify',
  target: atLeast(0.75),
  measure: async (bench) => {
    const { url, owners } = await startProtectedRoute()
    const sessions = owners.map(async ({ email, workspace_id }) => ({
      cookie: await signIn(url, email),
      'x-workspace-id': workspace_id,
    }))
    return compareWithOpenRoute(bench, url, '/api/v1/protected', await Promise.all(sessions))
  },
}
