import { UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { NavigationGroup } from '../../ui/navigation/entry'
import classes from './Sidebar.module.css'

/** The second level of the sidebar: links by group. A group without links that the user may see is omitted. */
export function NavigationGroups<Name extends string, Entry extends { group?: Name; to: string }>({
  groups,
  entries,
  link,
}: {
  groups: NavigationGroup<Name>[]
  entries: Entry[]
  link: (entry: Entry) => ReactNode
}) {
  const { t } = useTranslation()
  return groups.map(({ name, heading }) => {
    const links = entries.filter(({ group }) => group === name).map((entry) => <li key={entry.to}>{link(entry)}</li>)
    if (links.length === 0) return null
    if (heading === undefined)
      return (
        <ul key={name} className={classes.group}>
          {links}
        </ul>
      )
    return (
      <FoldingGroup key={name} name={name} label={t(heading)}>
        {links}
      </FoldingGroup>
    )
  })
}

/** Links below a heading that folds them away. The link of the current page stays, so that the user sees where they are. */
function FoldingGroup({ name, label, children }: { name: string; label: string; children: ReactNode }) {
  const id = useId()
  const [folded, setFolded] = useLocalStorage<string[]>({
    key: 'meydan.folded-groups',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const isFolded = folded.includes(name)
  return (
    <>
      <UnstyledButton
        id={id}
        className={classes.heading}
        aria-expanded={!isFolded}
        aria-controls={`${id}-links`}
        onClick={() => setFolded((all) => (isFolded ? all.filter((other) => other !== name) : [...all, name]))}
      >
        {label}
        <ChevronDown size={14} className={classes.chevron} />
      </UnstyledButton>
      <ul id={`${id}-links`} className={classes.group} aria-labelledby={id} data-folded={isFolded || undefined}>
        {children}
      </ul>
    </>
  )
}
