import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { DAY } from '../../../shared/time.ts'
import { check, error, ok, warning } from '../runtime/checks/check.ts'
import { reasonOf } from '../runtime/checks/run-checks.ts'
import { hostOf, isPublic } from './public-address.ts'

const address = check({
  name: 'base_url',
  group: 'address',
  outcomes: {
    ok: ok('BASE_URL is {{base_url}}.'),
    other_host: warning(
      'This page was opened at {{host}}, and BASE_URL is {{base_url}}: links in e-mails and sign-ins at networks lead there.',
      'Set BASE_URL to the address that people use, and open this page there.',
    ),
    proxy_not_trusted: warning(
      'A proxy forwards requests, and TRUST_PROXY is off: all callers seem to have the address of the proxy.',
      'Set TRUST_PROXY=true, and let the proxy set X-Forwarded-For itself.',
    ),
    no_proxy: warning(
      'TRUST_PROXY is on, and no proxy forwarded this request: callers can claim any address.',
      'Set TRUST_PROXY=false, or let only the proxy reach the port of Meydan.',
    ),
  },
  find: ({ config, baseUrl: base_url, asked }) => {
    if (asked && asked.host !== new URL(base_url).host)
      return { outcome: 'other_host', values: { host: asked.host, base_url } }
    if (asked?.isForwarded && !config.TRUST_PROXY) return { outcome: 'proxy_not_trusted' }
    if (asked && !asked.isForwarded && config.TRUST_PROXY) return { outcome: 'no_proxy' }
    return { outcome: 'ok', values: { base_url } }
  },
})

const CONNECT_MS = 3000
/** Certificates of Let's Encrypt are renewed 30 days before their end, so a renewal has failed. */
const ENDING_DAYS = 14
const LAST_DAYS = 3

const certificate = check({
  name: 'certificate',
  group: 'address',
  outcomes: {
    ok: ok('The certificate of BASE_URL is valid for {{days}} more days.'),
    local: ok('BASE_URL is not public, and needs no certificate.'),
    unread: ok('The certificate of BASE_URL could not be read from this machine: {{reason}}'),
    plain: warning(
      'BASE_URL is public and has no TLS: passwords and sessions can be read on their way.',
      'Put a proxy with a certificate in front, and set BASE_URL to its address with https.',
    ),
    untrusted: warning(
      'Browsers do not trust the certificate of BASE_URL: {{reason}}',
      'Install a certificate of a public authority with its intermediate certificates, such as of Let’s Encrypt.',
    ),
    ending: warning(
      'The certificate of BASE_URL ends in {{days}} days, and was not renewed.',
      'See why the proxy did not renew it.',
    ),
    last_days: error('The certificate of BASE_URL ends in {{days}} days.', 'Renew it now.'),
    ended: error('The certificate of BASE_URL has ended.', 'Renew it now. Browsers and networks refuse it.'),
  },
  find: async ({ baseUrl }) => {
    if (!baseUrl.startsWith('https:')) return { outcome: isPublic(baseUrl) ? 'plain' : 'local' }
    try {
      const { endsAt, fault } = await readCertificate(baseUrl)
      const days = Math.floor((endsAt - Date.now()) / DAY)
      if (days < 0) return { outcome: 'ended' }
      if (fault) return { outcome: 'untrusted', values: { reason: fault } }
      return { outcome: days <= LAST_DAYS ? 'last_days' : days <= ENDING_DAYS ? 'ending' : 'ok', values: { days } }
    } catch (fault) {
      // Many networks do not let a machine reach itself by its public address.
      return { outcome: 'unread', values: { reason: reasonOf(fault) } }
    }
  },
})

/** The end of the certificate of an address, and why it is not trusted. */
async function readCertificate(url: string) {
  const host = hostOf(url)
  const port = Number(new URL(url).port || 443)
  const socket: TLSSocket = connect({
    ...{ host, port },
    ...(isIP(host) ? {} : { servername: host }),
    rejectUnauthorized: false,
  })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(CONNECT_MS) })
    const fault = socket.authorized ? undefined : String(socket.authorizationError)
    return { endsAt: Date.parse(socket.getPeerCertificate().valid_to), fault }
  } finally {
    // Without a listener, a later error would end the process.
    socket.on('error', () => undefined).destroy()
  }
}

export const addressChecks = [address, certificate]
