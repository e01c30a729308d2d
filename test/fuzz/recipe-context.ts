import type { TestApp } from '../app.ts'
import type { Person } from '../factories.ts'
import type { AiServer } from '../stand-ins/ai-server.ts'
import type { blueskyServer } from '../stand-ins/bluesky.ts'
import type { PaymentServers } from '../stand-ins/payment-providers/payment-servers.ts'
import type { CallerPool } from './callers.ts'

export type RecipeContext = {
  t: TestApp
  callers: CallerPool
  bluesky: Awaited<ReturnType<typeof blueskyServer>>
  payments: PaymentServers
  providers: Record<'text' | 'video', AiServer>
  /** An instance admin that no request targets. */
  admin: Person
  freshAddress: () => string
}

/** Replaces generated parts of a request that should succeed. */
export type RequestParts = {
  headers?: Record<string, string>
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}
export type Recipe = (context: RecipeContext) => Promise<RequestParts>

export const asOwner = ({ callers }: RecipeContext) => {
  const { owner } = callers.current()
  return { client: owner, headers: { ...owner.headers, 'x-workspace-id': owner.workspace_id } }
}
