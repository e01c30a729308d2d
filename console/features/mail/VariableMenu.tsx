import { Button, Menu, Text } from '@mantine/core'
import { Braces } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './mail.module.css'
import { aboutVariable, type Variable, variableOf } from './words'

/** Puts a variable where the cursor stands in a field. `used`: those that the template has already. */
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
  /** Any other name may be used, too. */
  isFree: boolean
  node: () => Element | null
}) {
  const { t } = useTranslation()
  const insert = (name: string) => {
    const target = node()
    // The menu lets go of the keys first.
    setTimeout(() => {
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
        insertAt(target, variableOf(name))
    })
  }
  return (
    <Menu position="bottom-end" width={340} shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Braces size={15} />}
          aria-label={t('desk.templates.insert_into', { field })}
        >
          {t('desk.templates.insert')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.variables}>
        {variables.map((variable) => {
          const about = aboutVariable(t, variable)
          return (
            <Menu.Item key={variable.name} onClick={() => insert(variable.name)}>
              <Text span className={classes.variable}>
                {variableOf(variable.name)}
              </Text>{' '}
              {used.includes(variable.name) && (
                <Text span fz="xs" c="dimmed">
                  {t('desk.templates.used')}
                </Text>
              )}
              <Text fz="sm" lang={about.lang}>
                {about.text}
              </Text>
              {variable.sample && (
                <Text fz="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {t('desk.templates.sample', { sample: variable.sample })}
                </Text>
              )}
            </Menu.Item>
          )
        })}
        {isFree && <Menu.Label>{t('desk.templates.any_variable', { example: variableOf('name') })}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}

/** As if it were typed, so that it can be taken back as what was typed. */
function insertAt(field: HTMLInputElement | HTMLTextAreaElement, text: string) {
  field.focus()
  if (document.execCommand('insertText', false, text)) return
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
