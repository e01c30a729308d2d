import type { Deps } from '../../../lib/deps.ts'
import { NetworkFault, type PartMedia, type Publication } from '../network.ts'
import { freshUpload } from './uploads.ts'

/** State of a container: what is prepared at Meta, and published in a call of its own. */
export type ContainerState = {
  status: unknown
  /** The reason why Meta cannot use it. */
  reason: unknown
}

/** Calls of one network of Meta that differ from those of others. */
export type ContainerCalls = {
  create: (params: Record<string, unknown>) => Promise<string>
  stateOf: (id: string) => Promise<ContainerState>
}

/** Seconds between two questions whether a container is ready. */
const POLL_S = 10
const FILM_POLL_S = 30

type Container = { params: () => Promise<Record<string, unknown>> | Record<string, unknown>; isFilm: boolean }

/** Prepares a container in steps, and waits until Meta has fetched its files. Returns its id. */
export async function prepareContainer(
  deps: Deps,
  publication: Publication,
  { create, stateOf }: ContainerCalls,
  { name, params, isFilm }: Container & { name: string },
): Promise<string> {
  const { id } = await freshUpload(deps, publication, name, async () => ({ id: await create(await params()) }))
  await publication.step(`processed ${name} ${id}`, {
    run: async () => requireReady(await stateOf(id), isFilm ? FILM_POLL_S : POLL_S),
    ifLost: 'repeat',
  })
  return id
}

function requireReady({ status, reason }: ContainerState, retry_after_s: number) {
  if (status === 'FINISHED' || status === 'PUBLISHED') return null
  if (status === 'ERROR' || status === 'EXPIRED') {
    const message = `Meta could not use the post or its files: ${String(reason ?? status).slice(0, 400)}`
    throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message })
  }
  const message = 'Meta is still processing the post.'
  throw new NetworkFault({ kind: 'processing', message, retry_after_s })
}

/** Address of a file, which Meta fetches. */
export const addressParam = async (file: PartMedia) =>
  file.kind === 'video' ? { video_url: await file.url() } : { image_url: await file.url() }
