import { Type } from 'typebox'
import { declareEvents, exampleTime } from '../../../lib/events/event-type.ts'
import { Count, idOf, nullable } from '../../../lib/http/schema/schema.ts'
import { Usd } from '../../../lib/money.ts'
import { runReasons } from '../record/run-status.ts'
import { AgentRun } from './runs.schema.ts'

const Agent = Type.Object({ id: idOf('agent'), name: Type.String({ maxLength: 80 }) })

const Budget = Type.Object({
  agent: Agent,
  month: Type.String({ maxLength: 7, description: 'Calendar month of the workspace.', examples: ['2026-03'] }),
  limit: Type.Enum(['credits', 'spend'], {
    type: 'string',
    description: 'Limit that the event is about: `monthly_credits` or `monthly_spend_limit_usd`.',
    examples: ['credits'],
  }),
  monthly_credits: nullable(Count('AI credits that the agent may use in a month. Null for no limit.', 200)),
  spent_credits: Count('AI credits that it has used in this month.', 160),
  monthly_spend_limit_usd: nullable(Usd('Most that its models may cost in a month. Null for no limit.', 5)),
  spent_usd: Usd('Cost of its calls of models that have ended in this month.', 1.2),
})

/** Numbers of a budget without a limit of money. */
const inCredits = { limit: 'credits', monthly_credits: 200, monthly_spend_limit_usd: null, spent_usd: 0 }

const agent = { id: '01994f10-1c2d-7a3e-8b4f-5a6b7c8d9e0f', name: 'Bakery voice' }

const agentRun = {
  id: '01994f11-2d3e-7b4f-9c5a-6b7c8d9e0f1a',
  agent_id: agent.id,
  trigger: 'schedule',
  status: 'completed',
  reason: null,
  wanted: 1,
  made: 1,
  missed: 0,
  credits: 1,
  cost_usd: 0.00125,
  is_cost_estimated: false,
  post_ids: ['01994f01-3e52-7d84-b6a9-1c2d3e4f5a6b'],
  due_at: '2026-03-02T09:30:00.000Z',
  created_at: '2026-03-02T09:30:00.000Z',
  started_at: '2026-03-02T09:30:01.120Z',
  ended_at: exampleTime,
}

export const agentEvents = declareEvents({
  'agent.run.completed': {
    description: 'A run of an agent wrote posts. With `awaiting_review`, some of them wait for a person.',
    data: Type.Object({ agent: Agent, run: AgentRun }),
    example: { agent, run: agentRun },
  },
  'agent.run.failed': {
    description: 'A run of an agent wrote no post, because something was wrong. Runs that were skipped send no event.',
    data: Type.Object({ agent: Agent, run: AgentRun }),
    example: {
      agent,
      run: { ...agentRun, status: 'failed', reason: 'checks_failed', made: 0, credits: 3, post_ids: [] },
    },
  },
  'agent.budget_warning': {
    description: 'An agent has used 80 % of its budget. Sent at most once a month for each limit of an agent.',
    data: Budget,
    example: { agent, month: '2026-03', ...inCredits, spent_credits: 160 },
  },
  'agent.budget_reached': {
    description:
      'An agent has used up its budget. Its runs are skipped until the next month begins or the budget is raised.',
    data: Budget,
    example: { agent, month: '2026-03', ...inCredits, spent_credits: 200 },
  },
  'agent.disabled': {
    description: 'An agent was disabled because its last five runs failed.',
    data: Type.Object({
      agent: Agent,
      reason: Type.Enum([...runReasons], { type: 'string', description: 'Reason of its last failed run.' }),
    }),
    example: { agent, reason: 'model_key_refused' },
  },
})
