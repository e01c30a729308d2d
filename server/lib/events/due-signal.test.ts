import { expect, test } from 'vitest'
import { createDueSignal, type Due } from './due-signal.ts'

const due: Due = {
  workspace_id: '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d56',
  webhook_ids: ['01994f73-2bdc-7d05-a6e1-7b9c0f4e8d57'],
  at: '2026-01-02T03:04:05.678Z',
}

function receivedFrom(text: string) {
  const dueSignal = createDueSignal([], () => undefined)
  const received: (Due | undefined)[] = []
  dueSignal.onNotify((due) => received.push(due))
  dueSignal.receive(text)
  return received
}

test('a signal of another process is received with its details', () => {
  expect(receivedFrom(JSON.stringify([due, due]))).toEqual([due, due])
})

test.each([
  '',
  'x',
  '[',
  'null',
  '{}',
  '"[]"',
  '[null]',
  JSON.stringify(due),
  ...[
    { workspace_id: 'x' },
    { webhook_ids: null },
    { webhook_ids: ['x'] },
    { webhook_ids: [null] },
    { at: 'soon' },
    { at: '2026-99-99T99:99:99.999Z' },
    { at: 0 },
    { at: undefined },
  ].map((wrong) => JSON.stringify([due, { ...due, ...wrong }])),
])('a text that is not valid is a signal without details: %s', (text) => {
  expect(receivedFrom(text)).toEqual([undefined])
})
