import { QueryClient, queryOptions } from '@tanstack/react-query'
import createClient from 'openapi-fetch'
import type { components, paths } from './api.gen'
import { flag } from './ui/flag'

type Schemas = components['schemas']
export type Me = Schemas['Me']
export type Workspace = Schemas['Workspace']
export type Account = Schemas['Account']
export type Network = Schemas['Network']
export type Post = Schemas['Post']
export type Target = Schemas['Target']
export type Problem = Schemas['Problem']

/** Meydan's own answer that something was not done, and why. */
export class ApiProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** For what belongs to a person or to the installation. */
export const api = createClient<paths>()

const clients = new Map<string, typeof api>()

/** Workspaces that were shown, by what an address called them: a short name may change while a room is open. */
export const shownAs = new Map<string, Workspace>()

const LIST_KEY = ['workspaces'] as const

/** For what belongs to a workspace, named by its id or slug. */
export function workspaceApi(workspace: string) {
  const known = clients.get(workspace)
  if (known) return known
  const made = createClient<paths>()
  made.use({
    onRequest: ({ request }) => request.headers.set('x-workspace-id', shownAs.get(workspace)?.id ?? workspace),
    onResponse: ({ response: { status } }) => {
      // The workspace may be gone for who is signed in, or the role may be another one.
      const isOld = (queryClient.getQueryState(LIST_KEY)?.dataUpdatedAt ?? 0) < Date.now() - 2000
      if ((status === 404 || status === 403) && isOld) void queryClient.invalidateQueries({ queryKey: LIST_KEY })
    },
  })
  clients.set(workspace, made)
  return made
}

/** Whether the last call had no answer. */
export const unanswered = flag()
/** Whether Meydan said that it does not know who asks. */
export const signedOut = flag()

/** The data of an answer. Throws ApiProblem for any but 2xx, and what fetch throws when there was no answer. */
export async function answered<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch((lost) => {
    unanswered.set(true)
    throw lost
  })
  if (response.ok) {
    unanswered.set(false)
    return data as T
  }
  const problem = isProblem(error) ? error : unknownProblem(response)
  // What a proxy says in Meydan's place is no answer of Meydan.
  unanswered.set(problem !== error && response.status >= 502)
  if (problem.code === 'unauthenticated') signedOut.set(true)
  throw new ApiProblem(problem)
}

/** The same with the ETag of what was read: sent back as If-Match, a change is made to that version or not at all. */
export async function tagged<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>) {
  const record = await answered(call)
  return { record, etag: (await call).response.headers.get('etag') ?? '*' }
}

const isProblem = (error: unknown): error is Problem =>
  typeof error === 'object' && error !== null && 'code' in error && 'detail' in error

/** For answers of something between the browser and Meydan, such as a proxy. */
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

export const queryClient = new QueryClient({
  defaultOptions: {
    // An act that cannot be done now is not done later behind somebody's back.
    mutations: { networkMode: 'always' },
    queries: {
      staleTime: 10_000,
      // Who waits hears within two seconds that nothing comes.
      retryDelay: (attempt) => 400 * 2 ** attempt,
      // What Meydan refused once it will refuse again.
      retry: (count, error) => count < 2 && (!(error instanceof ApiProblem) || error.problem.status >= 500),
    },
  },
})

/** The plans that can be had. Not only their own page shows them: who is refused by a limit is told which has more. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async () => (await answered(api.GET('/api/v1/plans'))).data,
  staleTime: 60_000,
})
