import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createDeps } from '../../server/deps.ts'
import { anyone, viewer } from '../../server/lib/access.ts'
import { routes } from '../../server/lib/route.ts'
import { Workspace } from '../../server/modules/workspaces/workspaces.schema.ts'

// A whole Meydan with one route more, mounted open to anyone and closed. It asks no database, so that nothing hides
// what the check costs.
const { CONNECTION = '{}', ...env } = process.env
const deps = await createDeps(readConfig(env), JSON.parse(CONNECTION))
const app = await buildApp(deps)

const now = new Date()
const record = {
  id: '01a1fe53-b69f-70d7-9809-5b92f6071600',
  name: 'Bench',
  slug: 'bench',
  default_currency: 'TRY',
  locale: 'tr',
  timezone: 'Europe/Istanbul',
  billing_address: null,
  plan_code: 'free',
  role: 'owner',
  created_at: now,
  updated_at: now,
  version: 1,
} as const
const route = routes(app, deps, 'Bench')
const same = { summary: 'Read', response: { 200: Workspace }, handler: () => record }
route.get('/open', { operationId: 'open', access: anyone(), ...same })
route.get('/closed', { operationId: 'closed', access: viewer({ scope: 'workspace:read' }), ...same })

process.once('SIGTERM', () => process.exit(0))
await deps.pulse.started
await app.listen({ port: deps.config.PORT, host: '127.0.0.1' })
