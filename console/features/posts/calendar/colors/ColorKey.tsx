import { useTranslation } from 'react-i18next'
import classes from './colors.module.css'
import type { PostColors } from './post-colors'

/** Says what the colors mean. */
export function ColorKey({ colors }: { colors: PostColors }) {
  const { t } = useTranslation()
  if (colors.key.length === 0) return null
  return (
    <ul className={classes.key} aria-label={t('calendar.color_key')}>
      {colors.key.map(({ id, name, color }) => (
        <li key={id}>
          <span style={{ background: color }} />
          <span dir="auto">{name}</span>
        </li>
      ))}
    </ul>
  )
}
