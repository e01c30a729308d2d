import { onlineManager, type Query, QueryClient, queryOptions } from '@tanstack/react-query'
import createClient from 'openapi-fetch'
import type { components, paths } from './api.gen'
import { createFlag } from './ui/flag'

type Schemas = components['schemas']
export type Me = Schemas['Me']
export type Workspace = Schemas['Workspace']
export type WorkspaceCounts = Schemas['WorkspaceCounts']
export type Account = Schemas['Account']
export type Network = Schemas['Network']
export type Post = Schemas['Post']
export type PostSummary = Schemas['PostSummary']
export type Target = Schemas['Target']
export type CalendarNote = Schemas['CalendarNote']
type Problem = Schemas['Problem']

/** An error response from Meydan, with its reason. */
export class ApiProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** The client for data of users and the installation. */
export const api = createClient<paths>()

const clients = new Map<string, typeof api>()

/** Workspaces shown so far, by the slug in the address, which may change while a page is open. */
export const workspaceBySlug = new Map<string, Workspace>()

const WORKSPACES_KEY = ['workspaces'] as const

/** The id that `X-Workspace-Id` carries, for a workspace given by its id or slug. */
export const workspaceId = (workspace: string) => workspaceBySlug.get(workspace)?.id ?? workspace

/** The client for a workspace, given by its id or slug. */
export function workspaceApi(workspace: string) {
  const known = clients.get(workspace)
  if (known) return known
  const made = createClient<paths>()
  made.use({
    onRequest: ({ request }) => request.headers.set('x-workspace-id', workspaceId(workspace)),
    onResponse: ({ response: { status } }) => {
      // The user may have lost access to the workspace or have another role.
      const isOld = (queryClient.getQueryState(WORKSPACES_KEY)?.dataUpdatedAt ?? 0) < Date.now() - 2000
      if ((status === 404 || status === 403) && isOld) void queryClient.invalidateQueries({ queryKey: WORKSPACES_KEY })
    },
  })
  clients.set(workspace, made)
  return made
}

/** Whether the last call had no response, or Meydan was not ready. */
export const isUnreachable = createFlag()
/** Whether Meydan responded `unauthenticated`. */
export const isSignedOut = createFlag()

/** The data of a response. Throws ApiProblem for any status but 2xx, and fetch's error without a response. */
export async function unwrap<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch((failure) => {
    if (!isCanceled(failure)) isUnreachable.set(true)
    throw failure
  })
  if (response.ok) {
    isUnreachable.set(false)
    return data as T
  }
  const problem = isProblem(error) ? error : unknownProblem(response)
  // A proxy's error page, or Meydan without its database.
  isUnreachable.set(problem.code === 'unavailable' && response.status >= 502)
  if (problem.code === 'unauthenticated') isSignedOut.set(true)
  throw new ApiProblem(problem)
}

/** The same for a call with If-None-Match. Undefined for 304: nothing has changed. */
export async function unwrapIfChanged<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>) {
  const { status } = (await call.catch(() => undefined))?.response ?? {}
  if (status !== 304) return unwrap(call)
  isUnreachable.set(false)
  return undefined
}

/**
 * The same with the ETag of the record. Sent back as If-Match, it limits a change to that version. A proxy that compresses
 * makes the tag weak, which If-Match does not take; it still names a version.
 */
export async function unwrapWithEtag<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>) {
  const record = await unwrap(call)
  return { record, etag: (await call).response.headers.get('etag')?.replace(/^W\//, '') ?? '*' }
}

/** Whether the console itself gave up the call, as when a newer one replaces it. That says nothing about Meydan. */
const isCanceled = (failure: unknown) => failure instanceof DOMException && failure.name === 'AbortError'

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'detail' in error

/** For responses from between the browser and Meydan, such as a proxy's. */
const unknownProblem = ({ status, statusText }: Response): Problem => ({
  type: 'about:blank',
  title: statusText,
  status,
  detail: statusText || `HTTP ${status}`,
  code: 'unavailable',
})

type Page<T> = { data: T[]; next_cursor: string | null }

/** Every record of a list, page after page, at most `limit` of them. */
export async function allPages<T>(readPage: (cursor: string | undefined) => Promise<Page<T>>, limit = 5000) {
  const records: T[] = []
  let cursor: string | undefined
  do {
    const { data, next_cursor } = await readPage(cursor)
    records.push(...data)
    cursor = next_cursor ?? undefined
  } while (cursor && records.length < limit)
  return records
}

export const isStatus = (error: unknown, status: number) =>
  error instanceof ApiProblem && error.problem.status === status

export const isCode = (error: unknown, code: Problem['code']) =>
  error instanceof ApiProblem && error.problem.code === code

/** Whether a call got a response, and was refused. */
export const wasRefused = (error: unknown) => error instanceof ApiProblem && error.problem.status < 500

export const queryClient = new QueryClient({
  defaultOptions: {
    // Offline actions fail now instead of running later unnoticed.
    mutations: { networkMode: 'always' },
    queries: {
      staleTime: 10_000,
      // Reports a failure within two seconds.
      retryDelay: (attempt) => 400 * 2 ** attempt,
      // Meydan would refuse a 4xx request again.
      retry: (count, error) => count < 2 && (!(error instanceof ApiProblem) || error.problem.status >= 500),
    },
  },
})

const PROBE_MS = 2500
/** Time after which a probe without a response is given up, as after a change of networks. */
const PROBE_TIMEOUT_MS = 5000

let probeTimer: ReturnType<typeof setTimeout> | undefined

/** Calls Meydan until it responds, also on pages that poll nothing. */
function scheduleProbe() {
  clearTimeout(probeTimer)
  probeTimer = setTimeout(async () => {
    if (!isUnreachable.get()) return
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    await unwrap(api.GET('/api/v1/instance', { signal })).catch(() => undefined)
    if (isUnreachable.get()) scheduleProbe()
  }, PROBE_MS)
}

const refetchFailed = () => {
  const failed = { type: 'active', predicate: ({ state }: Query) => state.status === 'error' } as const
  return queryClient.refetchQueries(failed, { cancelRefetch: false })
}

isUnreachable.subscribe(() => void (isUnreachable.get() ? scheduleProbe() : refetchFailed()))
onlineManager.subscribe((online) => void (online && refetchFailed()))

/** The plans on offer. Besides the pricing page, limit errors use them to name a plan with more. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async () => (await unwrap(api.GET('/api/v1/plans'))).data,
  staleTime: 60_000,
})
