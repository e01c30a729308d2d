import type { Static, TObject } from 'typebox'
import { compileSerializer } from '../http/schema/validation.ts'

/** A type of event: a public contract with receivers, which only grows. */
export type EventType<Data = never> = {
  type: string
  description: string
  /** Another name that a webhook may subscribe to. Its events then carry the name that it chose. */
  alias?: string | undefined
  data: TObject
  /** A complete event, as a receiver gets it. */
  example: { id: string; type: string; timestamp: string; workspace_id: string; data: object }
  /** Returns the JSON of the data, with the fields of the schema only. */
  serialize: (data: Data) => string
}

/** Time and workspace of all examples. */
export const exampleTime = '2026-03-02T09:30:00.412Z'
export const exampleWorkspaceId = '01993a4c-2f10-7d21-9b60-3c1e8a7f5d02'

type Declarations<T extends Record<string, TObject>> = {
  [Type in keyof T]: { description: string; alias?: string; data: T[Type]; example: object }
}

/** Declares event types by their names. `example`: the data of an event. */
export function declareEvents<T extends Record<string, TObject>>(declarations: Declarations<T>) {
  const entries = Object.entries<Declarations<T>[keyof T]>(declarations).map(([type, { example, ...rest }]) => [
    type,
    {
      ...rest,
      type,
      example: {
        id: '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d56',
        type,
        timestamp: exampleTime,
        workspace_id: exampleWorkspaceId,
        data: example,
      },
      serialize: compileSerializer(rest.data),
    } satisfies EventType,
  ])
  return Object.fromEntries(entries) as { [Type in keyof T]: EventType<Static<T[Type]>> }
}

export type EventData<T extends EventType> = Parameters<T['serialize']>[0]
