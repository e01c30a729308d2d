/** A process with tasks that settle and one that never does. */
import { setTimeout } from 'node:timers/promises'
import { damaged } from '../refusals.ts'
import { serveCalls } from './serve-calls.ts'

serveCalls({
  double: (value: number) => setTimeout(1, 2 * value),
  refuse: () => {
    throw damaged('It was cut off.', new Error('bad seek'))
  },
  waitForNothing: () => new Promise(() => {}),
})
