import { useTranslation } from 'react-i18next'
import type { components } from '../../api.gen'
import { langOfEnglishText } from '../../i18n'
import { messageInLanguage } from '../../ui/feedback/problem'
import classes from './agents.module.css'

type Finding = components['schemas']['AgentPreview']['findings'][number]

/** The rules that a text breaks. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation()
  if (findings.length === 0) return null
  return (
    <ul className={classes.findings} aria-label={t('agents.findings')}>
      {findings.map((finding) => {
        const text = messageInLanguage(finding)
        return (
          <li key={`${finding.code} ${finding.message}`}>
            {t(`agents.checks.${finding.code}`)}{' '}
            <span lang={text === undefined ? langOfEnglishText() : undefined}>{text ?? finding.message}</span>
          </li>
        )
      })}
    </ul>
  )
}
