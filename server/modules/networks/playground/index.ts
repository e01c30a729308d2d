import { randomUUID } from 'node:crypto'
import { Closed } from '../../../lib/http/schema.ts'
import type { Network } from '../network.ts'
import { find, publish } from './publish.ts'

/** Timeline inside Meydan, so that the first post needs no external account. */
export const playground: Network = {
  id: 'playground',
  name: 'Playground',
  description: 'A timeline inside Meydan for trying things out.',
  form: [],
  options: Closed({}),
  capabilities: { max_length: 5000, edit: false },
  idempotent: true,
  newAttemptKey: () => randomUUID(),

  connect: async () => ({
    external_id: randomUUID(),
    name: 'Playground',
    handle: 'playground',
    url: null,
    credentials: null,
  }),

  check: async () => ({ kind: 'ok' }),
  publish,
  find,
}
