import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { ifAvailable } from '../calls/call.ts'
import { NetworkFault, type PartMedia, type Publication } from '../network.ts'
import { lettersOf } from '../text/letters.ts'
import { idOf, rowsSince } from './graph.ts'
import { freshUpload } from './uploads.ts'

/** State of a container: what is prepared at Meta, and published in a call of its own. */
type ContainerState = {
  status: unknown
  /** The reason why Meta cannot use it. */
  reason: unknown
}

/** Calls of one network of Meta that differ from those of others. */
type ContainerCalls = {
  create: (params: Record<string, unknown>) => Promise<string>
  stateOf: (id: string) => Promise<ContainerState>
  /** Publishes a container. Returns the id of the post. */
  publish: (id: string) => Promise<string>
}

/** Names of the edges and fields in which the networks differ. `reason`: of a container that cannot be used. */
type ContainerNames = { create: string; publish: string; status: string; reason: string }

/** The calls of an account. `ask`: calls the API as the account. */
export function containerCalls(
  ask: (request: {
    method?: 'POST'
    path: string
    params: Record<string, unknown>
  }) => Promise<Record<string, unknown>>,
  account_id: string,
  names: ContainerNames,
): ContainerCalls {
  const post = async (edge: string, params: Record<string, unknown>) =>
    idOf(await ask({ method: 'POST', path: `/${account_id}/${edge}`, params }))
  return {
    create: (params) => post(names.create, params),
    publish: (creation_id) => post(names.publish, { creation_id }),
    stateOf: async (id) => {
      const { status, reason } = names
      const fields = await ask({ path: `/${id}`, params: { fields: `${status},${reason}` } })
      return { status: fields[status], reason: fields[reason] }
    },
  }
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

/** Publishes a container once: its state shows whether a lost call arrived. */
export const publishContainer = (
  publication: Publication,
  { stateOf, publish }: ContainerCalls,
  { id, name, part, find }: { id: string; name: string; part: number; find: (begunAt: Date) => Promise<string> },
) =>
  publication.step(name, {
    part,
    intent: () => ({ creation_id: id }),
    run: async ({ creation_id }) => ({ id: await publish(creation_id) }),
    ifLost: {
      find: async ({ creation_id }, begunAt) =>
        (await stateOf(creation_id)).status === 'PUBLISHED' ? { id: await find(begunAt) } : 'absent',
      ifAbsent: 'wait',
    },
  })

/**
 * Finds the id of a post that is published. Its container does not name it, so it is found by its text and time.
 * `listed`: the newest posts with their `timestamp`. `text`: null for posts without one.
 */
export function findPublished(
  deps: Pick<Deps, 'clock'>,
  listed: Reply,
  { text, textField, begunAt }: { text: string | null; textField: string; begunAt: Date },
): string {
  const found = rowsSince(deps, listed, { field: 'timestamp', begunAt }).findLast((post) => {
    const found = post[textField]
    return text === null || lettersOf(typeof found === 'string' ? found : '') === lettersOf(text)
  })
  if (found) return idOf(found)
  throw new NetworkFault({ kind: 'unconfirmed', message: 'Meta published the post, and does not list it yet.' })
}

type Children = {
  files: readonly PartMedia[]
  /** Of the part. */
  index: number
  paramsOf: (file: PartMedia) => Promise<Record<string, unknown>>
}

/** Prepares a container for each file of a carousel. Returns their ids with commas. */
export async function prepareChildren(
  deps: Deps,
  publication: Publication,
  calls: ContainerCalls,
  { files, index, paramsOf }: Children,
): Promise<string> {
  const ids: string[] = []
  for (const [number, file] of files.entries())
    ids.push(
      await prepareContainer(deps, publication, calls, {
        name: `upload ${index}.${number}`,
        isFilm: file.kind === 'video',
        params: async () => ({ ...(await paramsOf(file)), is_carousel_item: true }),
      }),
    )
  return ids.join(',')
}

/** The address of a post; null if Meta does not say it now. */
export async function permalinkOf(ask: () => Promise<Record<string, unknown>>) {
  const { permalink } = (await ifAvailable(ask)) ?? {}
  return typeof permalink === 'string' && /^https:\/\//.test(permalink) ? permalink : null
}
