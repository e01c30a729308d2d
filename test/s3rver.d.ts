declare module 's3rver' {
  import type { IncomingMessage } from 'node:http'

  type Context = { method: string; path: string; query: Record<string, string | undefined>; req: IncomingMessage } & {
    status: number
    type: string
    body: unknown
  }

  /** The part of s3rver that tests use. It is a Koa application. */
  export default class S3rver {
    constructor(options: {
      port: number
      address: string
      silent: boolean
      directory: string
      configureBuckets: { name: string }[]
    })
    middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
