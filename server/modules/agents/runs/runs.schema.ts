import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, exampleId, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { NetworkId } from '../../networks/networks.schema.ts'
import { findingCodes } from '../drafts/checks.ts'
import { RunStatus, runReasons } from '../record/run-status.ts'

const Reason = Type.Enum([...runReasons], {
  type: 'string',
  description:
    'Reason for writing nothing, or fewer posts than wanted. With status `skipped` nothing was wrong with the agent; with `failed` something was.',
  examples: ['daily_limit'],
})

const run = {
  id: idOf('agent_run'),
  agent_id: idOf('agent'),
  trigger: Type.Enum(['schedule', 'manual'], { type: 'string', examples: ['schedule'] }),
  status: RunStatus,
  reason: nullable(Reason),
  wanted: Count('Number of posts to write.', 2),
  made: Count('Number of posts written.', 2),
  missed: Count('Number of earlier times that passed without a run, because Meydan was down. Counted up to 100.', 0),
  credits: Count('Number of AI credits charged.', 2),
  post_ids: Type.Array(idOf('post'), {
    maxItems: 10,
    description: 'Ids of the posts, in their order. Erased posts are left out.',
    examples: [[exampleId('post')]],
  }),
  created_at: Time,
  started_at: nullable(Time),
  ended_at: nullable(Time),
}

export const AgentRun = Type.Object(run, { title: 'AgentRun' })

const Finding = Type.Object({
  code: Type.Enum([...findingCodes], { type: 'string', examples: ['link_not_allowed'] }),
  message: Type.String({ maxLength: 12_000, examples: ['Links to example.com are not allowed.'] }),
  translations: Type.Optional(
    Type.Object({ tr: Type.String({ maxLength: 12_000 }) }, { description: 'The message in other languages.' }),
  ),
})

const topic = nullable(Type.String({ maxLength: 120, examples: ['Fresh simit'] }))
const content = nullable(
  Type.String({ maxLength: 10_000, description: 'Last text of the model.', examples: ['Fresh simit from seven.'] }),
)
const findings = Type.Array(Finding, { maxItems: 200, description: 'Rules that the text breaks.' })

export const RunItem = Type.Object({
  position: Count('Place of the post in the run, from 0.', 0),
  status: Type.Enum(['writing', 'blocked', 'created', 'pending', 'approved', 'rejected', 'expired'], {
    type: 'string',
    description: '`pending`: the post waits for a person. `blocked`: there is no post; `reason` says why.',
    examples: ['created'],
  }),
  reason: nullable(Type.String({ maxLength: 60, examples: ['link_not_allowed'] })),
  post_id: nullable(idOf('post')),
  topic,
  content,
  findings,
  picture: nullable(
    Type.Enum(['video', 'image', 'card', 'added', 'left_out'], {
      type: 'string',
      description:
        '`video`: being made, which takes minutes. `image`, `card`: made next, by the image model or by Meydan. `left_out`: the post has none; `picture_reason` says why. Null if the agent wants none.',
      examples: ['added'],
    }),
  ),
  picture_reason: nullable(
    Type.String({
      maxLength: 60,
      description: 'Reason for which a picture was left out, or another kind took its place.',
      examples: ['ai_refused'],
    }),
  ),
  attempts: Count('Number of texts that the model wrote.', 1),
})

export const AgentRunWithItems = Type.Object(
  { ...run, items: Type.Array(RunItem, { maxItems: 10, description: 'The posts that the run began.' }) },
  { title: 'AgentRunWithItems' },
)

export const AgentPreview = Type.Object(
  {
    topic,
    content,
    variants: Type.Array(
      Type.Object({
        network: NetworkId,
        content: Type.String({ maxLength: 10_000, examples: ['Fresh simit!'] }),
      }),
      { maxItems: 20, description: 'Other texts for single networks.' },
    ),
    skip_reason: nullable(
      Type.String({
        maxLength: 500,
        description: 'Reason of the model for writing nothing. Null with a text.',
        examples: [null],
      }),
    ),
    findings,
    credits: Count('Number of AI credits charged.', 1),
  },
  { title: 'AgentPreview', description: 'A text of an agent that is not kept.' },
)

export const AgentRunQuery = Closed(PageQuery)

export const runParams = Closed({ id: idOf('agent'), run_id: idOf('agent_run') })
