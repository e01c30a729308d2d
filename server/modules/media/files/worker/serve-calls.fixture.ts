/** A process with tasks that settle, one that waits for nothing, and one that computes without end. */
import { setTimeout } from 'node:timers/promises'
import { damaged } from '../rules/refusals.ts'
import { serveCalls } from './serve-calls.ts'

serveCalls({
  double: (value: number) => setTimeout(1, 2 * value),
  refuse: () => {
    throw damaged('It was cut off.', new Error('bad seek'))
  },
  waitForNothing: () => new Promise(() => {}),
  compute: () => {
    for (;;);
  },
})
