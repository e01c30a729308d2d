import { useSyncExternalStore } from 'react'

/** A boolean shared by the whole console. */
export function createFlag() {
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

export const useFlag = ({ subscribe, get }: ReturnType<typeof createFlag>) => useSyncExternalStore(subscribe, get)
