import { EventEmitter } from 'node:events'
import type { Db } from '../db/database.ts'
import { idPattern } from '../http/schema/schema.ts'

/** Shortest interval between signals to other processes. */
const MIN_INTERVAL_MS = 20
/**
 * Largest payload of NOTIFY, in bytes. A larger signal is sent without details, and its receivers look for everything
 * that is due.
 */
const MAX_NOTIFY_BYTES = 7999

/** Webhooks that something has become due for at `at`. It saves the receiver a search through all webhooks. */
export type Due = { workspace_id: string; webhook_ids: string[]; at: string }

/** Wakes the dispatchers when deliveries become due. */
type DueSignal = {
  /** Signals that deliveries are due: of these webhooks, or without `due` of any. */
  notify: (due?: Due) => void
  /**
   * Calls `listener` for each signal of this process, and of processes without a listener. Returns a function that ends
   * this.
   */
  onNotify: (listener: (due: Due | undefined) => void) => () => void
  /** Takes a signal of another process. It is not broadcast again. */
  receive: (text: string) => void
}

declare module '../deps.ts' {
  interface Deps {
    /** Notified by `emit` after its commit; the dispatcher listens. */
    dueSignal: DueSignal
  }
}

const signals = new WeakMap<Db, DueSignal>()

/**
 * Creates the signal of a process. Without a listener in this process, signals are collected and passed to `broadcast`,
 * at most once in 20 ms, as a text for `receive` of the other processes. A lost signal only costs time, because the
 * dispatchers also poll.
 */
export function createDueSignal(databases: Db[], broadcast: (text: string) => void): DueSignal {
  const listeners = new EventEmitter<{ due: [Due | undefined] }>().setMaxListeners(0)
  let isThrottled = false
  let pending: (Due | undefined)[] = []
  const broadcastPending = () => {
    isThrottled = pending.length > 0
    if (!isThrottled) return
    const text = pending.includes(undefined) ? '' : JSON.stringify(pending)
    broadcast(text.length <= MAX_NOTIFY_BYTES ? text : '')
    pending = []
    setTimeout(broadcastPending, MIN_INTERVAL_MS).unref()
  }
  const signal: DueSignal = {
    notify: (due) => {
      if (listeners.emit('due', due)) return
      pending.push(due)
      if (!isThrottled) broadcastPending()
    },
    onNotify: (listener) => {
      listeners.on('due', listener)
      return () => listeners.off('due', listener)
    },
    receive: (text) => {
      for (const due of parseDue(text)) listeners.emit('due', due)
    },
  }
  for (const db of databases) signals.set(db, signal)
  return signal
}

const isId = (value: unknown) => typeof value === 'string' && new RegExp(idPattern).test(value)
const isTime = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value))
const isDue = (value: unknown): value is Due =>
  typeof value === 'object' &&
  value !== null &&
  'workspace_id' in value &&
  isId(value.workspace_id) &&
  'webhook_ids' in value &&
  Array.isArray(value.webhook_ids) &&
  value.webhook_ids.every(isId) &&
  'at' in value &&
  isTime(value.at)

/**
 * Parses a signal of another process. Anybody who can connect to the database can send any text: one that is not valid
 * is a signal without details.
 */
function parseDue(text: string): (Due | undefined)[] {
  try {
    const parsed: unknown = JSON.parse(text)
    if (Array.isArray(parsed) && parsed.every(isDue)) return parsed
  } catch {
    // The text is not JSON.
  }
  return [undefined]
}

/** Signals that something is due. For use after a commit: `afterCommit(tx, notifyDispatcher)`. */
export const notifyDispatcher = (db: Db) => signals.get(db)?.notify()

/** Signals that these webhooks have something due. For use after a commit. */
export const notifyDue = (due: Due) => (db: Db) => signals.get(db)?.notify(due)
