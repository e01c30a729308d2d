import { expectStatus } from '../factories.ts'
import { gigWithSample, newHandle, publishedGig, reportedGig } from '../gigs.ts'
import { asOwner, type Recipe, type RecipeContext } from './recipe-context.ts'

const sellerOf = (context: RecipeContext) => {
  const { client, headers } = asOwner(context)
  return client.with({ 'x-workspace-id': headers['x-workspace-id'] })
}
const tokenOf = ({ callers }: RecipeContext) => callers.current().callers.allScopes.headers

const onGig =
  (credentials: 'session' | 'token', body?: object): Recipe =>
  async (context) => {
    const { id } = await publishedGig(sellerOf(context))
    return {
      headers: credentials === 'session' ? asOwner(context).headers : tokenOf(context),
      path: { id },
      ...(body && { body }),
    }
  }

const onSample: Recipe = async (context) => {
  const { id, sample_media } = await gigWithSample(sellerOf(context))
  return { path: { id, media_id: sample_media[0] } }
}

const asAdmin =
  (body?: object): Recipe =>
  async (context) => ({ path: { id: (await publishedGig(sellerOf(context))).id }, ...(body && { body }) })

const onHandle: Recipe = async ({ callers }) => {
  const [person, handle] = [await callers.newUser(), newHandle()]
  expectStatus(await person.patch('/api/v1/signatures/me', { handle }), 200)
  return { path: { handle } }
}
const newSignature: Recipe = async ({ callers }) => ({
  headers: (await callers.newUser()).headers,
  body: { handle: newHandle(), text: 'Hello' },
})
const publicSignature: Recipe = async (context) => ({ headers: tokenOf(context), body: { handle: newHandle() } })

export const gigRecipes: Record<string, Recipe> = {
  readGig: onGig('session'),
  changeGig: onGig('session', { title: 'Changed' }),
  publicChangeGig: onGig('token', { title: 'Changed' }),
  deleteGig: onGig('session'),
  publicDeleteGig: onGig('token'),
  archiveGig: onGig('session'),
  publicArchiveGig: onGig('token'),
  unarchiveGig: onGig('session'),
  publicUnarchiveGig: onGig('token'),
  downloadGigSample: onSample,
  downloadGigSampleThumbnail: onSample,
  reportGig: onGig('session', { reason: 'spam' }),
  dismissGigReport: async (context) => ({
    path: { id: await reportedGig(sellerOf(context), await context.callers.newUser()) },
  }),
  takeDownGig: asAdmin({ reason: 'Spam' }),
  restoreGig: asAdmin(),
  readSeller: onHandle,
  readSignature: onHandle,
  readMarketplaceSignature: onHandle,
  changeSignature: newSignature,
  changeMarketplaceSignature: newSignature,
  publicChangeSignature: publicSignature,
  publicChangeMarketplaceSignature: publicSignature,
}
