import type { AuthOptions } from './auth-options.ts'
import { outsideTransactions } from './transaction-context.ts'

/**
 * better-auth, as far as this module uses it, and only this module does. It is loaded at the first call, because that
 * takes longer than most of a start.
 */
export function createAuth(options: AuthOptions) {
  const create = async () => {
    const { createBetterAuth } = await import('./create-better-auth.ts')
    return createBetterAuth(options)
  }
  let created: ReturnType<typeof create> | undefined
  // Every later call uses it as well, so it must not keep the transaction of the first.
  const auth = () => (created ??= outsideTransactions(create))
  return {
    handler: async (request: Request) => (await auth()).handler(request),
    get $context() {
      return auth().then(({ $context }) => $context)
    },
  }
}

declare module '../../../lib/deps.ts' {
  interface Deps {
    auth: Auth
  }
}

export type Auth = ReturnType<typeof createAuth>
