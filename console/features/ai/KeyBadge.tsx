import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { optionsQuery } from '../options/queries'
import classes from './ai.module.css'
import { keyInUse, providerName } from './provider-info'
import type { AiModel } from './queries'

/** Names the key that calls of the model use. */
export function KeyBadge({ model }: { model: AiModel }) {
  const { t } = useTranslation()
  const options = useQuery(optionsQuery).data
  if (!options) return null
  const { source, last4 } = keyInUse(model, options)
  const missing = source === 'missing'
  const Icon = missing ? CircleAlert : KeyRound
  return (
    <Text
      span
      fz="sm"
      className={classes.key}
      c={missing ? 'var(--mantine-color-error)' : source === 'none' ? 'dimmed' : undefined}
    >
      {source !== 'none' && <Icon size={15} aria-hidden="true" />}
      <span>
        {t(`admin.models.key_in_use.${source}`, { vendor: providerName(t, model.provider) })}
        {last4 && <span className={classes.last4}> ···{last4}</span>}
      </span>
    </Text>
  )
}
