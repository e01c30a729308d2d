/** The part of autocannon that the benches use; it has no types of its own. */
declare module 'autocannon' {
  type Request = { method?: string; path?: string; headers?: Record<string, string>; body?: string }
  /** `setupRequest` makes each request before it is sent. */
  type MadeRequest = { setupRequest: () => Request }
  type Client = { setRequests: (requests: Request[]) => void }
  type Options = Request & {
    url: string
    connections: number
    duration: number
    requests?: MadeRequest[]
    setupClient?: (client: Client) => void
  }
  type Result = {
    '2xx': number
    non2xx: number
    errors: number
    timeouts: number
    duration: number
    statusCodeStats: Record<string, { count: number }>
  }
  export default function autocannon(options: Options): Promise<Result>
}
