import { useSyncExternalStore } from 'react'

/** Something that is so or not, for all of the console. */
export function flag() {
  let raised = false
  const listeners = new Set<() => void>()
  return {
    get: () => raised,
    set(now: boolean) {
      if (now === raised) return
      raised = now
      for (const tell of listeners) tell()
    },
    subscribe(tell: () => void) {
      listeners.add(tell)
      return () => void listeners.delete(tell)
    },
  }
}

export const useFlag = ({ subscribe, get }: ReturnType<typeof flag>) => useSyncExternalStore(subscribe, get)
