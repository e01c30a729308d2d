import { Badge, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { AnchorLink } from '../../ui/navigation/AnchorLink'
import { useFormat } from '../../ui/text/format'
import { allModelsQuery } from '../ai/queries'
import { useMe } from '../auth/queries'
import { keyModelId, optionDescription, optionName, optionValueText } from './labels'
import classes from './options.module.css'
import { type Option, secretOf } from './queries'
import { SecretControl } from './SecretControl'
import type { OptionRowProps } from './useOptionDraft'
import { ValueControl } from './ValueControl'

/** One option: its purpose, its value and source, and the effect of a new value. */
export function OptionRow({ option, options, onDraft }: OptionRowProps) {
  const { t } = useTranslation()
  const id = useId()
  const model = useQuery({ ...allModelsQuery, enabled: keyModelId(option) !== undefined }).data?.find(
    (one) => one.id === keyModelId(option),
  )
  const name = optionName(t, option, model?.name)
  const about = optionDescription(t, option)
  return (
    <li className={classes.row} aria-labelledby={id}>
      <div>
        <div className={classes.head}>
          <Text fw={600} id={id}>
            {name}
          </Text>
          <OptionSource option={option} />
        </div>
        {about && (
          <Text c="dimmed" fz="sm" mt={2} lang={about.lang}>
            {about.text}
          </Text>
        )}
        <OptionFacts option={option}>
          {model && (
            <AnchorLink to="/admin/ai-models/$model" params={{ model: model.id_secure }} inherit>
              {t('admin.options.to_model')}
            </AnchorLink>
          )}
        </OptionFacts>
      </div>
      <div className={classes.control}>
        {option.type === 'secret' ? (
          <SecretControl option={option} options={options} onDraft={onDraft} name={name} />
        ) : (
          <ValueControl option={option} options={options} onDraft={onDraft} name={name} />
        )}
      </div>
    </li>
  )
}

function OptionSource({ option: { source, environment, type, value } }: { option: Option }) {
  const { t } = useTranslation()
  if (source === 'override') return <Badge variant="light">{t('admin.options.source.override')}</Badge>
  if (source === 'environment')
    return (
      <Badge variant="light" color="blue">
        {t('admin.options.source.environment', { key: environment?.key })}
      </Badge>
    )
  if (type === 'secret' && !secretOf({ value } as Option).set) return null
  return (
    <Badge variant="light" color="gray">
      {t('admin.options.source.default')}
    </Badge>
  )
}

/** The option's name in the API, and its value without the override. */
function OptionFacts({ option, children }: { option: Option; children?: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { key, type, source, environment, updated_at } = option
  const value = optionValueText(t, option, option.default)
  return (
    <div className={classes.facts}>
      <span className={classes.mono}>{key}</span>
      {source === 'override' && environment?.is_set && (
        <span>{t('admin.options.before_setting', { key: environment.key, value })}</span>
      )}
      {source === 'override' && !environment?.is_set && type !== 'secret' && value !== '' && (
        <span>{t('admin.options.default_is', { value })}</span>
      )}
      {source === 'override' && updated_at && (
        <time dateTime={updated_at} title={format.full(updated_at)}>
          {t('admin.options.changed', { ago: format.ago(updated_at) })}
        </time>
      )}
      {children}
    </div>
  )
}
