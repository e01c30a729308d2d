import { codeOf } from '../../../../lib/error-code.ts'
import { LookupTimedOut } from '../../../../lib/outbound/dns.ts'
import { ForbiddenAddress } from '../../../../lib/outbound/safe-http.ts'
import { ProxyFault, ProxyRefusal } from '../../../../lib/outbound/tunnel.ts'

/** The part of an attempt that was in progress. */
export type Stage = 'connection' | 'response' | 'body'

export class NotValidHttp extends Error {}

const BROKEN_OFF = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']

/** Whether the other side closed the connection. */
export const isBrokenOff = (error: unknown) => BROKEN_OFF.includes(codeOf(error))

const NOT_HTTP = 'The response is not valid HTTP.'

/** undici reports these by name and message only. A status below 100 fails one of its own assertions. */
const isNotHttp = (error: unknown) =>
  error instanceof NotValidHttp ||
  codeOf(error) === 'ERR_ASSERTION' ||
  (error instanceof Error && (error.name === 'HTTPParserError' || /^bad (response|upgrade)$/.test(error.message)))

const brokenOff: Record<Stage, string> = {
  connection: 'The connection was closed before it was ready.',
  response: 'The connection was closed before a response arrived.',
  body: 'The connection was closed in the middle of the response.',
}

const sentences: Record<string, string> = {
  ENOTFOUND: 'The host name was not found.',
  ENODATA: 'The host name was not found.',
  EAI_AGAIN: 'The host name could not be looked up: its name servers do not respond.',
  ECONNREFUSED: 'The connection was refused: nothing listens on that port.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  CERT_NOT_YET_VALID: 'The TLS certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate was issued by an unknown authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The TLS certificate was issued by an unknown authority, or the server does not send the whole chain.',
  UNABLE_TO_GET_ISSUER_CERT: 'The TLS certificate was issued by an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The TLS certificate was issued by an unknown authority, or the server does not send the whole chain.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host name.',
  EPROTO: 'The TLS handshake failed. Check that the port speaks https.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response are too large.',
  HPE_HEADER_OVERFLOW: 'The headers of the response are too large.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The length of the response does not match its Content-Length.',
  UND_ERR_INVALID_ARG: 'The request could not be made: the URL or a header is not valid.',
  ERR_INVALID_URL: 'The request could not be made: the URL or a header is not valid.',
}

/** The error of an attempt that our own stop aborted. */
export const STOPPED = 'Meydan was stopped during the attempt.'

/** Errors of this process: too many open files, or Meydan stops. */
const own: Record<string, string> = {
  EMFILE: 'Meydan had no free connection.',
  ENFILE: 'Meydan had no free connection.',
  ENOBUFS: 'Meydan had no free connection.',
  UND_ERR_DESTROYED: STOPPED,
  UND_ERR_CLOSED: STOPPED,
}

/**
 * Describes a failed attempt in words that the owner of an endpoint can act on, without the addresses that a name
 * resolves to. `charged` says whether the endpoint is to blame. An undefined error is the timeout.
 */
export function explain(error: unknown, stage: Stage, timeoutMs: number): { error: string; charged: boolean } {
  const blame = (text: string) => ({ error: text, charged: true })
  const spare = (text: string) => ({ error: text, charged: false })
  if (error === undefined) {
    const within = `within ${timeoutMs / 1000} s`
    if (stage === 'connection') return blame(`No connection ${within}.`)
    return blame(stage === 'response' ? `No response ${within}.` : `The response began but did not end ${within}.`)
  }
  if (error instanceof ForbiddenAddress) return blame('This address is not allowed.')
  if (error instanceof ProxyFault) return spare(error.message)
  if (error instanceof ProxyRefusal) return blame(error.message)
  if (error instanceof LookupTimedOut)
    return error.silent
      ? blame('The lookup of the host name timed out.')
      : spare('The host name could not be looked up: too many lookups were in progress.')

  const code = codeOf(error)
  const mine = own[code]
  if (mine) return spare(mine)
  const sentence = sentences[code]
  if (sentence) return blame(sentence)
  if (isNotHttp(error)) return blame(NOT_HTTP)
  if (isBrokenOff(error)) return blame(brokenOff[stage])
  if (code.startsWith('EAI_')) return blame('The host name could not be looked up.')
  if (/^(ERR_SSL|ERR_TLS)_/.test(code)) return blame('The TLS handshake failed. Check that the port speaks https.')
  if (/CERT|CRL|ISSUER/.test(code)) return blame(`The TLS certificate cannot be trusted (${code}).`)
  return blame(code ? `The connection failed (${code}).` : 'The connection failed.')
}
