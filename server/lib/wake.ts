import { EventEmitter } from 'node:events'
import type { Db } from './database.ts'
import { idPattern } from './schema.ts'

/** Rings for other processes are this far apart at least. */
const APART_MS = 20
/** What NOTIFY carries at most, in bytes. Of what is longer only the ring is told: who hears it looks at everything. */
const MOST_TOLD = 7999

/** Webhooks that something is due for since `at`. Who is told so needs no look at all the others. */
export type Due = { workspace_id: string; webhook_ids: string[]; at: string }

/** Tells the workers that there is something to do. What they cache stays as it is. */
export type Bell = {
  /** undefined: whatever it may be. */
  ring: (due?: Due) => void
  /** Calls `listener` at each ring, here or in a process without a listener, until the returned function is called. */
  onRing: (listener: (due: Due | undefined) => void) => () => void
  /** A ring that was heard from elsewhere; it is not passed on. */
  heard: (text: string) => void
}

const bells = new WeakMap<Db, Bell>()

/**
 * `tellOthers` is called when nobody listens here, soon and never twice within 20 ms, with what their `heard` takes.
 * Workers also poll by themselves.
 */
export function createBell(databases: Db[], tellOthers: (text: string) => void): Bell {
  const listeners = new EventEmitter<{ ring: [Due | undefined] }>().setMaxListeners(0)
  let isResting = false
  let untold: (Due | undefined)[] = []
  const tell = () => {
    isResting = untold.length > 0
    if (!isResting) return
    const text = untold.includes(undefined) ? '' : JSON.stringify(untold)
    tellOthers(text.length <= MOST_TOLD ? text : '')
    untold = []
    setTimeout(tell, APART_MS).unref()
  }
  const bell: Bell = {
    ring: (due) => {
      if (listeners.emit('ring', due)) return
      untold.push(due)
      if (!isResting) tell()
    },
    onRing: (listener) => {
      listeners.on('ring', listener)
      return () => listeners.off('ring', listener)
    },
    heard: (text) => {
      for (const due of read(text)) listeners.emit('ring', due)
    },
  }
  for (const db of databases) bells.set(db, bell)
  return bell
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

/** What another process told. Whoever may connect to the database may say anything: that is a ring without details. */
function read(text: string): (Due | undefined)[] {
  try {
    const told: unknown = JSON.parse(text)
    if (Array.isArray(told) && told.every(isDue)) return told
  } catch {
    // Without details.
  }
  return [undefined]
}

/** Rings after a commit: `afterCommit(tx, wake)`. */
export const wake = (db: Db) => bells.get(db)?.ring()

/** Rings after a commit for these webhooks alone. */
export const wakeFor = (due: Due) => (db: Db) => bells.get(db)?.ring(due)
