import { LookupTimedOut } from '../../lib/dns.ts'
import { ForbiddenAddress } from '../../lib/safe-http.ts'
import { ProxyFault, ProxyRefusal } from '../../lib/tunnel.ts'

/** What an attempt was waiting for. */
export type Stage = 'connection' | 'answer' | 'body'

/** What came back is no answer that HTTP knows. */
export class NotValidHttp extends Error {}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const BROKEN_OFF = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']

/** Whether the other side closed the connection. */
export const isBrokenOff = (error: unknown) => BROKEN_OFF.includes(codeOf(error))

const NOT_HTTP = 'The answer is not valid HTTP.'

/** undici tells these by name and message alone; a status below 100 contradicts an assertion of its own. */
const isNotHttp = (error: unknown) =>
  error instanceof NotValidHttp ||
  codeOf(error) === 'ERR_ASSERTION' ||
  (error instanceof Error && (error.name === 'HTTPParserError' || /^bad (response|upgrade)$/.test(error.message)))

const brokenOff: Record<Stage, string> = {
  connection: 'The connection was closed before it was ready.',
  answer: 'The connection was closed before the answer came.',
  body: 'The connection was closed in the middle of the answer.',
}

const sentences: Record<string, string> = {
  ENOTFOUND: 'The host name was not found.',
  ENODATA: 'The host name was not found.',
  EAI_AGAIN: 'The host name could not be looked up: its name servers do not answer.',
  ECONNREFUSED: 'The connection was refused: nothing listens on that port.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
  ETIMEDOUT: 'The connection was not made in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection was not made in time.',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  CERT_NOT_YET_VALID: 'The TLS certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate comes from an authority that is not known.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The TLS certificate comes from an authority that is not known, or the server does not send the whole chain.',
  UNABLE_TO_GET_ISSUER_CERT: 'The TLS certificate comes from an authority that is not known.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The TLS certificate comes from an authority that is not known, or the server does not send the whole chain.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host name.',
  EPROTO: 'The TLS connection could not be made: does the port speak https?',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
  HPE_HEADER_OVERFLOW: 'The headers of the answer are too large.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is not as long as its Content-Length says.',
  UND_ERR_INVALID_ARG: 'The request could not be made: the address or a header is not valid.',
  ERR_INVALID_URL: 'The request could not be made: the address or a header is not valid.',
}

/** We broke it off ourselves. */
export const STOPPED = 'Meydan was stopped meanwhile.'

/** Ours and nobody else's: too many open files, or Meydan stops. */
const own: Record<string, string> = {
  EMFILE: 'Meydan had no connection to spare.',
  ENFILE: 'Meydan had no connection to spare.',
  ENOBUFS: 'Meydan had no connection to spare.',
  UND_ERR_DESTROYED: STOPPED,
  UND_ERR_CLOSED: STOPPED,
}

/**
 * What happened, in words that the owner of an endpoint can act on; never what a name resolved to. `charged`: whether
 * the endpoint is to blame. Without an error the time was over.
 */
export function explain(error: unknown, stage: Stage, timeoutMs: number): { error: string; charged: boolean } {
  const blame = (text: string) => ({ error: text, charged: true })
  const spare = (text: string) => ({ error: text, charged: false })
  if (error === undefined) {
    const within = `within ${timeoutMs / 1000} s`
    if (stage === 'connection') return blame(`No connection ${within}.`)
    return blame(stage === 'answer' ? `No answer ${within}.` : `The answer began but did not end ${within}.`)
  }
  if (error instanceof ForbiddenAddress) return blame('This address may not be called.')
  if (error instanceof ProxyFault) return spare(error.message)
  if (error instanceof ProxyRefusal) return blame(error.message)
  if (error instanceof LookupTimedOut)
    return error.silent
      ? blame('The host name could not be looked up in time.')
      : spare('The host name could not be looked up: too many others were.')

  const code = codeOf(error)
  const mine = own[code]
  if (mine) return spare(mine)
  const sentence = sentences[code]
  if (sentence) return blame(sentence)
  if (isNotHttp(error)) return blame(NOT_HTTP)
  if (isBrokenOff(error)) return blame(brokenOff[stage])
  if (code.startsWith('EAI_')) return blame('The host name could not be looked up.')
  if (/^(ERR_SSL|ERR_TLS)_/.test(code)) return blame('The TLS connection could not be made: does the port speak https?')
  if (/CERT|CRL|ISSUER/.test(code)) return blame(`The TLS certificate cannot be trusted (${code}).`)
  return blame(code ? `The connection failed (${code}).` : 'The connection failed.')
}
