import { Type } from 'typebox'
import { Count, idOf, nullable } from '../../../lib/http/schema/schema.ts'
import { NetworkId } from '../../networks/networks.schema.ts'
import { Asked } from './asked.schema.ts'
import { findingCodes } from './checks.ts'

const Finding = Type.Object({
  code: Type.Enum([...findingCodes], { type: 'string', examples: ['link_not_allowed'] }),
  message: Type.String({ maxLength: 12_000, examples: ['Links to example.com are not allowed.'] }),
  translations: Type.Optional(
    Type.Object({ tr: Type.String({ maxLength: 12_000 }) }, { description: 'The message in other languages.' }),
  ),
})

export const topic = nullable(Type.String({ maxLength: 120, examples: ['Fresh simit'] }))
export const content = nullable(
  Type.String({ maxLength: 10_000, description: 'Last text of the model.', examples: ['Fresh simit from seven.'] }),
)
export const findings = Type.Array(Finding, { maxItems: 200, description: 'Rules that the text breaks.' })

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
    targets: Type.Array(
      Type.Object({
        account_id: idOf('account'),
        network: NetworkId,
        content: Type.String({ maxLength: 10_000, examples: ['Fresh simit!'] }),
      }),
      { maxItems: 50, description: 'Text that each connected account would get.' },
    ),
    skip_reason: nullable(
      Type.String({
        maxLength: 500,
        description: 'Reason of the model for writing nothing. Null with a text.',
        examples: [null],
      }),
    ),
    source_ids: Type.Array(Type.String({ maxLength: 100, examples: ['s1'] }), {
      maxItems: 20,
      description: 'Ids of the pieces of `asked.sources` that the text uses.',
    }),
    findings,
    asked: Asked,
    credits: Count('Number of AI credits charged.', 1),
  },
  { title: 'AgentPreview', description: 'Next post of an agent, which is not kept.' },
)
