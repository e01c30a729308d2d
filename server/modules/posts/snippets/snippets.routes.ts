import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { author, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { NewSnippet, Snippet, SnippetChanges } from './snippets.schema.ts'
import { changeSnippet, createSnippet, deleteSnippet, listSnippets, readSnippet } from './snippets.ts'

export function snippetRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')
  const params = idParams('snippet')

  route.get('/snippets', {
    operationId: 'listSnippets',
    summary: 'List snippets',
    description: 'Returns the texts that members insert into posts, such as sets of hashtags, newest first.',
    access: viewer({ scope: 'posts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(Snippet) },
    handler: ({ db, caller, query }) => page(listSnippets(db, caller), 'snippet.id', query),
  })
  route.post('/snippets', {
    operationId: 'createSnippet',
    summary: 'Create a snippet',
    description: 'A workspace can have at most 500 snippets.',
    access: author({ scope: 'posts:write' }),
    body: NewSnippet,
    response: { 201: Snippet },
    handler: ({ deps, caller, body }) => createSnippet(deps, caller, body),
  })
  route.get('/snippets/:id', {
    operationId: 'readSnippet',
    summary: 'Retrieve a snippet',
    access: viewer({ scope: 'posts:read' }),
    params,
    response: { 200: Snippet },
    handler: ({ db, caller, params }) => readSnippet(db, caller, params.id),
  })
  route.patch('/snippets/:id', {
    operationId: 'changeSnippet',
    summary: 'Update a snippet',
    description: 'Posts that the text was inserted into stay as they are.',
    access: author({ scope: 'posts:write' }),
    params,
    body: SnippetChanges,
    response: { 200: Snippet },
    handler: ({ deps, caller, params, body, ifMatch }) => changeSnippet(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/snippets/:id', {
    operationId: 'deleteSnippet',
    summary: 'Delete a snippet',
    description: 'Posts that the text was inserted into stay as they are.',
    access: author({ scope: 'posts:write' }),
    params,
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => deleteSnippet(db, caller, params.id),
  })
}
