import { Type } from 'typebox'
import { invalid, problem } from '../../../errors.ts'
import { Closed } from '../../../lib/http/schema.ts'
import { refusedUrl } from '../../../lib/outbound/safe-http.ts'
import type { Network } from '../network.ts'
import { connectProblem, isUnauthorized, toFault } from './errors.ts'
import { find, newRecordKey, publish } from './publish.ts'
import { type Credentials, logIn, withAgent, withSession } from './session.ts'

export const bluesky: Network = {
  id: 'bluesky',
  name: 'Bluesky',
  description: 'Publish to a Bluesky account, including accounts on other servers of its network.',
  form: [
    {
      key: 'service',
      label: 'Service',
      type: 'url',
      required: false,
      default: 'https://bsky.social',
      help: 'URL of the server that hosts the account',
    },
    { key: 'handle', label: 'Handle', type: 'text', required: true, help: 'For example name.bsky.social' },
    {
      key: 'app_password',
      label: 'App password',
      type: 'password',
      required: true,
      help: 'Create one in Bluesky under Settings, Privacy and security, App passwords',
    },
  ],
  options: Closed({
    langs: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 20 }), {
        maxItems: 3,
        description: 'Languages of the text.',
      }),
    ),
  }),
  capabilities: { max_length: 300, edit: false },
  // We choose the record key, so the server refuses a second record.
  idempotent: true,
  newAttemptKey: newRecordKey,

  connect: async (deps, { service = 'https://bsky.social', handle = '', app_password = '' }) => {
    const refused = refusedUrl(service, deps.urlRules)
    if (refused)
      throw problem('url_not_allowed', {
        detail: refused,
        errors: [{ pointer: '/service', code: 'url_not_allowed', message: refused }],
      })
    const identifier = handle.trim().replace(/^@/, '')
    if (!/^[A-Za-z0-9][A-Za-z0-9.:-]{1,250}$/.test(identifier))
      throw invalid('/handle', 'This is not a handle such as name.bsky.social.')
    const credentials: Credentials = { service, handle: identifier, app_password }
    try {
      const agent = await logIn(deps, credentials)
      const { session } = agent
      if (!session) throw new Error('The service returned no session')
      if (!/^did:[a-z]+:[\w.:%-]{1,200}$/.test(session.did) || !/^[\w.-]{1,253}$/.test(session.handle))
        throw new Error('The service returned an invalid id or handle')
      return {
        external_id: session.did,
        name: session.handle,
        handle: session.handle,
        url: `https://bsky.app/profile/${session.handle}`,
        credentials: JSON.stringify(withSession(credentials, agent)),
      }
    } catch (thrown) {
      throw connectProblem(toFault(thrown), thrown)
    }
  },

  check: async (deps, account) => {
    try {
      const { data } = await withAgent(deps, account, (agent) => agent.com.atproto.server.getSession())
      return data.active === false
        ? { kind: 'unauthorized', message: `The account is not active: ${data.status ?? 'no reason given'}` }
        : { kind: 'ok' }
    } catch (thrown) {
      const fault = toFault(thrown)
      return { kind: isUnauthorized(fault) ? 'unauthorized' : 'unavailable', message: fault.message }
    }
  },

  publish,
  find,
}
