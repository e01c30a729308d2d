import { Button, Menu, Text } from '@mantine/core'
import { Braces } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { placeholderFor, type Variable, variableDescription } from '../labels'
import classes from '../mail.module.css'

/** Inserts a variable at the cursor of a field. `used`: the variables already in the template. */
export function VariableMenu({
  field,
  variables,
  used,
  isFree,
  node,
}: {
  /** The field's label. */
  field: string
  variables: Variable[]
  used: string[]
  /** Any other name is valid, too. */
  isFree: boolean
  node: () => Element | null
}) {
  const { t } = useTranslation()
  const insert = (name: string) => {
    const target = node()
    // The menu releases the focus first.
    setTimeout(() => {
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
        insertAt(target, placeholderFor(name))
    })
  }
  return (
    <Menu position="bottom-end" width={340} shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Braces size={15} />}
          aria-label={t('admin.templates.insert_into', { field })}
        >
          {t('admin.templates.insert')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.variables}>
        {variables.map((variable) => {
          const about = variableDescription(t, variable)
          return (
            <Menu.Item key={variable.name} onClick={() => insert(variable.name)}>
              <Text span className={classes.variable}>
                {placeholderFor(variable.name)}
              </Text>{' '}
              {used.includes(variable.name) && (
                <Text span fz="xs" c="dimmed">
                  {t('admin.templates.used')}
                </Text>
              )}
              <Text fz="sm" lang={about.lang}>
                {about.text}
              </Text>
              {variable.sample && (
                <Text fz="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {t('admin.templates.sample', { sample: variable.sample })}
                </Text>
              )}
            </Menu.Item>
          )
        })}
        {isFree && <Menu.Label>{t('admin.templates.any_variable', { example: placeholderFor('name') })}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Inserts the text as if typed, so that undo works. */
function insertAt(field: HTMLInputElement | HTMLTextAreaElement, text: string) {
  field.focus()
  if (document.execCommand('insertText', false, text)) return
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
