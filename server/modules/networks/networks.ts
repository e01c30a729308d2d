import type { Static } from 'typebox'
import type { Db } from '../../lib/db/database.ts'
import type { Language } from '../../lib/language.ts'
import { networksWithApp } from './apps/apps.ts'
import type { Network } from './network.ts'
import type { NetworkInfo, OptionInfo } from './networks.schema.ts'
import type { OptionField } from './options.ts'
import { networks } from './registry.ts'

/** The networks with their texts in one language. */
export async function listNetworks(db: Db, language: Language) {
  const withApp = await networksWithApp(db)
  return networks.map((network) => toInfo(network, withApp.has(network.id), language))
}

const toInfo = (
  { id, name, description, icon, connect, options, capabilities, preview }: Network,
  hasApp: boolean,
  language: Language,
): Static<typeof NetworkInfo> => ({
  id,
  name,
  description: description[language],
  icon,
  connect: { kind: connect.kind, available: connect.kind === 'form' || hasApp },
  form:
    connect.kind === 'form'
      ? connect.fields.map(({ label, help, ...field }) => ({
          ...field,
          label: label[language],
          ...(help && { help: help[language] }),
        }))
      : [],
  options: options.map((field) => toOptionInfo(field, language)),
  capabilities,
  preview,
})

const toOptionInfo = (field: OptionField, language: Language): Static<typeof OptionInfo> => ({
  key: field.key,
  label: field.label[language],
  ...(field.help && { help: field.help[language] }),
  required: field.required ?? false,
  type: field.type,
  ...('max_length' in field && { max_length: field.max_length }),
  ...('is_counted' in field && { is_counted: field.is_counted }),
  ...('max_items' in field && { max_items: field.max_items }),
  ...('pattern' in field && { pattern: field.pattern }),
  ...('default' in field && { default: field.default }),
  ...('choices' in field && {
    choices: field.choices.map(({ label, ...choice }) => ({ ...choice, label: label[language] })),
  }),
})
