import type { Deps } from '../../../lib/deps.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { counted, type NetworkMetrics } from '../metrics.ts'
import type { OpenAccount } from '../network-account.ts'
import { type Credentials, callBot } from './bot.ts'

async function readAccount(deps: Deps, account: OpenAccount) {
  const { token, chat_id } = credentialsOf<Credentials>(account)
  return counted({ followers: await callBot(deps, token, 'getChatMemberCount', { fields: { chat_id } }) })
}

/** Bots do not see the views of messages. */
export const metrics: NetworkMetrics = {
  posts: [],
  account: ['followers'],
  readings: 'often',
  max_posts: 0,
  readAccount,
}
