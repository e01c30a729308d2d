import { Text, TextInput, UnstyledButton } from '@mantine/core'
import data from 'emoji-picker-element-data/en/cldr-native/data.json'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './EmojiPicker.module.css'

type Emoji = { annotation: string; tags?: string[]; emoji: string; group: number; version: number }

/** Newer emoji are missing from the fonts of many systems. */
const NEWEST = 15.1
const COLUMNS = 8
const MOST_FOUND = 64

/** Groups of Unicode by their number. Group 2 has skin tones, which stand alone nowhere. */
const groups = [
  { group: 0, name: 'smileys', icon: '😀' },
  { group: 1, name: 'people', icon: '👋' },
  { group: 3, name: 'nature', icon: '🐵' },
  { group: 4, name: 'food', icon: '🍇' },
  { group: 5, name: 'travel', icon: '🌍' },
  { group: 6, name: 'activities', icon: '🎉' },
  { group: 7, name: 'objects', icon: '💡' },
  { group: 8, name: 'symbols', icon: '❤️' },
  { group: 9, name: 'flags', icon: '🏁' },
] as const

const known: Emoji[] = data.filter(({ version, group }) => version <= NEWEST && group !== 2)

/** The emoji of which each word begins the name or a tag. */
function found(search: string) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const hasWord = ({ annotation, tags = [] }: Emoji) => {
    const names = [...annotation.toLowerCase().split(/[\s:,-]+/), ...tags]
    return words.every((word) => names.some((name) => name.startsWith(word)))
  }
  return known.filter(hasWord).slice(0, MOST_FOUND)
}

/** Moves the focus within the grid. Only one of its buttons is in the order of Tab. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS }
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.findIndex((button) => button.matches(':focus'))
  const next = buttons[index + step]
  if (!next) return
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1
  next.focus()
}

/** All emoji by group, and a search for their names. */
export default function EmojiPicker({ onChoose }: { onChoose: (emoji: string) => void }) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [group, setGroup] = useState<(typeof groups)[number]['group']>(0)
  const grid = useRef<HTMLDivElement>(null)
  const shown = search.trim() ? found(search) : known.filter((emoji) => emoji.group === group)
  const current = groups.find((one) => one.group === group)?.name ?? 'smileys'
  return (
    <div>
      <TextInput
        type="search"
        size="sm"
        aria-label={t('emoji.search')}
        placeholder={t('emoji.search')}
        data-autofocus
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={(event) => {
          const first = grid.current?.querySelector('button')
          if (event.key === 'ArrowDown') first?.focus()
          if (event.key === 'Enter') {
            // Keeps the form behind the picker from being submitted.
            event.preventDefault()
            first?.click()
          }
        }}
      />
      <fieldset className={classes.groups} aria-label={t('emoji.groups')}>
        {groups.map(({ group: number, name, icon }) => (
          <UnstyledButton
            key={name}
            aria-label={t(`emoji.group.${name}`)}
            title={t(`emoji.group.${name}`)}
            aria-pressed={!search.trim() && group === number}
            onClick={() => {
              setSearch('')
              setGroup(number)
            }}
          >
            {icon}
          </UnstyledButton>
        ))}
      </fieldset>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll in every browser */}
      <div
        key={search.trim() ? 'found' : group}
        ref={grid}
        className={classes.grid}
        role="group"
        aria-label={search.trim() ? t('emoji.results') : t(`emoji.group.${current}`)}
        onKeyDown={moveFocus}
      >
        {shown.map(({ emoji, annotation }, index) => (
          <UnstyledButton
            key={emoji}
            tabIndex={index === 0 ? 0 : -1}
            aria-label={annotation}
            title={annotation}
            onClick={() => onChoose(emoji)}
          >
            {emoji}
          </UnstyledButton>
        ))}
      </div>
      {shown.length === 0 && (
        <Text fz="sm" c="dimmed" role="status">
          {t('emoji.none')}
        </Text>
      )}
    </div>
  )
}
