import { Button, Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { builtInVariables } from '../../../../../shared/text/variables'
import { insertAtCaret } from '../../../../ui/text/insert-at-caret'
import { useWorkspace } from '../../../workspaces/queries'
import { snippetsQuery } from './queries'

/** Writes the name of a variable into a text area. */
export function VariableMenu({ field }: { field: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const own = useQuery(snippetsQuery(slug)).data?.variables.variables ?? []
  const inserted = useRef(false)
  const area = () => {
    const node = document.getElementById(field)
    return node instanceof HTMLTextAreaElement ? node : undefined
  }
  const all = [...builtInVariables.map((name) => ({ name, value: t(`snippets.variable_${name}`) })), ...own]
  const insert = (name: string) => {
    const node = area()
    if (node) insertAtCaret(node, `{{${name}}}`)
    inserted.current = true
  }
  return (
    <Menu
      position="bottom-start"
      returnFocus={false}
      onExitTransitionEnd={() => {
        if (inserted.current) area()?.focus()
        inserted.current = false
      }}
    >
      <Menu.Target>
        <Button variant="subtle" size="compact-md" leftSection={<Braces size={16} />}>
          {t('snippets.insert_variable')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={260} maw={340} style={{ overflowY: 'auto' }}>
        {all.map(({ name, value }) => (
          <Menu.Item key={name} onClick={() => insert(name)}>
            {`{{${name}}}`}
            <Text fz="sm" c="dimmed" truncate dir="auto">
              {value}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
