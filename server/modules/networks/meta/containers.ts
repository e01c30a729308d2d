import { MINUTE } from '../../../../shared/time.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { ifAvailable } from '../calls/call.ts'
import { NetworkFault, type PartMedia, type Publication } from '../network.ts'
import { lettersOf } from '../text/letters.ts'
import { idOf, isGraphError, KEPT_MS, rowsSince } from './graph.ts'

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

/**
 * Names of the edges and fields in which the networks differ. `reason`: the field that tells why a container cannot be
 * used.
 */
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
const VIDEO_POLL_S = 30

type Container = { id: string; made_at: string }

type NewContainer = {
  name: string
  /** The params without the address of the file. */
  params: Record<string, unknown>
  file?: PartMedia
  /** Names of the containers that it contains. */
  children?: readonly string[]
}

/** Prepares a container, and waits until Meta has fetched its file. */
const prepareContainer = (
  { prepare, now }: Publication,
  { create, stateOf }: ContainerCalls,
  { name, params, file, children = [] }: NewContainer,
): Promise<Container> =>
  prepare(name, {
    from: { file: file?.version, params },
    make: async () => ({
      id: await create({ ...(file && (await addressParam(file))), ...params }),
      made_at: now.toISOString(),
    }),
    ready: async (container) => {
      requireReady(await stateOf(container.id), file?.kind === 'video' ? VIDEO_POLL_S : POLL_S)
      return container
    },
    keptMs: KEPT_MS,
    discards: children,
  })

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
const addressParam = async (file: PartMedia) =>
  file.kind === 'video' ? { video_url: await file.url() } : { image_url: await file.url() }

/** Meta does not find a container: it has ended, or was made a moment ago. The networks have a subcode each. */
const CONTAINER_NOT_FOUND = [4_279_009, 2_207_008]
const isNotFound = (thrown: unknown) => CONTAINER_NOT_FOUND.some((subcode) => isGraphError(thrown, { subcode }))
/** Age from which a container that Meta does not find is given up. */
const FOUND_WITHIN_MS = 10 * MINUTE

async function publishContainer(
  { now }: Publication,
  { stateOf, publish }: ContainerCalls,
  { creation_id, made_at }: Intent,
) {
  try {
    return { id: await publish(creation_id) }
  } catch (thrown) {
    if (!isNotFound(thrown)) throw thrown
    const state = await stateOf(creation_id)
    if (state.status === 'PUBLISHED' || now.getTime() - Date.parse(made_at) > FOUND_WITHIN_MS) throw thrown
    requireReady(state, POLL_S)
    throw new NetworkFault({ kind: 'unavailable', message: 'Meta does not find the prepared post yet.' })
  }
}

/** `text` is absent if an earlier version committed it. */
type Intent = { creation_id: string; made_at: string; text?: string }

type Sending = {
  /** Index of the part in the thread. */
  index: number
  text: string
  params: Record<string, unknown>
  files: readonly PartMedia[]
  /** The params of a file, without its address. `isChild`: the file is part of a carousel. */
  paramsOf: (file: PartMedia, isChild: boolean) => Record<string, unknown>
  find: (text: string, begunAt: Date) => Promise<string>
}

/**
 * Publishes a part once: the state of its container shows whether a lost call arrived. A rejected container is not used
 * again.
 */
export const publishPart = (
  publication: Publication,
  calls: ContainerCalls,
  { index, text, find, ...container }: Sending,
) =>
  publication.step(`post ${index}`, {
    part: index,
    intent: async (): Promise<Intent> => {
      const { id: creation_id, made_at } = await prepareAll(publication, calls, { index, ...container })
      return { creation_id, made_at, text }
    },
    run: (intent) => publishContainer(publication, calls, intent),
    ifLost: {
      find: async ({ creation_id, text: sent = text }, begunAt) =>
        (await calls.stateOf(creation_id)).status === 'PUBLISHED' ? { id: await find(sent, begunAt) } : 'absent',
      ifAbsent: 'wait',
    },
    discards: [`container ${index}`, ...childNames(index, container.files)],
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
  const match = rowsSince(deps, listed, { field: 'timestamp', begunAt }).findLast((post) => {
    const value = post[textField]
    return text === null || lettersOf(typeof value === 'string' ? value : '') === lettersOf(text)
  })
  if (match) return idOf(match)
  throw new NetworkFault({ kind: 'unconfirmed', message: 'Meta published the post, and does not list it yet.' })
}

const childName = (index: number, number: number) => `upload ${index}.${number}`
const childNames = (index: number, files: readonly PartMedia[]) => files.map((_, number) => childName(index, number))

/** Prepares the container of a part. Files of a carousel have a container each before it. */
async function prepareAll(
  publication: Publication,
  calls: ContainerCalls,
  { index, params, files, paramsOf }: Omit<Sending, 'text' | 'find'>,
): Promise<Container> {
  const name = `container ${index}`
  const [file, ...others] = files
  if (!file) return prepareContainer(publication, calls, { name, params })
  if (others.length === 0)
    return prepareContainer(publication, calls, { name, file, params: { ...paramsOf(file, false), ...params } })
  const ids: string[] = []
  for (const [number, each] of files.entries()) {
    const child = {
      name: childName(index, number),
      file: each,
      params: { ...paramsOf(each, true), is_carousel_item: true },
    }
    ids.push((await prepareContainer(publication, calls, child)).id)
  }
  const carousel = { media_type: 'CAROUSEL', children: ids.join(','), ...params }
  return prepareContainer(publication, calls, { name, params: carousel, children: childNames(index, files) })
}

/** The address of a post; null if Meta does not say it now. */
export async function permalinkOf(ask: () => Promise<Record<string, unknown>>) {
  const { permalink } = (await ifAvailable(ask)) ?? {}
  return typeof permalink === 'string' && /^https:\/\//.test(permalink) ? permalink : null
}
