import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { RejectionReason } from '../../posts/record/review-fields.schema.ts'

/** Maximum of characters of a rule. */
export const MAX_TEXT = 500

const text = Type.String({
  minLength: 1,
  maxLength: MAX_TEXT,
  pattern: '\\S',
  description: 'Text, which the agent follows when it writes. Stored as one line.',
  examples: ['No exclamation marks.'],
})
const is_enabled = Type.Boolean({
  description: 'Whether the agent follows it. A rule from a client is off until an editor turns it on.',
})

export const AgentRule = Type.Object(
  {
    id: idOf('agent_rule'),
    text,
    is_enabled,
    learned_from: nullable(
      Type.Object(
        {
          reason: { ...RejectionReason, description: 'Reason of the rejection, also after `text` was changed.' },
          post_id: nullable(idOf('post', 'Id of the rejected post. Null if the post was deleted.')),
          client_name: nullable(
            Type.String({
              maxLength: 80,
              description: 'Name of the client who gave the reason. Null if it was a member.',
              examples: [null],
            }),
          ),
        },
        { description: 'The rejection that it was learned from. Null if a member wrote it.' },
      ),
    ),
    created_by: nullable(
      Type.Object(
        { id: idOf('user'), name: Type.String({ maxLength: 80, examples: ['Ada'] }) },
        { description: 'Member who wrote it, or who gave the reason. Null for a client, or if the user is gone.' },
      ),
    ),
    created_at: Time,
    updated_at: Time,
    version: Count('Number of the version, which the `ETag` has. Every change increases it.', 1),
  },
  { title: 'AgentRule' },
)

export const NewAgentRule = Closed(
  { text, is_enabled: Type.Optional(is_enabled) },
  { title: 'NewAgentRule', examples: [{ text: 'No exclamation marks.' }] },
)

export const ChangeAgentRule = Closed(Type.Partial(Type.Object({ text, is_enabled })).properties, {
  title: 'ChangeAgentRule',
  minProperties: 1,
  examples: [{ is_enabled: false }],
})

export const AgentRuleQuery = Closed(PageQuery)

export const ruleParams = Closed({ id: idOf('agent'), rule_id: idOf('agent_rule') })
