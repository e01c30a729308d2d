import { Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { components } from '../../../api.gen'
import { useFormat } from '../../../ui/text/format'
import { useNetworkNames } from '../../networks/queries'
import classes from '../agents.module.css'

type Asked = components['schemas']['AgentPreview']['asked']

const brandTexts = ['about', 'audience', 'voice'] as const
const brandLists = [
  ...(['use_words', 'avoid_words', 'never_mention', 'links', 'hashtags', 'languages', 'liked_posts'] as const),
]

type Props = {
  asked: Asked
  /** Ids of the pieces of sources that the text uses. */
  used: readonly string[]
}

/** The parts of the prompt for a text. */
export function AskedParts({ asked, used }: Props) {
  const { t } = useTranslation()
  const format = useFormat('UTC')
  const networkName = useNetworkNames()
  const { at, language, networks, plan, results, recent_topics, rules, sources, previous, allowed_hosts } = asked
  // Local times have no zone: they are shown as they are.
  const languages = new Intl.DisplayNames(format.locale, { type: 'language' })
  const day = (text: string) => (text.includes('T') ? format.dateTime(`${text}Z`) : format.monthDay(text))
  const limits = networks.map(({ network, max_length }) =>
    t('agents.asked.network', { network: networkName(network), max: format.number(max_length) }),
  )
  return (
    <section aria-label={t('agents.asked.title')}>
      <Text fz="sm" fw={600}>
        {t('agents.asked.title')}
      </Text>
      <Text fz="sm" c="dimmed">
        {[t('agents.asked.request', { time: day(at), language: languages.of(language) ?? language }), ...limits].join(
          ' · ',
        )}
      </Text>
      {allowed_hosts.length > 0 && (
        <Text fz="sm" c="dimmed">
          {t('agents.link_domains')}: {allowed_hosts.join(', ')}
        </Text>
      )}
      <Part title={t('agents.asked.brand')} items={brandLines(asked, t)} />
      <Part
        title={t('agents.asked.plan')}
        items={plan.map(({ at, post, note, holiday }) => `${day(at)}: ${post ?? note ?? holiday ?? ''}`)}
      />
      <Part
        title={t('agents.asked.sources')}
        items={sources.map(({ id, label, title, text, url }) => (
          <>
            <b>{[label, title].filter(Boolean).join(': ')}</b>
            {used.includes(id) && ` (${t('agents.asked.used')})`}
            {text && <div>{text}</div>}
            {url && <div>{url}</div>}
          </>
        ))}
      />
      <Part
        title={t('agents.asked.results')}
        items={results.map(({ post, likes, comments, shares }) =>
          t('agents.asked.result', {
            post,
            likes: format.number(likes),
            comments: format.number(comments),
            shares: format.number(shares),
          }),
        )}
      />
      <Part title={t('agents.asked.topics')} items={recent_topics} />
      <Part title={t('agents.asked.rules')} items={rules} />
      {previous && (
        <Part
          title={t('agents.asked.previous')}
          items={[...(previous.content ? [previous.content] : []), ...previous.problems]}
        />
      )}
    </section>
  )
}

/** The fields of the brand that are set, a line each. */
function brandLines({ brand }: Asked, t: TFunction) {
  const texts = brandTexts.flatMap((field) => (brand[field] ? [`${t(`brand.${field}`)}: ${brand[field]}`] : []))
  const lists = brandLists.flatMap((field) =>
    brand[field]?.length ? [`${t(`brand.${field}`)}: ${brand[field].join(', ')}`] : [],
  )
  return [...texts, ...lists]
}

/** One part, closed at first. Absent if it is empty. */
function Part({ title, items }: { title: string; items: readonly ReactNode[] }) {
  const format = useFormat()
  if (items.length === 0) return null
  return (
    <details className={classes.part}>
      <summary>
        {title} ({format.number(items.length)})
      </summary>
      <ul className={classes.findings} dir="auto">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
          <li key={index} className={classes.text}>
            {item}
          </li>
        ))}
      </ul>
    </details>
  )
}
