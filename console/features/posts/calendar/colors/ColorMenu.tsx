import { Menu } from '@mantine/core'
import { Palette } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type CalendarSearch, type Coloring, colorings } from '../../search-params'
import { ToolButton } from '../ToolButton'
import classes from './colors.module.css'
import type { PostColors } from './post-colors'

const STATUS = 'status'

/** Chooses what the edges of posts show. */
export function ColorMenu({
  color,
  choose,
}: Pick<CalendarSearch, 'color'> & { choose: (color: Coloring | undefined) => void }) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ToolButton label={t('calendar.color_by')}>
          <Palette size={18} />
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('calendar.color_by')}</Menu.Label>
        <Menu.RadioGroup
          value={color ?? STATUS}
          onChange={(value: string) => choose(colorings.find((name) => name === value))}
        >
          {([STATUS, ...colorings] as const).map((value) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {t(`calendar.color_${value}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

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
