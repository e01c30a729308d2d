import { Type } from 'typebox'

const statuses = ['queued', 'running', 'awaiting_review', 'completed', 'failed', 'skipped', 'canceled'] as const

export const RunStatus = Type.Enum([...statuses], { type: 'string', description: 'Status.', examples: ['completed'] })

/** Reasons of skipped runs: nothing is wrong with the agent. */
const skipReasons = [
  ...(['workspace_deleted', 'disabled', 'owner_gone', 'outside_plan', 'no_accounts', 'no_model'] as const),
  ...(['daily_limit', 'budget', 'agent_budget', 'nothing_new', 'late', 'still_running', 'failures'] as const),
] as const

const failReasons = [
  ...([
    'checks_failed',
    'source_failed',
    'model_key_refused',
    'model_unusable',
    'ai_refused',
    'ai_rate_limited',
  ] as const),
  ...(['ai_unavailable', 'canceled', 'error'] as const),
] as const

export const runReasons = [...skipReasons, ...failReasons]
export type RunReason = (typeof runReasons)[number]

export const isSkip = (reason: RunReason) => skipReasons.some((each) => each === reason)

/** Returns the code if it is a reason of failed runs. */
export const isFailReason = (code: string) => failReasons.find((each) => each === code)
