import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { editor, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { AccountGroup, AccountGroupChanges, NewAccountGroup } from './groups.schema.ts'
import {
  changeAccountGroup,
  createAccountGroup,
  deleteAccountGroup,
  listAccountGroups,
  readAccountGroup,
} from './groups.ts'

export function accountGroupRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Accounts')
  const params = idParams('account_group')

  route.get('/account-groups', {
    operationId: 'listAccountGroups',
    summary: 'List account groups',
    description: 'Returns the groups in which members chose accounts to use together, newest first.',
    access: viewer({ scope: 'accounts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(AccountGroup) },
    handler: ({ db, caller, query }) => page(listAccountGroups(db, caller), 'account_group.id', query),
  })
  route.post('/account-groups', {
    operationId: 'createAccountGroup',
    summary: 'Create an account group',
    description: 'A workspace can have at most 50 groups. An account can be in several.',
    access: editor({ scope: 'accounts:write' }),
    body: NewAccountGroup,
    response: { 201: AccountGroup },
    handler: ({ deps, caller, body }) => createAccountGroup(deps, caller, body),
  })
  route.get('/account-groups/:id', {
    operationId: 'readAccountGroup',
    summary: 'Retrieve an account group',
    access: viewer({ scope: 'accounts:read' }),
    params,
    response: { 200: AccountGroup },
    handler: ({ db, caller, params }) => readAccountGroup(db, caller, params.id),
  })
  route.patch('/account-groups/:id', {
    operationId: 'changeAccountGroup',
    summary: 'Update an account group',
    description: '`account_ids` replaces all accounts of the group. Posts keep the accounts that they have.',
    access: editor({ scope: 'accounts:write' }),
    params,
    body: AccountGroupChanges,
    response: { 200: AccountGroup },
    handler: ({ deps, caller, params, body, ifMatch }) => changeAccountGroup(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/account-groups/:id', {
    operationId: 'deleteAccountGroup',
    summary: 'Delete an account group',
    description: 'Its accounts stay connected, and posts keep the accounts that they have.',
    access: editor({ scope: 'accounts:write' }),
    params,
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => deleteAccountGroup(db, caller, params.id),
  })
}
