import { readyAgent } from './agents.ts'
import type { Client } from './client.ts'
import { expectStatus } from './factories.ts'

const catalog = '/api/v1/catalog/agent-recipes'

/** The record of a recipe that is published from a new agent. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
export const publishedRecipe = async (editor: Client, agent: object = {}, listing: object = {}): Promise<any> => {
  const { id } = await readyAgent(editor, agent)
  const body = { agent_id: id, category: 'food', ...listing }
  return expectStatus(await editor.post(`${catalog}/publish`, body), 201).body
}

/** The same without the agent, of which a workspace can have a few only. */
export async function orphanRecipe(editor: Client): Promise<{ id: string }> {
  const { id, agent_id } = await publishedRecipe(editor)
  expectStatus(await editor.delete(`/api/v1/agents/${agent_id}`), 204)
  return { id }
}

/** A recipe that others cannot see. */
export async function privateRecipe(editor: Client) {
  const { id } = await orphanRecipe(editor)
  expectStatus(await editor.post(`${catalog}/${id}/unpublish`), 200)
  return { id }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
export const installedAgent = async (editor: Client, recipe_id: string, more: object = {}): Promise<any> =>
  expectStatus(await editor.post(`${catalog}/${recipe_id}/install`, more), 201).body
