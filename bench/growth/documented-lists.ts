import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Parameter = { $ref?: string; name?: string; in?: string; required?: boolean }
type Schema = { $ref?: string; properties?: { data?: { type?: string } } }
type Operation = {
  parameters?: Parameter[]
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}
type Document = {
  paths: Record<string, { get?: Operation }>
  components: { schemas: Record<string, Schema> }
}

/** A list or an export of the API. `path`: below /api/v1. */
export type List = {
  path: string
  isExport: boolean
  /** Whether it returns records of one workspace. The others return those of the instance or of a user. */
  inWorkspace: boolean
  isPaged: boolean
  /** Names of the parameters that choose records. */
  filters: string[]
}

const document: Document = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'))

/**
 * Every list and export in openapi.json, also those of /public. The comments that a client reads need the session of a
 * link, and are those of one post. Mentions are found by a network.
 */
export const documentedLists: List[] = Object.entries(document.paths).flatMap(([address, { get }]) => {
  if (!get || address.startsWith('/api/v1/review/') || address.endsWith('/mentions')) return []
  const { parameters = [], responses } = get
  const names = parameters.flatMap(({ name, in: place }) => (name !== undefined && place === 'query' ? [name] : []))
  const content = responses[200]?.content ?? {}
  const isPaged = names.includes('limit') || names.includes('cursor')
  const isExport = 'text/csv' in content || address.endsWith('/export')
  const schema = content['application/json']?.schema
  const { properties } =
    (schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema) ?? {}
  if (!isPaged && !isExport && properties?.data?.type !== 'array') return []
  return {
    path: address.replace('/api/v1', ''),
    ...{ isExport, isPaged },
    inWorkspace: parameters.some(({ $ref }) => $ref?.endsWith('/X-Workspace-Id')),
    filters: names.filter((name) => name !== 'limit' && name !== 'cursor'),
  }
})
