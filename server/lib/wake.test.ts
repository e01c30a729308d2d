import { expect, test } from 'vitest'
import { createBell, type Due } from './wake.ts'

const due: Due = {
  workspace_id: '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d56',
  webhook_ids: ['01994f73-2bdc-7d05-a6e1-7b9c0f4e8d57'],
  at: '2026-01-02T03:04:05.678Z',
}

function heardFrom(text: string) {
  const bell = createBell([], () => undefined)
  const rings: (Due | undefined)[] = []
  bell.onRing((ring) => rings.push(ring))
  bell.heard(text)
  return rings
}

test('what another process told is heard with all of its details', () => {
  expect(heardFrom(JSON.stringify([due, due]))).toEqual([due, due])
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
])('whatever else was said is a ring without details: %s', (text) => {
  expect(heardFrom(text)).toEqual([undefined])
})
