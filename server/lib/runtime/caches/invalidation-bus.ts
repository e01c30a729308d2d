import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { afterCommit, type ConnectionConfig, isReadTimeout, type Tx } from '../../db/database.ts'

const CHANNEL = 'meydan_pulse'
const BROADCAST_CHANNEL = 'meydan_wake'
const BEAT_MS = 300
const SILENCE_MS = 1000

/** Kinds of cached data: access (sessions, tokens and users, roles of members), the key ring, options, and plans. */
export type InvalidationKind = 'access' | 'keys' | 'options' | 'plans'

/**
 * Receives announcements of other nodes about outdated data. Caches may be used only while the bus is connected.
 * Every node sends itself a beat through PostgreSQL, so a connection that died silently is noticed within a
 * second.
 */
export type InvalidationBus = {
  /** Whether a beat came back within the last second. */
  isConnected: () => boolean
  /**
   * Announces to all nodes, when this transaction commits, that data of this kind is outdated; to this node before
   * `inTransaction` returns. For rare actions only: a notification takes a lock at commit that all of them share.
   */
  invalidate: (tx: Tx, kind: InvalidationKind) => Promise<void>
  /** Calls `listener` with each node's announcement, or with undefined when one may have been missed. */
  onInvalidate: (listener: (message: string | undefined) => void) => void
  /**
   * Notifies the workers of all processes of new work. Broadcasts that come faster than they can be sent are merged
   * into one without text. Invalidates nothing. May be lost.
   */
  broadcast: (text: string) => void
  onBroadcast: (listener: (text: string) => void) => void
  /**
   * Calls `listener` when the connection stopped responding without being closed and a new one works. `since` is the
   * time (of `performance.now`) of the first query without a response: connections older than that are likely dead too.
   */
  onSilentLoss: (listener: (since: number) => void) => void
  /** Resolves after the first beat came back. */
  started: Promise<void>
  close: () => Promise<void>
}

export function createInvalidationBus(connection: ConnectionConfig, log: Logger): InvalidationBus {
  let lastBeatAt = Number.NEGATIVE_INFINITY
  let lastNotificationAt = Number.NEGATIVE_INFINITY
  let closed = false
  let client: pg.Client | undefined
  const listeners: ((message: string | undefined) => void)[] = []
  const broadcastListeners: ((text: string) => void)[] = []
  const lossListeners: ((since: number) => void)[] = []
  let silentSince: number | undefined
  const notifyListeners = (message: string | undefined) => {
    for (const listener of listeners) listener(message)
  }
  const { promise: started, resolve: markStarted } = Promise.withResolvers<void>()

  const listen = async () => {
    const next = new pg.Client({
      // A connection that died silently would block this beat, and with it all later ones.
      query_timeout: 5000,
      ...connection,
      application_name: 'meydan-pulse',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    })
    next.on('error', () => undefined)
    next.on('end', () => {
      lastBeatAt = Number.NEGATIVE_INFINITY
      if (client === next) client = undefined
    })
    next.on('notification', ({ channel, payload }) => {
      lastNotificationAt = performance.now()
      if (channel === BROADCAST_CHANNEL) {
        for (const listener of broadcastListeners) listener(payload ?? '')
        return
      }
      if (payload !== undefined && payload !== '') return notifyListeners(payload)
      lastBeatAt = performance.now()
      markStarted()
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      await next.query(`listen ${BROADCAST_CHANNEL}`)
    } catch (error) {
      // A standby accepts the connection and refuses LISTEN.
      await next.end().catch(() => undefined)
      throw error
    }
    // The bus was closed while it was connecting.
    if (closed) return next.end()
    client = next
    if (isReported) log.info('the invalidation bus is connected to PostgreSQL again')
    isReported = false
    if (silentSince !== undefined) for (const listener of lossListeners) listener(silentSince)
    silentSince = undefined
    // Announcements may have been missed while the bus was disconnected.
    notifyListeners(undefined)
  }

  let isReported = false
  const interrupted = (err: unknown) => {
    if (closed || isReported) return
    isReported = true
    log.warn({ err }, 'the invalidation bus is disconnected from PostgreSQL')
  }
  /** A connection without a response to one query has none for later ones either. */
  const drop = (broken: pg.Client | undefined) => {
    void broken?.end().catch(() => undefined)
    if (client === broken) client = undefined
  }

  // A connection takes one query at a time.
  let last: Promise<unknown> = Promise.resolve()
  const notify = (channel: string, textOf = () => '') => {
    const sent = last.then(async () => {
      const asked = client
      const text = textOf()
      const askedAt = performance.now()
      try {
        await asked?.query('select pg_notify($1, $2)', [channel, text])
      } catch (error) {
        // After the event loop was blocked, timeouts fire before the responses that wait in the sockets are read.
        if (isReadTimeout(error)) await setImmediate()
        if (isReadTimeout(error) && lastNotificationAt < askedAt) silentSince ??= askedAt
        drop(asked)
        throw error
      }
    })
    last = sent.catch(() => undefined)
    return sent
  }

  /** The broadcast waiting to be sent. Further ones are merged into it, so that no beat waits for more than one. */
  let pendingBroadcast: string | undefined
  const broadcast = (text: string) => {
    if (pendingBroadcast !== undefined) {
      pendingBroadcast = ''
      return
    }
    pendingBroadcast = text
    const take = () => {
      const taken = pendingBroadcast ?? ''
      pendingBroadcast = undefined
      return taken
    }
    notify(BROADCAST_CHANNEL, take).catch(interrupted)
  }

  let busy = false
  const beat = async () => {
    if (busy || closed) return
    busy = true
    try {
      if (!client) await listen()
      await notify(CHANNEL)
    } catch (error) {
      interrupted(error)
    } finally {
      busy = false
    }
  }
  void beat()
  const timer = setInterval(beat, BEAT_MS)
  timer.unref()

  return {
    isConnected: () => performance.now() - lastBeatAt < SILENCE_MS,
    invalidate: async (tx, kind) => {
      await sql`select pg_notify(${CHANNEL}, ${kind})`.execute(tx)
      afterCommit(tx, () => notifyListeners(kind))
    },
    onInvalidate: (listener) => listeners.push(listener),
    broadcast,
    onBroadcast: (listener) => broadcastListeners.push(listener),
    onSilentLoss: (listener) => lossListeners.push(listener),
    started,
    close: async () => {
      closed = true
      clearInterval(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
