import { eventTypes } from '../events.ts'
import type { EventType } from '../lib/events/event-type.ts'
import { idOf, Time } from '../lib/http/schema/schema.ts'

const text = (maxLength: number, example: string) => ({ type: 'string', maxLength, examples: [example] })

const header = (name: string, required: boolean, description: string, schema: ReturnType<typeof text>) => ({
  in: 'header',
  name,
  required,
  description,
  schema: { type: schema.type, maxLength: schema.maxLength },
  example: schema.examples[0],
})

/** The headers of a delivery that a receiver needs, by their name among the components of the document. */
export const webhookHeaders = {
  'Webhook-Id': header(
    'webhook-id',
    true,
    'Id of the event, the same in every attempt. Use it to detect duplicates.',
    text(36, '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d56'),
  ),
  'Webhook-Timestamp': header(
    'webhook-timestamp',
    true,
    'Time of this attempt, in seconds since 1970.',
    text(20, '1772443800'),
  ),
  'Webhook-Signature': header(
    'webhook-signature',
    true,
    'Signature of id, timestamp and body by Standard Webhooks. During a rotation of the secret there are two, separated by a space.',
    text(200, 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='),
  ),
  'X-Service-Signature': header(
    'x-service-signature',
    true,
    'HMAC-SHA256 of the body in hex, keyed with the text of the secret.',
    text(64, '6f2b7c0e9d1a4f538c6e2b7d9f0a1c3e5b7d9f1a3c5e7b9d0f2a4c6e8b0d1f3a'),
  ),
  'X-Service-Signature-Next': header(
    'x-service-signature-next',
    false,
    'The same with the new secret. Sent only during a rotation of the secret.',
    text(64, '1a3c5e7b9d0f2a4c6e8b0d1f3a6f2b7c0e9d1a4f538c6e2b7d9f0a1c3e5b7d9f'),
  ),
}

const words = (type: string) => type.split(/[._]/).map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)

/** The request that reports an event of one type. */
function webhook({ type, description, data, example }: EventType) {
  const name = words(type).join('')
  return {
    post: {
      operationId: `on${name}`,
      summary: type,
      description,
      tags: ['Events'],
      security: [],
      parameters: Object.keys(webhookHeaders).map((header) => ({ $ref: `#/components/parameters/${header}` })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              title: `${name}Event`,
              type: 'object',
              required: ['id', 'type', 'timestamp', 'workspace_id', 'data'],
              properties: {
                id: idOf('event', 'Id of the event, the same as in the header `webhook-id`.'),
                type: {
                  type: 'string',
                  maxLength: 60,
                  description: 'Type of the event, or the alias that the webhook subscribes to.',
                },
                timestamp: { ...Time, description: 'Time of the event.' },
                workspace_id: idOf('workspace', 'Id of the workspace in which it happened.'),
                data,
              },
            },
            example,
          },
        },
      },
      responses: {
        '2XX': { description: 'Acknowledges the event. The body is ignored.' },
        '410': { description: 'Disables the webhook.' },
        default: {
          description:
            'Any other status, or no response within 15 seconds: the delivery is attempted again by the retry schedule.',
        },
      },
    },
  }
}

/** `webhooks` of the document: every request that Meydan sends to the webhooks of users. */
export const webhooks = () => Object.fromEntries(Object.values(eventTypes).map((event) => [event.type, webhook(event)]))
