/** Prints the results as a table of Markdown. */
import type { Result } from './run.ts'

const columns: [string, (result: Result) => string][] = [
  ['Break', (result) => result.break.title],
  ['Acknowledged', ({ losses }) => String(losses.acknowledged)],
  ['lost', ({ losses }) => String(losses.lost)],
  ['Posts', ({ losses }) => String(losses.posts)],
  ['unpublished', ({ losses }) => String(losses.unpublished)],
  ['doubled', ({ losses }) => String(losses.doubled)],
  ['Deliveries', ({ losses }) => String(losses.deliveries)],
  ['lost', ({ losses }) => String(losses.undelivered)],
  ['repeated', ({ losses }) => String(losses.repeated)],
  ['Money moves', ({ losses }) => String(losses.moves)],
  ['twice', ({ losses }) => String(losses.movedTwice)],
  ['No 2xx for', ({ gapSeconds }) => `${gapSeconds.toFixed(1)} s`],
  [
    '2xx after a new primary',
    ({ recoverySeconds }) => (recoverySeconds === undefined ? '–' : `${recoverySeconds.toFixed(1)} s`),
  ],
  ['Restarts', ({ restarts }) => String(restarts)],
]

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
export const header = [row(columns.map(([title]) => title)), `|${'---|'.repeat(columns.length)}`]
export const rowOf = (result: Result) => row(columns.map(([, cell]) => cell(result)))

/** What the table leaves out. */
export const notesOf = ({ statuses, givenUp, settleSeconds, errors }: Result) =>
  [
    `responses: ${[...statuses]
      .sort()
      .map(([status, count]) => `${count} × ${status || 'none'}`)
      .join(', ')}`,
    `given up: ${givenUp}`,
    `settled after ${settleSeconds.toFixed(0)} s`,
    ...errors,
  ].join('; ')

/** Whether nothing was lost or doubled, and Meydan came back by itself. */
export const isGood = ({ losses, recoverySeconds, restarts }: Result) =>
  losses.lost + losses.unpublished + losses.doubled + losses.undelivered + losses.movedTwice + restarts === 0 &&
  (recoverySeconds ?? 0) <= 30
