import { EventEmitter } from 'node:events'

const bell = new EventEmitter().setMaxListeners(0)

/** Tells the workers of this process that there is something to do. Others find it by their own poll. */
export const wake = () => bell.emit('wake')

/** Calls `listener` at each wake until the returned function is called. */
export function onWake(listener: () => void) {
  bell.on('wake', listener)
  return () => bell.off('wake', listener)
}
