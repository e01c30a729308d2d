import { gigWithSample } from '../gigs.ts'
import { asOwner, type Recipe, type RecipeContext } from './recipe-context.ts'

const onGig =
  (credentials: 'session' | 'token', body?: object): Recipe =>
  async (context: RecipeContext) => {
    const { client, headers } = asOwner(context)
    const { id } = await gigWithSample(client.with({ 'x-workspace-id': headers['x-workspace-id'] }))
    return {
      headers: credentials === 'session' ? headers : context.callers.current().callers.allScopes.headers,
      path: { id },
      ...(body && { body }),
    }
  }

const onSample: Recipe = async (context) => {
  const { client, headers } = asOwner(context)
  const { id, sample_media } = await gigWithSample(client.with({ 'x-workspace-id': headers['x-workspace-id'] }))
  return { path: { id, media_id: sample_media[0] } }
}

export const gigRecipes: Record<string, Recipe> = {
  readGig: onGig('session'),
  changeGig: onGig('session', { title: 'Changed' }),
  publicChangeGig: onGig('token', { title: 'Changed' }),
  deleteGig: onGig('session'),
  publicDeleteGig: onGig('token'),
  downloadGigSample: onSample,
  downloadGigSampleThumbnail: onSample,
}
