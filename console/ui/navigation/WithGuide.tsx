import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const texts = {
  api: 'guides.api',
  webhooks: 'guides.webhooks',
  'ai-models': 'guides.ai_models',
  plans: 'guides.plans',
  'email-templates': 'guides.email_templates',
} as const

/** A text with a link to the guide on it that this instance serves. Guides are in English. */
export function WithGuide({ name, children }: { name: keyof typeof texts; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      {children}{' '}
      <Anchor href={`/docs/guides/${name}`} hrefLang="en" target="_blank" inherit>
        {t(texts[name])}
      </Anchor>
    </>
  )
}
