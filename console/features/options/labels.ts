import type { TFunction } from 'i18next'
import { currentLanguage, translateDynamic } from '../../i18n'
import { providerName } from '../ai/provider-info'
import { providerOf } from '../ai/search-params'
import type { Option } from './queries'

export const groups = [
  'general',
  'backup',
  'sign_in',
  'mail',
  'ai',
  'billing',
  'marketplace',
] as const satisfies Option['group'][]

/** The provider whose API key an option holds. */
const keyProvider = ({ key }: Option) => providerOf(/^(\w+)_api_key$/.exec(key)?.[1])

/** The id of the model whose API key an option holds. */
export const keyModelId = ({ key }: Option) => {
  const id = /^ai-model-(\d+)_api-key$/.exec(key)?.[1]
  return id === undefined ? undefined : Number(id)
}

const keyToLabel = ({ key }: Option) => key.replace(/\W/g, '_')

/** The option's name. `model`: the name of the model with this key. */
export function optionName(t: TFunction, option: Option, model?: string) {
  const provider = keyProvider(option)
  if (provider) return t('admin.options.vendor_key', { vendor: providerName(t, provider) })
  const id = keyModelId(option)
  if (id !== undefined) return t('admin.options.model_key', { name: model ?? `#${id}` })
  return translateDynamic(t, `admin.options.name.${keyToLabel(option)}`, option.key)
}

/** The option's purpose, in Meydan's English if the console has no text for it. */
export function optionDescription(
  t: TFunction,
  option: Option,
): { text: string; lang?: string | undefined } | undefined {
  if (keyProvider(option) || keyModelId(option) !== undefined) return undefined
  const text = translateDynamic(t, `admin.options.about.${keyToLabel(option)}`, '')
  return text ? { text } : { text: option.description, lang: currentLanguage() === 'en' ? undefined : 'en' }
}

/** The translated rule for its values, because Meydan's own is English. */
export const optionRule = (t: TFunction, option: Option) =>
  currentLanguage() === 'en'
    ? undefined
    : translateDynamic(
        t,
        `admin.options.rule.${option.key.endsWith('_key') || keyModelId(option) ? 'key' : keyToLabel(option)}`,
        '',
      )

/** The options that each payment provider needs. */
const providerOptions: Record<string, readonly string[]> = {
  stripe: ['stripe.secret_key', 'stripe.webhook_secret'],
  iyzico: ['iyzico.api_key', 'iyzico.secret_key', 'iyzico.merchant_id'],
  paytr: ['paytr.merchant_id', 'paytr.merchant_key', 'paytr.merchant_salt'],
}

const isUnset = ({ value }: Option) => value === '' || (typeof value === 'object' && !value.set)

/** The options that the chosen payment provider still needs. */
export function missingOptions(options: Option[]) {
  const chosen = options.find(({ key }) => key === 'billing.provider')
  const needed = providerOptions[String(chosen?.value)] ?? []
  return { chosen, missing: options.filter((option) => needed.includes(option.key) && isUnset(option)) }
}

/** A value for display. */
export function optionValueText(t: TFunction, option: Option, value: Option['value']): string {
  if (typeof value === 'boolean') return t(value ? 'admin.options.on' : 'admin.options.off')
  if (typeof value === 'object') return secretText(t, option, value)
  if (option.key === 'ai.default_provider') {
    const provider = providerOf(value)
    if (provider) return providerName(t, provider)
  }
  if (option.type === 'enum')
    return translateDynamic(t, `admin.options.value.${keyToLabel(option)}_${value}`, String(value))
  return String(value)
}

/** Hides the end of an address: it is only the port. */
export const secretText = (t: TFunction, { key }: Option, { set, last4 }: { set: boolean; last4: string | null }) =>
  set
    ? last4 && key !== 'mail.smtp_url'
      ? t('admin.options.set_last4', { last4 })
      : t('admin.options.set')
    : t('admin.options.unset')

/** The effect of saving the value. */
export function changeEffect(t: TFunction, option: Option, value: Option['value'], options: Option[]) {
  const provider = keyProvider(option)
  if (provider) {
    const chosen = providerOf(options.find(({ key }) => key === 'ai.default_provider')?.value) ?? 'openai'
    return t(chosen === provider ? 'admin.options.effect_vendor_key' : 'admin.options.effect_other_vendor_key', {
      vendor: providerName(t, provider),
      chosen: providerName(t, chosen),
    })
  }
  if (keyModelId(option) !== undefined) return t('admin.options.effect_model_key')
  const of = providerOf(value)
  const values = { value: optionValueText(t, option, value), ...(of && { vendor: providerName(t, of) }) }
  const always = translateDynamic(t, `admin.options.effect.${keyToLabel(option)}`, '', values)
  return (
    always ||
    translateDynamic(
      t,
      `admin.options.effect.${keyToLabel(option)}_${value}`,
      t('admin.options.effect_default'),
      values,
    )
  )
}

/** The value after the override is removed. */
export function resetEffect(t: TFunction, option: Option) {
  const { type, environment } = option
  if (environment?.is_set) {
    return type === 'secret'
      ? t('admin.options.reset_to_secret', { key: environment.key })
      : t('admin.options.reset_to_setting', {
          key: environment.key,
          value: optionValueText(t, option, option.default),
        })
  }
  if (type !== 'secret')
    return t('admin.options.reset_to_default', { value: optionValueText(t, option, option.default) })
  return t(option.key === 'mail.smtp_url' ? 'admin.options.reset_mail' : 'admin.options.reset_secret')
}
