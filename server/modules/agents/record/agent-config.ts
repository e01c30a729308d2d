import type { Selectable } from 'kysely'
import type { Agent } from '../../../lib/db/database-types.ts'

const configFields = [
  ...(['name', 'role', 'persona', 'system_prompt', 'voice', 'language', 'link_domains', 'forbidden_words'] as const),
  ...(['timezone', 'autonomy_level', 'quiet_from', 'quiet_until', 'text_model_id'] as const),
  ...(['generate_image', 'design', 'image_style', 'category'] as const),
] as const

/** The part of an agent that a run writes by. A change of the agent does not reach a run that has begun. */
export type AgentConfig = Pick<Selectable<Agent>, (typeof configFields)[number]>

export const configOf = (agent: AgentConfig): AgentConfig =>
  Object.fromEntries(configFields.map((field) => [field, agent[field]])) as AgentConfig

/** Kind of picture to add to a post first. With both, a card is drawn only when the image fails. */
export const wantedPicture = ({ generate_image, design }: Pick<AgentConfig, 'generate_image' | 'design'>) =>
  generate_image ? ('image' as const) : design ? ('card' as const) : null
