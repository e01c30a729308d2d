import { Highlight, Input, Modal, Text, VisuallyHidden } from '@mantine/core'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foldCase } from '../ui/navigation/search-params'
import classes from './Palette.module.css'
import { type Command, type CommandGroup, useCommandGroups, useFoundPosts } from './palette-commands'

/** Whether each word of the query is in the name of the command, or begins one of its synonyms. */
function matches({ label, synonyms = '' }: Command, query: string) {
  const name = foldCase(label)
  const others = foldCase(synonyms).split(' ')
  return foldCase(query)
    .split(/\s+/)
    .every((word) => name.includes(word) || others.some((synonym) => synonym.startsWith(word)))
}

/** Finds pages, actions, posts and guides by parts of their names or by synonyms. */
export default function CommandPalette({ onClose, openShortcuts }: { onClose: () => void; openShortcuts: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const commands = useCommandGroups(openShortcuts)
  const found = useFoundPosts(query.trim())
  const groups = [
    ...commands.map((group) => ({ ...group, commands: group.commands.filter((one) => matches(one, query.trim())) })),
    found,
  ].filter((group) => group.commands.length > 0)
  const all = groups.flatMap((group) => group.commands)
  const current = all[Math.min(active, all.length - 1)]
  const optionId = (command: Command) => `${id}-${command.id}`
  const activeId = current && optionId(current)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || all.length === 0) return
    const at = Math.min(active, all.length - 1)
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step) setActive((at + step + all.length) % all.length)
    else if (event.key === 'Enter' && current) run(current)
    else return
    event.preventDefault()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={600}
      // Centered, it would jump when its list shrinks.
      centered={false}
      yOffset="12vh"
      attributes={{ content: { 'aria-label': t('shell.palette') } }}
    >
      <Input
        data-autofocus
        size="lg"
        variant="unstyled"
        className={classes.field}
        leftSection={<Search size={18} />}
        placeholder={t('palette.placeholder')}
        aria-label={t('shell.palette')}
        role="combobox"
        aria-expanded={all.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <VisuallyHidden role="status">{t('palette.results', { count: all.length })}</VisuallyHidden>
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.list')} className={classes.list}>
        {groups.map((group) => (
          <Group key={group.name} group={group} id={`${id}-${group.name}`}>
            {group.commands.map((command) => (
              <Option
                key={command.id}
                id={optionId(command)}
                command={command}
                query={query.trim()}
                isActive={command === current}
                onPoint={() => setActive(all.indexOf(command))}
                onRun={() => run(command)}
              />
            ))}
          </Group>
        ))}
      </div>
      {all.length === 0 && (
        <Text c="dimmed" ta="center" p="lg">
          {t('ui.nothing_found')}
        </Text>
      )}
    </Modal>
  )
}

function Group({ group, id, children }: { group: CommandGroup; id: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
    <div role="group" aria-labelledby={id}>
      <div id={id} className={classes.heading} role="presentation">
        {group.name}
      </div>
      {children}
    </div>
  )
}

type OptionProps = {
  id: string
  command: Command
  query: string
  isActive: boolean
  onPoint: () => void
  onRun: () => void
}

/** The field keeps the focus, and names the active option for screen readers. */
function Option({ id, command: { label, icon: Icon, detail }, query, isActive, onPoint, onRun }: OptionProps) {
  const node = useRef<HTMLDivElement>(null)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys of the field select it
    <div
      ref={node}
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      <Icon size={18} aria-hidden="true" />
      <Highlight component="span" highlight={query} className={classes.label}>
        {label}
      </Highlight>
      {detail && <span className={classes.detail}>{detail}</span>}
    </div>
  )
}
