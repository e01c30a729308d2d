import { subscribe, unsubscribe } from 'node:diagnostics_channel'

const hasOrigin = (message: unknown, origin: string) =>
  typeof message === 'object' &&
  message !== null &&
  'request' in message &&
  typeof message.request === 'object' &&
  message.request !== null &&
  'origin' in message.request &&
  String(message.request.origin) === origin

/** Resolves after `count` reports of undici about requests to the origin of `url`, from now on. */
async function reported(channel: string, url: string, count: number) {
  const { origin } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<void>()
  let reports = 0
  const onReport = (message: unknown) => {
    if (hasOrigin(message, origin) && ++reports === count) resolve()
  }
  subscribe(channel, onReport)
  await promise
  unsubscribe(channel, onReport)
}

/** Resolves when Meydan has read the headers of this many responses of a server, from now on. */
export const headersRead = (url: string, count = 1) => reported('undici:request:headers', url, count)

/** Resolves when Meydan has read this many pieces of the bodies of a server's responses, from now on. */
export const piecesRead = (url: string, count = 1) => reported('undici:request:bodyChunkReceived', url, count)
