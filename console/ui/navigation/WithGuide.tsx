import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const texts = {
  agents: 'guides.agents',
  api: 'guides.api',
  webhooks: 'guides.webhooks',
  'ai-models': 'guides.ai_models',
  plans: 'guides.plans',
  recipes: 'guides.recipes',
  'recurring-posts': 'guides.recurring_posts',
  import: 'guides.import',
  'email-templates': 'guides.email_templates',
} as const

/**
 * A link to a guide that this instance serves. Guides are in English. `path`: the path of the guide, such as
 * `networks/rss`.
 */
export const GuideLink = ({ path, children }: { path: string; children: ReactNode }) => (
  <Anchor href={`/docs/guides/${path}`} hrefLang="en" target="_blank" inherit>
    {children}
  </Anchor>
)

/** A text, followed by a link to the guide about it. */
export function WithGuide({ name, children }: { name: keyof typeof texts; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      {children} <GuideLink path={name}>{t(texts[name])}</GuideLink>
    </>
  )
}
