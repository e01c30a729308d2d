import type { TestApp } from './app.ts'
import { expectStatus, type Person, type WorkspaceOwner } from './factories.ts'
import { lastMail } from './people.ts'

let number = 0
export const someone = () => `invited${++number}@example.com`

/** Calls that tests of invitations share. `now`: the test app, and the owner of the workspace of the current test. */
export function invitationCalls(now: () => { t: TestApp; owner: WorkspaceOwner }) {
  const invite = (email: string, more: object = {}, who: Pick<Person, 'post'> = now().owner) =>
    who.post('/api/v1/workspace/invitations', { email, role: 'author', ...more })
  const invited = async (email: string, more: object = {}) => expectStatus(await invite(email, more), 201).body
  const list = async (query = '') => (await now().owner.get(`/api/v1/workspace/invitations${query}`)).body.data
  const revoke = (id: string, who: Person = now().owner) => who.delete(`/api/v1/workspace/invitations/${id}`)
  const resend = (id: string, who: Person = now().owner) => who.post(`/api/v1/workspace/invitations/${id}/resend`)
  const preview = (token: string) => now().t.anyone.get(`/api/v1/invitations/${token}`)
  const accept = (who: Pick<Person, 'post'>, token: string) => who.post(`/api/v1/invitations/${token}/accept`)

  /** The token in the latest mail to an address. */
  const tokenFor = async (email: string) => {
    const body = (await lastMail(now().t, email)).body_text ?? ''
    const token = /http:\/\/meydan\.test\/invitation\?token=([\w-]{43})\s/.exec(body)?.[1]
    if (!token) throw new Error(`There is no link in: ${body}`)
    return token
  }

  return { invite, invited, list, revoke, resend, preview, accept, tokenFor }
}
