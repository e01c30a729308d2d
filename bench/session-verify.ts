import type { Claim } from './harness.ts'
import { OWNER } from './meydan.ts'
import { againstOpen, startVerifier } from './verify.ts'

const WANTED = 0.75

/** What the check of a session costs, with the role in the workspace that the call names. */
export const claim: Claim = {
  name: 'session-verify',
  wanted: `ratio ≥ ${WANTED.toFixed(2)}`,
  holds: ({ ratio }) => ratio >= WANTED,
  measure: async (bench) => {
    const { url, workspace_id } = await startVerifier()
    const answer = await fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(OWNER),
    })
    const cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0]
    if (!cookie) throw new Error(`signing in answered ${answer.status}`)
    return againstOpen(bench, url, '/api/v1/closed', { cookie, 'x-workspace-id': workspace_id })
  },
}
