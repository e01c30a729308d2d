import { test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { changeRole, expectStatus, memberOf, withWorkspace } from '../../../../test/factories.ts'
import { publishedGig } from '../../../../test/gigs.ts'
import { expectProblem } from '../../../../test/problem.ts'

const path = '/api/v1/marketplace'

const t = await testApp()
const buyer = await withWorkspace(t)

test('a gig is hidden while its seller is no admin of the workspace, because nobody else could serve its orders', async () => {
  const { workspace_id } = await withWorkspace(t)
  const seller = await memberOf(t, workspace_id, 'admin')
  const gig = await publishedGig(seller.with({ 'x-workspace-id': workspace_id }))
  await changeRole(t, seller, 'viewer')
  expectProblem(await t.anyone.get(`${path}/gigs/${gig.slug}`), 404, 'not_found')
  expectProblem(await buyer.post(`${path}/orders`, { gig_id: gig.id }), 404, 'not_found')
  await changeRole(t, seller, 'admin')
  expectStatus(await t.anyone.get(`${path}/gigs/${gig.slug}`), 200)
})
