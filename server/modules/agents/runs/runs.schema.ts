import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, exampleId, idOf, nullable, Time, TimeText } from '../../../lib/http/schema/schema.ts'
import { Usd } from '../../../lib/money.ts'
import { NetworkId } from '../../networks/networks.schema.ts'
import { postStatuses } from '../../posts/record/posts.schema.ts'
import { reviewFields } from '../../posts/record/review-fields.schema.ts'
import { Asked } from '../drafts/asked.schema.ts'
import { content, findings, topic } from '../drafts/preview.schema.ts'
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
  wanted: Count('Number of posts to write. 0 for a time that it missed.', 2),
  made: Count('Number of posts written.', 2),
  missed: Count(
    'Number of earlier times that passed without a run, because Meydan was down. Each is a run of its own that was skipped, up to 100.',
    0,
  ),
  credits: Count('Number of AI credits charged.', 2),
  cost_usd: Usd('Cost of what it kept, by the prices of the models. Models without prices count as nothing.', 0.0025),
  is_cost_estimated: Type.Boolean({
    description: 'Whether a provider did not report the usage from which a part of the cost follows.',
  }),
  post_ids: Type.Array(idOf('post'), {
    maxItems: 10,
    description: 'Ids of the posts, in their order. Erased posts are left out.',
    examples: [[exampleId('post')]],
  }),
  due_at: nullable(
    Type.Unsafe<Date>({ ...Time, description: 'Time of the schedule that it is for. Null for a run by hand.' }),
  ),
  created_at: Time,
  started_at: nullable(Time),
  ended_at: nullable(Time),
}

export const AgentRun = Type.Object(run, { title: 'AgentRun' })

const Text = Type.String({ maxLength: 65_536, examples: ['Fresh simit from seven.'] })

const WrittenPost = Type.Object(
  {
    status: Type.Enum([...postStatuses], {
      type: 'string',
      description: 'Status of the post.',
      examples: ['published'],
    }),
    review: reviewFields.review,
    review_reason: reviewFields.review_reason,
    published_at: nullable(TimeText),
    is_deleted: Type.Boolean({ description: 'Whether the post was deleted. Its texts are left out then.' }),
    texts: Type.Array(
      Type.Object({
        account_id: nullable(idOf('account', 'Id of the account with a text of its own. Null for that of the post.')),
        network: nullable(NetworkId),
        written: Text,
        current: Text,
      }),
      {
        maxItems: 51,
        description: 'Texts of the post: `written` by the agent, and `current`, as people changed it since.',
      },
    ),
  },
  { description: 'The post as it is now. Null without one, or when it was erased.' },
)

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
  source_ids: Type.Array(Type.String({ maxLength: 100, examples: ['s1'] }), {
    maxItems: 20,
    description: 'Ids of the pieces of `asked.sources` that the text uses.',
  }),
  asked: nullable(
    Type.Object(Asked.properties, {
      description:
        'Parts of the prompt of the last text, without what looks like a key. Null for runs of earlier versions of Meydan.',
    }),
  ),
  post: nullable(WrittenPost),
})

export const AgentRunWithItems = Type.Object(
  {
    ...run,
    setup: nullable(
      Type.Object(
        {
          role: Type.String({ maxLength: 200, examples: ['Cook'] }),
          persona: Type.String({ maxLength: 2000, examples: ['A cook who knows every farmer by name.'] }),
          voice: Type.String({ maxLength: 2000, examples: ['Warm and short.'] }),
          system_prompt: Type.String({ maxLength: 8000, examples: ['Write about one dish.'] }),
        },
        { description: 'Instructions of the agent when the run began. Null if it did not.' },
      ),
    ),
    items: Type.Array(RunItem, { maxItems: 10, description: 'The posts that the run began.' }),
  },
  { title: 'AgentRunWithItems' },
)

export const AgentRunQuery = Closed(PageQuery)

export const runParams = Closed({ id: idOf('agent'), run_id: idOf('agent_run') })
