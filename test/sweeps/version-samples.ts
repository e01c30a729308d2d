import { type Make, versionedPost } from './resources.ts'

export const versionSamples: Record<string, Make> = {
  'GET /posts/:id/versions/:version_id': versionedPost,
  'POST /posts/:id/versions/:version_id/restore': versionedPost,
}
