import type { Client } from './client.ts'
import { expectStatus, playgroundAccount } from './factories.ts'

export const newAgent = {
  name: 'Dish of the day',
  system_prompt: 'Write about one dish of the menu.',
  schedule_cron: '30 10 * * 1-6',
  timezone: 'Europe/Istanbul',
  posts_per_run: 1,
  daily_limit: 3,
}

/** The record of a new agent with an account, which lacks nothing but a model to be enabled. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
export const readyAgent = async (editor: Client, more: object = {}): Promise<any> => {
  const account_ids = [await playgroundAccount(editor)]
  return expectStatus(await editor.post('/api/v1/agents', { ...newAgent, account_ids, ...more }), 201).body
}

/** The record of a new agent that is enabled. An active chat model must exist. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
export const enabledAgent = async (editor: Client, more: object = {}): Promise<any> => {
  const { id } = await readyAgent(editor, more)
  return expectStatus(await editor.post(`/api/v1/agents/${id}/enable`), 200).body
}
