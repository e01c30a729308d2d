import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { afterCommit, type ConnectionConfig, type Tx } from './database.ts'

const CHANNEL = 'meydan_pulse'
const WAKE_CHANNEL = 'meydan_wake'
const BEAT_MS = 300
const SILENCE_MS = 1000

/** What caches hold: who may do what (sessions, tokens and their users, roles of members), the key ring, and options. */
export type Kind = 'authority' | 'keys' | 'options' | 'plans'

/**
 * Hears what other nodes make invalid. What a node caches may be used only while the pulse is heard: every node sends
 * itself a beat through PostgreSQL, so a connection that died without a word is noticed within a second.
 */
export type Pulse = {
  /** Whether a beat came back within the last second. */
  isHeard: () => boolean
  /**
   * Tells every node, when this transaction commits, that something of this kind became invalid; this node before
   * `inTransaction` returns. For rare acts only: a notification takes a lock at commit that all of them share.
   */
  announce: (tx: Tx, kind: Kind) => Promise<void>
  /** Calls `listener` with what a node announced, or with undefined when something may have been missed. */
  onInvalid: (listener: (message: string | undefined) => void) => void
  /**
   * Tells the workers of every process that there is something to do; of what comes faster than it can be told, only
   * that. Invalidates nothing. May be lost.
   */
  wake: (text: string) => void
  onWake: (listener: (text: string) => void) => void
  /** Resolves once the first beat was heard. */
  started: Promise<void>
  close: () => Promise<void>
}

export function createPulse(connection: ConnectionConfig, log: Logger): Pulse {
  let heardAt = Number.NEGATIVE_INFINITY
  let closed = false
  let client: pg.Client | undefined
  const listeners: ((message: string | undefined) => void)[] = []
  const wakeListeners: ((text: string) => void)[] = []
  const tell = (message: string | undefined) => {
    for (const listener of listeners) listener(message)
  }
  const { promise: started, resolve: markStarted } = Promise.withResolvers<void>()

  const listen = async () => {
    const next = new pg.Client({
      ...connection,
      application_name: 'meydan-pulse',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      // A connection that died without a word would hold this beat, and with it every later one.
      query_timeout: 5000,
    })
    next.on('error', () => undefined)
    next.on('end', () => {
      heardAt = Number.NEGATIVE_INFINITY
      if (client === next) client = undefined
    })
    next.on('notification', ({ channel, payload }) => {
      if (channel === WAKE_CHANNEL) {
        for (const listener of wakeListeners) listener(payload ?? '')
        return
      }
      if (payload !== undefined && payload !== '') return tell(payload)
      heardAt = performance.now()
      markStarted()
    })
    await next.connect()
    await next.query(`listen ${CHANNEL}`)
    await next.query(`listen ${WAKE_CHANNEL}`)
    // Closed while it was connecting.
    if (closed) return next.end()
    client = next
    // Whatever was announced while nobody listened is unknown.
    tell(undefined)
  }

  const interrupted = (err: unknown) => {
    if (!closed) log.warn({ err }, 'the pulse through PostgreSQL is interrupted')
  }
  /** What a connection did not answer, it will not answer to whoever comes next. */
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
      try {
        await asked?.query('select pg_notify($1, $2)', [channel, text])
      } catch (error) {
        drop(asked)
        throw error
      }
    })
    last = sent.catch(() => undefined)
    return sent
  }

  /** The wake that waits for its turn. Further ones join it, so that no beat waits for more than one. */
  let waking: string | undefined
  const wake = (text: string) => {
    if (waking !== undefined) {
      waking = ''
      return
    }
    waking = text
    const take = () => {
      const taken = waking ?? ''
      waking = undefined
      return taken
    }
    notify(WAKE_CHANNEL, take).catch(interrupted)
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
    isHeard: () => performance.now() - heardAt < SILENCE_MS,
    announce: async (tx, kind) => {
      await sql`select pg_notify(${CHANNEL}, ${kind})`.execute(tx)
      afterCommit(tx, () => tell(kind))
    },
    onInvalid: (listener) => listeners.push(listener),
    wake,
    onWake: (listener) => wakeListeners.push(listener),
    started,
    close: async () => {
      closed = true
      clearInterval(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
