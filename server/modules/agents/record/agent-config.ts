import type { Selectable } from 'kysely'
import type { Agent, AgentPicture } from '../../../lib/db/database-types.ts'

const configFields = [
  ...(['name', 'role', 'persona', 'system_prompt', 'voice', 'language', 'link_domains', 'forbidden_words'] as const),
  ...(['timezone', 'autonomy_level', 'quiet_from', 'quiet_until', 'text_model_id'] as const),
  ...(['generate_image', 'design', 'video', 'image_style', 'category'] as const),
] as const

/** The part of an agent that a run writes by. A change of the agent does not reach a run that has begun. */
export type AgentConfig = Pick<Selectable<Agent>, (typeof configFields)[number]>

export const configOf = (agent: AgentConfig): AgentConfig =>
  Object.fromEntries(configFields.map((field) => [field, agent[field]])) as AgentConfig

export type PictureKind = Extract<AgentPicture, 'video' | 'image' | 'card'>

/** Kinds of pictures that a post can have, the best first: each is made when the one before it cannot be. */
export function wantedPictures({
  video,
  generate_image,
  design,
}: Pick<AgentConfig, 'video' | 'generate_image' | 'design'>) {
  const kinds: PictureKind[] = []
  if (video) kinds.push('video')
  if (generate_image) kinds.push('image')
  if (design) kinds.push('card')
  return kinds
}
