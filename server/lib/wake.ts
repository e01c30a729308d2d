import { EventEmitter } from 'node:events'
import type { Db } from './database.ts'

/** Wakes of other processes are this far apart at least. */
const APART_MS = 20

/** Tells the workers that there is something to do. What they cache stays as it is. */
export type Bell = {
  ring: () => void
  /** Calls `listener` at each ring, here or in a process without a listener, until the returned function is called. */
  onRing: (listener: () => void) => () => void
  /** A ring that was heard from elsewhere; it is not passed on. */
  heard: () => void
}

const bells = new WeakMap<Db, Bell>()

/** `tellOthers` is called when nobody listens here, soon and never twice within 20 ms. Workers also poll by themselves. */
export function createBell(databases: Db[], tellOthers: () => void): Bell {
  const listeners = new EventEmitter().setMaxListeners(0)
  const heard = () => void listeners.emit('ring')
  let isResting = false
  let isAsked = false
  const pass = () => {
    if (isResting) {
      isAsked = true
      return
    }
    isResting = true
    tellOthers()
    setTimeout(() => {
      isResting = false
      if (!isAsked) return
      isAsked = false
      pass()
    }, APART_MS).unref()
  }
  const bell: Bell = {
    ring: () => (listeners.listenerCount('ring') > 0 ? heard() : pass()),
    onRing: (listener) => {
      listeners.on('ring', listener)
      return () => listeners.off('ring', listener)
    },
    heard,
  }
  for (const db of databases) bells.set(db, bell)
  return bell
}

/** Rings after a commit: `afterCommit(tx, wake)`. */
export const wake = (db: Db) => bells.get(db)?.ring()
