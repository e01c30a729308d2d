import type { WorkspaceOwner } from './factories.ts'
import type { BlueskyServer } from './stand-ins/bluesky.ts'

/** Calls that tests of accounts share. `now`: an owner, and the stand-in for Bluesky. */
export function accountCalls(now: () => { owner: WorkspaceOwner; bluesky: BlueskyServer }) {
  const connect = (fields: object, person = now().owner) => person.post('/api/v1/accounts', fields)
  const connectBluesky = (fields: object = {}, person = now().owner) => {
    const defaults = { service: now().bluesky.url, handle: 'x.test', app_password: 'app-password' }
    return connect({ network: 'bluesky', ...defaults, ...fields }, person)
  }
  return { connect, connectBluesky }
}
