import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { editor, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { findSources } from './reading/find-sources.ts'
import {
  AgentSource,
  AgentSourceQuery,
  ChangeAgentSource,
  FindSourcesQuery,
  FoundSources,
  NewAgentSource,
  sourceParams,
} from './sources.schema.ts'
import { changeSource, createSource, deleteSource, listSources } from './sources.ts'

export function agentSourceRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Agents')

  route.get('/agents/sources/find', {
    operationId: 'findAgentSources',
    summary: 'Find feeds of a site',
    description:
      'Reads an address and returns what an agent could write about: the feed at it or those of its site, with their newest entries, and the text of the page. Saves nothing.',
    access: editor({ scope: 'agents:write', feature: 'ai.agents' }),
    weight: 'outside',
    query: FindSourcesQuery,
    response: { 200: FoundSources },
    handler: ({ deps, query }) => findSources(deps, query.url),
  })
  route.get('/agents/:id/sources', {
    operationId: 'listAgentSources',
    summary: 'List the sources of an agent',
    description: 'Returns what the agent writes about, newest first.',
    access: viewer({ scope: 'agents:read' }),
    params: idParams('agent'),
    query: AgentSourceQuery,
    response: { 200: Page(AgentSource) },
    handler: ({ db, caller, params, query }) => listSources(db, caller, params.id, query),
  })
  route.post('/agents/:id/sources', {
    operationId: 'createAgentSource',
    summary: 'Add a source to an agent',
    description:
      'Adds a feed, a page or a text that the agent writes about, at most 5. It is read before runs, at most every 10 minutes. The agent writes about the newest 3 entries of a new feed, and about later ones. Runs have your rights from then on.',
    access: editor({ scope: 'agents:write', feature: 'ai.agents' }),
    params: idParams('agent'),
    body: NewAgentSource,
    response: { 201: AgentSource },
    handler: ({ deps, caller, params, body }) => createSource(deps, caller, params.id, body),
  })
  route.patch('/agents/:id/sources/:source_id', {
    operationId: 'changeAgentSource',
    summary: 'Update a source of an agent',
    description:
      'Changes a source. With another `url` it is read as a new one. Runs of the agent have your rights from then on.',
    access: editor({ scope: 'agents:write', feature: 'ai.agents' }),
    params: sourceParams,
    body: ChangeAgentSource,
    response: { 200: AgentSource },
    handler: ({ deps, caller, params, body, ifMatch }) => changeSource(deps, caller, params, body, ifMatch),
  })
  route.delete('/agents/:id/sources/:source_id', {
    operationId: 'deleteAgentSource',
    summary: 'Remove a source from an agent',
    description: 'Removes a source with what was read from it. Posts written from it stay.',
    access: editor({ scope: 'agents:write' }),
    params: sourceParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deleteSource(deps, caller, params),
  })
}
