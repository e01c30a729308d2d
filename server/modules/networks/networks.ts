import type { Static } from 'typebox'
import type { Language } from '../../lib/language.ts'
import type { Network } from './network.ts'
import type { NetworkInfo } from './networks.schema.ts'
import { networks } from './registry.ts'

/** The networks with their texts in one language. */
export const listNetworks = (language: Language) => networks.map((network) => toInfo(network, language))

const toInfo = (
  { id, name, description, icon, connect, capabilities, preview }: Network,
  language: Language,
): Static<typeof NetworkInfo> => ({
  id,
  name,
  description: description[language],
  icon,
  connect: { kind: connect.kind },
  form:
    connect.kind === 'form'
      ? connect.fields.map(({ label, help, ...field }) => ({
          ...field,
          label: label[language],
          ...(help && { help: help[language] }),
        }))
      : [],
  capabilities,
  preview,
})
