import type { FastifyInstance } from 'fastify'
import { Page, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { author, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { fillSnippet } from './fill-snippet.ts'
import { NewSnippet, Snippet, SnippetChanges, SnippetsQuery } from './snippets.schema.ts'
import { changeSnippet, createSnippet, deleteSnippet, listSnippets, readSnippet } from './snippets.ts'
import { FilledSnippet, FillSnippet, VariableFields, Variables } from './variables.schema.ts'
import { readVariables, saveVariables } from './variables.ts'

export function snippetRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')
  const params = idParams('snippet')

  route.get('/snippets', {
    operationId: 'listSnippets',
    summary: 'List snippets',
    description:
      'Returns the texts that members insert into posts, such as sets of hashtags and templates, newest first.',
    access: viewer({ scope: 'posts:read' }),
    query: SnippetsQuery,
    response: { 200: Page(Snippet) },
    handler: ({ db, caller, query }) => page(listSnippets(db, caller, query.kind), 'snippet.id', query),
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
  route.post('/snippets/:id/fill', {
    operationId: 'fillSnippet',
    summary: 'Fill in a snippet',
    description:
      'Returns the texts of a snippet with values in place of its variables, in the language and the time zone of the workspace, as the console inserts them. Keeps nothing. Posts are published as they were saved: variables in posts are not filled in. If a text would have more than 65,536 characters, the response is 400 `validation_failed`, which names it.',
    access: viewer({ scope: 'posts:read' }),
    params,
    body: FillSnippet,
    response: { 200: FilledSnippet },
    handler: ({ deps, caller, params, body }) => fillSnippet(deps, caller, params.id, body),
  })
  route.get('/workspace/variables', {
    operationId: 'readVariables',
    summary: 'Retrieve the variables',
    description: 'Returns the names that snippets can have in double braces, with their values.',
    access: viewer({ scope: 'posts:read' }),
    response: { 200: Variables },
    handler: ({ db, caller }) => readVariables(db, caller),
  })
  route.put('/workspace/variables', {
    operationId: 'saveVariables',
    summary: 'Replace the variables',
    description:
      'A variable that a snippet uses cannot be removed. Posts that a value was inserted into stay as they are.',
    access: author({ scope: 'posts:write' }),
    body: VariableFields,
    response: { 200: Variables },
    handler: ({ deps, caller, body, ifMatch }) => saveVariables(deps, caller, body, ifMatch),
  })
}
